// SPDX-License-Identifier: GPL-2.0-only OR MIT
// Draws boxes, and tells about the one under the pointer.

// Letters are about this wide, in pixels.
const ADVANCE = 6.7;

function fitted(text, room) {
  const letters = Math.floor(room / ADVANCE);
  if (text.length <= letters) return text;
  return letters < 4 ? "" : text.slice(0, letters - 1) + "…";
}

function label(group, text, x, y, room, fill) {
  const shown = fitted(text, room);
  if (shown) group.append(make("text", { x: x.toFixed(1), y: y.toFixed(1), fill }, shown));
}

function number(at, state) {
  return state.diff ? signed(at.value - at.before, state.measure) : amount(at.value, state.measure);
}

// Draws into `main`; returns the group of each node.
function draw(main, { boxes, height }, state) {
  const groups = new Map();
  const svg = make("svg", { height: Math.ceil(height), role: "img", "aria-label": "Memory by call site" });
  const stripes = make("pattern", { id: "doubt", width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" });
  stripes.append(make("path", { d: "M0 0V7", stroke: isDark() ? "#fff" : "#000", "stroke-opacity": 0.28, "stroke-width": 2 }));
  svg.append(make("defs", {}, stripes));
  for (const box of boxes) {
    const fill = colour(box.node, box.depth, state.diff);
    const group = make("g", { class: "box" });
    const shape = { x: box.x.toFixed(1), y: box.y.toFixed(1), width: box.width.toFixed(1), height: box.height.toFixed(1) };
    group.append(make("rect", { ...shape, fill, class: "fill", rx: Math.min(2.5, box.width / 4, box.height / 4) }));
    if (box.node.site && !box.node.accurate) group.append(make("rect", { ...shape, fill: "url(#doubt)", "pointer-events": "none" }));
    if (box.height >= 15 && box.width >= 24) {
      const size = number(box.node, state);
      const [x, y, room] = [box.x + 5, box.y + Math.min(13, box.height / 2 + 4), box.width - 9];
      if (box.open || box.height < 34) label(group, box.node.name + "  " + size, x, y, room, ink(fill));
      else {
        label(group, box.node.name, x, y, room, ink(fill));
        label(group, size, x, y + 15, room, ink(fill));
      }
    }
    group.node = box.node;
    groups.set(box.node, group);
    svg.append(group);
  }
  main.replaceChildren(boxes.length ? svg : make("p", { class: "empty" }, "Nothing here holds memory at this moment."));
  return groups;
}

// The course of a node over all profiles.
function spark(at, measure) {
  const values = FRAMES.map((_, frame) => at.sites.reduce((sum, site) => sum + site[measure][frame], 0));
  const [low, high] = [Math.min(0, ...values), Math.max(1, ...values)];
  const points = values.map((value, frame) => [2 + (frame * 176) / (values.length - 1), 34 - ((value - low) / (high - low)) * 30]);
  const line = points.map((point) => point.map((part) => part.toFixed(1)).join(",")).join(" ");
  const svg = make("svg", { width: 180, height: 36 });
  svg.append(make("polyline", { points: line, fill: "none", stroke: "currentColor", "stroke-width": 1.8 }));
  return svg;
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
    const place = at.site.folded ? at.site.file : at.site.file + ":" + at.site.line;
    lines.push(place + (at.site.module ? " [" + at.site.module + "]" : ""), at.site.subsystem);
    if (at.site.folded) lines.push(at.site.folded + " small call sites of this file");
  } else {
    lines.push(digits(at.sites.reduce((sum, site) => sum + (site.folded || 1), 0)) + " call sites");
  }
  if (!at.accurate) lines.push("accurate:no: the kernel vouches for changes only");
  return lines;
}

function tell(tip, at, state, whole, x, y) {
  const above = trail(at).slice(1, -1).map((node) => node.name).join(" › ");
  tip.replaceChildren(make("span", { class: "where" }, above), make("b", {}, at.name));
  for (const line of describe(at, state, whole)) tip.append(make("div", {}, line));
  if (FRAMES.length > 2) tip.append(spark(at, state.measure));
  tip.hidden = false;
  const [width, height] = [tip.offsetWidth, tip.offsetHeight];
  tip.style.left = Math.max(4, x + 16 + width > innerWidth ? x - width - 12 : x + 16) + "px";
  tip.style.top = Math.max(4, Math.min(y + 16, innerHeight - height - 8)) + "px";
}
