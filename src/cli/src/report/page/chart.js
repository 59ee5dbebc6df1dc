// SPDX-License-Identifier: GPL-2.0-only OR MIT
// Memory over time: what the open node holds, stacked by what it divides into, with its peak.

// Pixels around the picture. A brush's handle may stand at its edges.
const MARGIN = { left: 56, right: 16, top: 18, bottom: 22 };

// Where things are in the chart that was drawn last.
let plot = null;

// The courses of what the node divides into, the largest first; what has no colour of its own is one.
function bands(at, measure) {
  const all = parts(at).map((part) => ({ name: part.name, values: course(part.sites, measure) }));
  for (const part of all) part.weight = part.values.reduce((sum, value) => sum + Math.max(0, value), 0);
  all.sort((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1));
  const shown = all.slice(0, LIGHT.length);
  const rest = all.slice(LIGHT.length);
  if (rest.length) {
    const values = FRAMES.map((_, frame) => rest.reduce((sum, part) => sum + part.values[frame], 0));
    shown.push({ name: digits(rest.length) + " others", values });
  }
  return { ranked: all.map((part) => part.name), shown };
}

function across(frame) {
  const [from, to] = [WHEN[0], WHEN[LAST]];
  return plot.left + (to > from ? (WHEN[frame] - from) / (to - from) : frame / Math.max(1, LAST)) * plot.width;
}

// The profile nearest to a place of the chart.
function nearest(x) {
  let best = 0;
  for (let frame = 1; frame <= LAST; frame++) if (Math.abs(across(frame) - x) < Math.abs(across(best) - x)) best = frame;
  return best;
}

function axes(svg, most, measure) {
  const text = (attributes, string) => svg.append(make("text", { class: "axis", ...attributes }, string));
  for (const value of marks(most, plot.height < 90 ? 2 : 4, measure)) {
    const y = plot.y(value).toFixed(1);
    svg.append(make("line", { class: "grid", x1: plot.left, x2: plot.left + plot.width, y1: y, y2: y }));
    text({ x: plot.left - 8, y: Number(y) + 4, "text-anchor": "end" }, round(value, measure));
  }
  const base = plot.top + plot.height;
  let free = plot.left - 4;
  for (const { at, text: string, strong } of instants(Math.max(2, Math.floor(plot.width / 72)))) {
    const [from, to] = [WHEN[0], WHEN[LAST]];
    const x = plot.left + (to > from ? (at - from) / (to - from) : 0) * plot.width;
    svg.append(make("line", { class: "tick", x1: x.toFixed(1), x2: x.toFixed(1), y1: base, y2: base + 4 }));
    const half = wide(string) / 2 + 2;
    const within = Math.max(plot.left - 4 + half, Math.min(x, plot.left + plot.width + MARGIN.right - half));
    if (within - half < free) continue;
    free = within + half + 4;
    text({ x: within.toFixed(1), y: base + 17, "text-anchor": "middle", class: strong ? "axis strong" : "axis" }, string);
  }
  if (DATA.clock === "wall") text({ x: plot.left - 8, y: base + 17, "text-anchor": "end" }, DATA.zone.name);
}

function area(below, above) {
  const there = above.map((value, frame) => across(frame).toFixed(1) + "," + plot.y(value).toFixed(1));
  const back = below.map((value, frame) => across(frame).toFixed(1) + "," + plot.y(value).toFixed(1)).reverse();
  return "M" + there.join("L") + "L" + back.join("L") + "Z";
}

function summit(svg, sums, measure) {
  const peak = sums.indexOf(Math.max(...sums));
  const [x, y] = [across(peak), plot.y(sums[peak])];
  const string = "peak " + amount(sums[peak], measure);
  // Beside it there may be a handle.
  const room = wide(string) + 26;
  const side = x + room < plot.left + plot.width ? 1 : -1;
  const group = make("g", { class: "peak", "data-frame": peak });
  group.append(make("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 3.5 }));
  group.append(make("text", { x: (x + side * 8).toFixed(1), y: Math.max(11, y - 4).toFixed(1), "text-anchor": side > 0 ? "start" : "end" }, string));
  svg.append(group);
  return peak;
}

// Draws into `place`; returns the number of the profile with the peak.
function chart(place, shown, state) {
  const [width, height] = [place.clientWidth, place.clientHeight];
  const sums = FRAMES.map((_, frame) => shown.reduce((sum, part) => sum + Math.max(0, part.values[frame]), 0));
  const most = Math.max(1, ...sums);
  plot = { left: MARGIN.left, top: MARGIN.top, width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
  plot.y = (value) => plot.top + plot.height * (1 - value / most);
  const svg = make("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Memory over time" });
  axes(svg, most, state.measure);
  let below = FRAMES.map(() => 0);
  shown.forEach(({ name, values }, rank) => {
    const above = below.map((value, frame) => value + Math.max(0, values[frame]));
    const path = make("path", { d: area(below, above), fill: band(rank), class: "band" });
    path.append(make("title", {}, name));
    svg.append(path);
    below = above;
  });
  const peak = summit(svg, sums, state.measure);
  place.replaceChildren(svg);
  return peak;
}
