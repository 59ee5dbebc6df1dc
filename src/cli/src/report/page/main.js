// SPDX-License-Identifier: GPL-2.0-only OR MIT
// What is shown, and what the user does about it.

const at = (id) => document.getElementById(id);
const last = FRAMES.length - 1;
const state = { view: "treemap", by: "dir", measure: "bytes", diff: DATA.diff, from: 0, to: last, path: [], query: "" };
let root, open_, groups, chosen, matches;

function shown() {
  root = grow(state);
  open_ = follow(root, state.path);
  state.path = trail(open_).slice(1).map((node) => node.name);
  matches = find();
  chosen = null;
  at("tip").hidden = true;
  // First what surrounds the picture: it decides how much room there is.
  around();
  const main = at("main");
  if (state.view === "table") {
    groups = new Map();
    table(main, open_, state, matches, shown);
  } else {
    const [width, height] = [main.clientWidth, main.clientHeight];
    groups = draw(main, state.view === "treemap" ? treemap(open_, width, height) : icicle(open_, width, height), state);
    mark();
  }
}

function find() {
  const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return null;
  return new Set(open_.sites.filter((site) => words.every((word) => site.text.includes(word))));
}

// Fades what was not found.
function mark() {
  for (const [node, group] of groups) {
    group.classList.toggle("missed", Boolean(matches) && !node.sites.some((site) => matches.has(site)));
  }
}

// Everything around the picture.
function around() {
  const total = root.sites.length;
  const frame = FRAMES[state.to];
  at("subtitle").textContent = frame.about;
  const sums = [[amount(root.value, state.measure), state.measure === "bytes" ? "in use" : "live calls"]];
  if (state.diff) sums.push([signed(root.value - root.before, state.measure), "change"]);
  else sums.push([digits(frame.sites), "call sites that hold memory"]);
  at("sums").replaceChildren(...sums.map(([value, name]) => make("div", {}, make("b", {}, value), make("span", {}, name))));
  document.querySelectorAll(".tabs button").forEach((tab) => tab.setAttribute("aria-selected", tab.dataset.view === state.view));
  for (const id of ["by", "measure"]) at(id).value = state[id];
  at("diff").checked = state.diff;
  at("from-label").hidden = !state.diff;
  at("from").value = state.from;
  at("to").value = state.to;
  at("to-label").textContent = state.diff ? "to" : "at";
  at("when").textContent = frame.label;
  at("found").textContent = "";
  if (matches && total) {
    const held = [...matches].reduce((sum, site) => sum + site[state.measure][state.to], 0);
    at("found").textContent = digits(matches.size) + " found, " + amount(held, state.measure) + ", " + percent(held, open_.value);
  }
  const crumbs = trail(open_).map((node) => {
    const button = make("button", {}, node.name);
    button.onclick = () => zoom(node);
    return button;
  });
  at("crumbs").replaceChildren(...crumbs.flatMap((button, index) => (index ? ["›", button] : [button])));
  at("legend").replaceChildren(...legend());
  at("notes").textContent = frame.notes;
}

function legend() {
  const swatch = (background, text, wide) => make("span", {}, make("i", { style: "background:" + background, class: wide ? "scale" : "" }), text);
  if (state.view === "table") return [];
  if (!state.diff) return root.children.slice(0, LIGHT.length).map((node) => swatch(colour(node, 0, false), node.name));
  const neutral = isDark() ? "#3a4046" : "#eceded";
  return [make("span", {}, "shrank"), swatch(`linear-gradient(90deg, ${SHRUNK}, ${neutral}, ${GROWN})`, "grew", true)];
}

function zoom(node) {
  if (!node) return;
  state.path = trail(node).slice(1).map((each) => each.name);
  shown();
}

// Moves the choice of the keyboard.
function choose(node) {
  if (!node || !groups.has(node)) return;
  if (chosen) groups.get(chosen).classList.remove("chosen");
  chosen = node;
  const group = groups.get(node);
  group.classList.add("chosen");
  group.scrollIntoView({ block: "nearest" });
  const { left, top, width, height } = group.firstChild.getBoundingClientRect();
  tell(at("tip"), node, state, root.value, left + width / 2, top + height / 2);
  at("said").textContent = node.name + ": " + describe(node, state, root.value).join(", ");
}

function step(key) {
  if (!chosen) return choose(state.view === "icicle" ? open_ : open_.children[0]);
  const siblings = chosen.parent ? chosen.parent.children.filter((node) => groups.has(node)) : [chosen];
  const place = siblings.indexOf(chosen);
  if (key === "ArrowRight") choose(siblings[place + 1]);
  if (key === "ArrowLeft") choose(siblings[place - 1]);
  if (key === "ArrowDown") choose(chosen.children.find((node) => groups.has(node)));
  if (key === "ArrowUp") choose(chosen.parent);
}

function theme() {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  shown();
}

const under = (event) => event.target.closest && event.target.closest("g.box");

at("main").addEventListener("click", (event) => {
  const group = under(event);
  if (group) zoom(group.node === open_ && open_.parent ? open_.parent : group.node);
});
at("main").addEventListener("mousemove", (event) => {
  const group = under(event);
  if (group) tell(at("tip"), group.node, state, root.value, event.clientX, event.clientY);
  else at("tip").hidden = true;
});
at("main").addEventListener("mouseleave", () => (at("tip").hidden = true));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const typing = ["INPUT", "SELECT"].includes(event.target.tagName);
  if (event.key === "Escape") {
    if (state.query) [state.query, at("search").value] = ["", ""];
    else if (!typing) return zoom(open_.parent);
    at("main").focus();
    return shown();
  }
  if (typing) return event.key === "Enter" && event.target.id === "search" ? at("main").focus() : undefined;
  const views = { 1: "treemap", 2: "icicle", 3: "table" };
  if (event.key === "/") at("search").focus();
  else if (views[event.key]) shown(Object.assign(state, { view: views[event.key] }));
  else if (event.key === "d") theme();
  else if (event.key === "Backspace") zoom(open_.parent);
  else if (event.key.startsWith("Arrow") && state.view !== "table") step(event.key);
  else if (event.key === "Enter" && chosen && event.target === at("main")) zoom(chosen);
  else return;
  event.preventDefault();
});

document.querySelectorAll(".tabs button").forEach((tab) => (tab.onclick = () => shown(Object.assign(state, { view: tab.dataset.view }))));
at("by").onchange = () => shown(Object.assign(state, { by: at("by").value, path: [] }));
at("measure").onchange = () => shown(Object.assign(state, { measure: at("measure").value }));
at("diff").onchange = () => shown(Object.assign(state, { diff: at("diff").checked }));
at("from").onchange = () => shown(Object.assign(state, { from: Number(at("from").value) }));
at("to").oninput = () => shown(Object.assign(state, { to: Number(at("to").value) }));
at("search").oninput = () => shown(Object.assign(state, { query: at("search").value }));
at("theme").onclick = theme;
addEventListener("resize", () => shown());

at("title").textContent = DATA.title;
at("time").hidden = last === 0;
at("to").max = last;
at("from").append(...FRAMES.map((frame, index) => make("option", { value: index }, frame.label)));
document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
shown();
