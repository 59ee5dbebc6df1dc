// SPDX-License-Identifier: GPL-2.0-only OR MIT
// What is shown.

const at = (id) => document.getElementById(id);
// Over time the question is which part of the kernel grows; of a moment, where in the tree it is.
const PLAIN = {
  view: "treemap", by: LAST > 1 ? "subsystem" : "dir", measure: "bytes", diff: DATA.diff, from: 0, to: LAST, path: [], query: "",
  theme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
};
let state = addressed(location.hash, PLAIN);
let root, open_, groups, chosen, matches, shownBands, peak;
// How large the picture was when it was drawn.
let extent = "";
const measured = () => ["main", "chart"].map((id) => at(id).clientWidth + "x" + at(id).clientHeight).join();
// The bands of the chart, which stay while only the moment changes.
let drawn = "";

function shown(anew) {
  document.documentElement.dataset.theme = state.theme;
  root = grow(state);
  open_ = follow(root, state.path);
  state.path = trail(open_).slice(1).map((node) => node.name);
  matches = find();
  chosen = null;
  at("tip").hidden = true;
  const { ranked, shown: stacked } = bandsOf();
  shownBands = stacked;
  const ranks = new Map(ranked.map((name, rank) => [name, rank]));
  for (const part of parts(open_)) part.rank = ranks.get(part.name);
  // First what surrounds the picture: it decides how much room there is.
  around();
  over();
  const main = at("main");
  main.classList.toggle("picture", state.view === "treemap" || state.view === "icicle");
  groups = new Map();
  if (state.view === "table") table(main, open_, state, matches, () => shown());
  else if (state.view === "trends") trends(main, open_, matches, reveal);
  else {
    const [width, height] = [main.clientWidth, main.clientHeight];
    groups = draw(main, state.view === "treemap" ? treemap(open_, width, height) : icicle(open_, width, height), state, matches);
  }
  extent = measured();
  remember(anew);
}

const kept = { key: null, value: null };
function bandsOf() {
  const key = JSON.stringify([state.by, state.measure, state.path]);
  if (kept.key !== key) Object.assign(kept, { key, value: bands(open_, state.measure) });
  return kept.value;
}

// Changes what is shown. With `anew`, the browser's way back leads to what was.
function change(what, anew) {
  Object.assign(state, what);
  shown(anew);
}

function find() {
  const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return null;
  return new Set(open_.sites.filter((site) => words.every((word) => site.text.includes(word))));
}

function select(from, to) {
  const next = from === to ? { diff: false, to } : { diff: true, from, to };
  if (next.diff === state.diff && next.to === state.to && (!next.diff || next.from === state.from)) return;
  change(next);
}
