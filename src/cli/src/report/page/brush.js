// SPDX-License-Identifier: GPL-2.0-only OR MIT
// The brush over the chart: a click chooses a moment, a stroke a stretch of time whose change is then shown. Its handles are sliders
// for the keyboard.

// Pixels: a stroke is longer than this; a finger's grip is as wide as that.
const STROKE = 5;
const GRIP = 32;

function handle(frame, name, set) {
  const x = across(frame).toFixed(1);
  const [top, base] = [plot.top - 4, plot.top + plot.height];
  const group = make("g", {
    class: "handle", role: "slider", tabindex: 0, "aria-label": name, "aria-valuemin": 0, "aria-valuemax": LAST, "aria-valuenow": frame,
    "aria-valuetext": label(frame), id: "handle-" + name,
  });
  group.append(make("rect", { x: x - GRIP / 2, y: top, width: GRIP, height: base - top, fill: "transparent" }));
  group.append(make("line", { x1: x, x2: x, y1: top, y2: base }));
  group.append(make("circle", { cx: x, cy: top, r: 5 }));
  group.addEventListener("keydown", (event) => {
    const far = Math.max(1, Math.round(LAST / 10));
    const to = { ArrowLeft: frame - 1, ArrowDown: frame - 1, ArrowRight: frame + 1, ArrowUp: frame + 1, PageDown: frame - far, PageUp: frame + far, Home: 0, End: LAST }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    set(Math.max(0, Math.min(LAST, to)));
    const again = document.getElementById("handle-" + name) || document.querySelector(".handle");
    again.focus();
  });
  return group;
}

// Puts the brush on the chart. `select(from, to)` is told what is chosen; both are the same for a moment.
function brush(place, state, select) {
  const svg = place.firstChild;
  const [left, right] = state.diff ? [Math.min(state.from, state.to), Math.max(state.from, state.to)] : [state.to, state.to];
  if (state.diff) {
    const veil = (x, width) => svg.append(make("rect", { class: "veil", x, y: plot.top, width: Math.max(0, width), height: plot.height }));
    veil(plot.left, across(left) - plot.left);
    veil(across(right), plot.left + plot.width - across(right));
    svg.append(handle(left, "from", (frame) => select(frame, right)), handle(right, "to", (frame) => select(left, frame)));
  } else {
    svg.append(handle(left, "at", (frame) => select(frame, frame)));
  }
}

// What a pointer does to the chart. The chart is drawn anew while it does, so its place listens.
function stroke(place, current, select) {
  let held = null;
  const at = (event) => nearest(event.clientX - place.getBoundingClientRect().left);
  place.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const state = current();
    const frame = at(event);
    const x = event.clientX - place.getBoundingClientRect().left;
    const near = (each) => Math.abs(across(each) - x) <= (event.pointerType === "touch" ? GRIP / 2 : 2 * STROKE);
    // Whoever takes a handle moves it; the other one stays.
    if (state.diff && near(state.to)) held = { fixed: state.from, x, moved: true };
    else if (state.diff && near(state.from)) held = { fixed: state.to, x, moved: true };
    else if (!state.diff && near(state.to) && event.pointerType === "touch") held = { fixed: null, x, moved: true };
    else held = { fixed: frame, x, moved: false };
    place.setPointerCapture(event.pointerId);
  });
  place.addEventListener("pointermove", (event) => {
    if (!held) return;
    const x = event.clientX - place.getBoundingClientRect().left;
    if (Math.abs(x - held.x) > STROKE) held.moved = true;
    if (!held.moved) return;
    const frame = at(event);
    if (held.fixed === null) select(frame, frame);
    else select(Math.min(held.fixed, frame), Math.max(held.fixed, frame));
  });
  place.addEventListener("pointerup", (event) => {
    if (held && !held.moved) select(at(event), at(event));
    held = null;
  });
  place.addEventListener("pointercancel", () => (held = null));
}
