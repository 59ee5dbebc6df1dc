// SPDX-License-Identifier: GPL-2.0-only OR MIT
// What is shown stands in the page's address, so that it can be passed on, and so that the browser's way back works.

const VIEWS = ["treemap", "icicle", "table", "trends"];
const CHOICES = { by: ["dir", "subsystem", "module"], measure: ["bytes", "calls"], theme: ["light", "dark"] };

// The address of a state: what differs from `plain`.
function address(state, plain) {
  const words = new URLSearchParams();
  for (const key of ["view", "by", "measure", "theme", "query"]) if (state[key] !== plain[key]) words.set(key, state[key]);
  if (state.diff !== plain.diff) words.set("diff", state.diff ? "yes" : "no");
  if (state.to !== plain.to) words.set("to", state.to);
  if (state.diff && state.from !== plain.from) words.set("from", state.from);
  for (const name of state.path) words.append("in", name);
  if (sorting.column && state.view === "table") words.set("sort", (sorting.down ? "-" : "") + sorting.column.head);
  return "#" + words.toString();
}

// The state that an address stands for. Whatever in it makes no sense is as in `plain`.
function addressed(hash, plain) {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const state = { ...plain, path: words.getAll("in"), query: words.get("query") || "" };
  const choices = { ...CHOICES, view: VIEWS.filter((view) => view !== "trends" || TRENDS) };
  for (const key of Object.keys(choices)) if (choices[key].includes(words.get(key))) state[key] = words.get(key);
  if (LAST > 0 && words.has("diff")) state.diff = words.get("diff") === "yes";
  for (const key of ["from", "to"]) {
    const frame = Number(words.get(key));
    if (words.has(key) && Number.isInteger(frame) && frame >= 0 && frame <= LAST) state[key] = frame;
  }
  const sort = words.get("sort");
  const column = sort && COLUMNS.find((each) => each.head === sort.replace(/^-/, ""));
  if (column) Object.assign(sorting, { column, down: sort.startsWith("-") });
  return state;
}

// Browsers take only so many changes of the address in a time: what goes on, such as a stroke, is written when it rests.
const REST_MS = 250;
const waiting = { address: null, timer: 0 };

function settle() {
  clearTimeout(waiting.timer);
  if (waiting.address !== null && waiting.address !== (location.hash || "#")) history.replaceState(null, "", waiting.address);
  waiting.address = null;
}

function remember(anew) {
  const now = address(state, PLAIN);
  if (anew) {
    settle();
    if (now !== (location.hash || "#")) history.pushState(null, "", now);
    return;
  }
  clearTimeout(waiting.timer);
  Object.assign(waiting, { address: now, timer: setTimeout(settle, REST_MS) });
}
