// SPDX-License-Identifier: GPL-2.0-only OR MIT
// Tells about a box: beside the pointer, or at the lower edge where a finger has asked.

// A small picture of values over time.
function spark(values, width, height, attributes) {
  const [low, high] = [Math.min(0, ...values), Math.max(1, ...values)];
  const across = (frame) => (WHEN[LAST] > WHEN[0] ? (WHEN[frame] - WHEN[0]) / (WHEN[LAST] - WHEN[0]) : frame / Math.max(1, LAST));
  const points = values.map((value, frame) => [2 + across(frame) * (width - 4), height - 2 - ((value - low) / (high - low)) * (height - 5)]);
  const line = points.map((point) => point.map((part) => part.toFixed(1)).join(",")).join(" ");
  const svg = make("svg", { width, height, viewBox: `0 0 ${width} ${height}`, class: "spark", "aria-hidden": "true", ...attributes });
  svg.append(make("polyline", { points: line, fill: "none", stroke: "currentColor", "stroke-width": 1.6, "stroke-linejoin": "round" }));
  return svg;
}

function per(trend) {
  return signed(trend.slope, "bytes") + " an hour" + (trend.exhaustion ? ", out of memory in " + remaining(trend.exhaustion) : "");
}

function describe(at, state, whole) {
  const lines = [];
  const change = at.value - at.before;
  if (state.diff) {
    lines.push(signed(change, state.measure) + " (" + digits(change) + "): " + amount(at.before, state.measure) + " → " + amount(at.value, state.measure));
  } else {
    lines.push(amount(at.value, state.measure) + " (" + digits(at.value) + " " + state.measure + "), " + percent(at.value, whole) + " of all");
  }
  if (state.measure === "bytes") {
    const average = at.calls > 0 ? ", " + size(Math.round(at.value / at.calls)) + " each" : "";
    lines.push(digits(at.calls) + " calls" + average);
  }
  if (at.site) {
    lines.push(at.site.place + (at.site.module ? " [" + at.site.module + "]" : ""), at.site.subsystem);
    if (at.site.folded) lines.push(at.site.folded + " small call sites added up");
    if (at.site.trend) lines.push(at.site.trend.verdict + (at.site.trend.verdict === "LEAK" ? ": " + per(at.site.trend) : ""));
  } else {
    lines.push(digits(at.sites.reduce((sum, site) => sum + (site.folded || 1), 0)) + " call sites");
  }
  if (!at.accurate) lines.push("accurate:no: the kernel vouches for changes only");
  return lines;
}

function fill(tip, at, state, whole) {
  const above = trail(at).slice(1, -1).map((node) => node.name).join(" › ");
  tip.replaceChildren(make("span", { class: "where" }, above), make("b", {}, at.name));
  for (const line of describe(at, state, whole)) tip.append(make("div", {}, line));
  if (at.site) tip.append(...timed(at.site));
  if (FRAMES.length > 2) tip.append(spark(course(at.sites, state.measure), 180, 36));
  tip.told = at;
}

// With `actions`, names and what to do, it has buttons and stands at the lower edge.
function tell(tip, at, state, whole, x, y, actions) {
  if (tip.hidden || tip.told !== at || actions) fill(tip, at, state, whole);
  tip.classList.toggle("docked", Boolean(actions));
  tip.hidden = false;
  if (actions) {
    const buttons = actions.map(([name, act]) => {
      const button = make("button", {}, name);
      button.onclick = act;
      return button;
    });
    tip.append(make("div", { class: "actions" }, ...buttons));
    tip.style.left = tip.style.top = "";
    return;
  }
  const [width, height] = [tip.offsetWidth, tip.offsetHeight];
  tip.style.left = Math.max(4, x + 16 + width > innerWidth ? x - width - 12 : x + 16) + "px";
  tip.style.top = Math.max(4, Math.min(y + 16, innerHeight - height - 8)) + "px";
}
