// SPDX-License-Identifier: GPL-2.0-only OR MIT
// Draws boxes.

function number(at, state) {
  return state.diff ? signed(at.value - at.before, state.measure) : amount(at.value, state.measure);
}

// Whether a node is what is looked for: "all" of it, "some", or "none".
function matched(at, matches) {
  if (!matches) return "all";
  const count = at.sites.reduce((sum, site) => sum + matches.has(site), 0);
  return count === 0 ? "none" : count < at.sites.length ? "some" : "all";
}

function inscribe(group, box, state, fill) {
  const lines = inscription(box.node.name, number(box.node, state), box.width - 9, box.height, box.open);
  if (!lines.length) return;
  const top = box.height < 2 * LINE + 6 || box.open ? Math.min(13, box.height / 2 + 4) : 14;
  lines.forEach((line, index) => group.append(make("text", { x: (box.x + 5).toFixed(1), y: (box.y + top + index * LINE).toFixed(1), fill: ink(fill) }, line)));
}

// Draws into `main`; returns the group of each node.
function draw(main, { boxes, height }, state, matches) {
  const groups = new Map();
  const width = main.clientWidth;
  const svg = make("svg", { width, height: Math.ceil(height), viewBox: `0 0 ${width} ${Math.ceil(height)}`, role: "img", "aria-label": "Memory by call site" });
  const stripes = make("pattern", { id: "doubt", width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" });
  stripes.append(make("path", { d: "M0 0V7", stroke: isDark() ? "#fff" : "#000", "stroke-opacity": 0.28, "stroke-width": 2 }));
  svg.append(make("defs", {}, stripes));
  for (const box of boxes) {
    const match = matched(box.node, matches);
    // What is not looked for has no colour, nor has what holds some of that.
    const fill = match === "all" ? colour(box.node, box.depth, state.diff) : neutral();
    const leak = box.node.site && box.node.site.trend && box.node.site.trend.verdict === "LEAK";
    const group = make("g", { class: "box" + (match === "none" ? " missed" : "") + (leak ? " leak" : "") });
    const shape = { x: box.x.toFixed(1), y: box.y.toFixed(1), width: box.width.toFixed(1), height: box.height.toFixed(1) };
    group.append(make("rect", { ...shape, fill, class: "fill", rx: Math.min(2.5, box.width / 4, box.height / 4) }));
    if (box.node.site && !box.node.accurate) group.append(make("rect", { ...shape, fill: "url(#doubt)", "pointer-events": "none" }));
    inscribe(group, box, state, fill);
    group.node = box.node;
    groups.set(box.node, group);
    svg.append(group);
  }
  main.replaceChildren(boxes.length ? svg : make("p", { class: "empty" }, "Nothing here holds memory at this moment."));
  return groups;
}
