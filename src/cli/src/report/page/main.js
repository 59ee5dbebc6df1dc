// SPDX-License-Identifier: GPL-2.0-only OR MIT
// What the user does, and the beginning.

function theme() {
  change({ theme: isDark() ? "light" : "dark" });
}

function download() {
  const text = state.view === "trends" ? sheetOfTrends(open_, matches) : sheetOfSites(open_, state, matches);
  save(text, (state.view === "trends" ? "verdicts" : "call-sites") + ".csv");
}

const under = (event) => event.target.closest && event.target.closest("g.box");
let touched = false;
addEventListener("pointerdown", (event) => (touched = event.pointerType === "touch"), true);

at("main").addEventListener("click", (event) => {
  const group = under(event);
  if (!group) return;
  // A finger cannot point without touching: the first touch tells, the second opens.
  if (touched && chosen !== group.node) return choose(group.node, true);
  zoom(group.node === open_ && open_.parent ? open_.parent : group.node);
});
at("main").addEventListener("pointermove", (event) => {
  if (event.pointerType === "touch") return;
  const group = under(event);
  if (group) tell(at("tip"), group.node, state, root.value, event.clientX, event.clientY);
  else at("tip").hidden = true;
});
at("main").addEventListener("pointerleave", (event) => event.pointerType !== "touch" && (at("tip").hidden = true));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const typing = ["INPUT", "SELECT"].includes(event.target.tagName) && event.target.type !== "checkbox";
  if (event.key === "Escape") {
    if (!at("tip").hidden && at("tip").classList.contains("docked")) return shown();
    if (!state.query && !typing) return zoom(open_.parent);
    at("main").focus();
    return change({ query: "" });
  }
  if (typing) return event.key === "Enter" && event.target.id === "search" ? at("main").focus() : undefined;
  const views = { 1: "treemap", 2: "icicle", 3: "table", 4: TRENDS && "trends" };
  const picture = state.view === "treemap" || state.view === "icicle";
  if (event.key === "/") at("search").focus();
  else if (views[event.key]) change({ view: views[event.key] }, true);
  else if (event.key === "d") theme();
  else if (event.key === "s") download();
  else if (event.key === "Backspace") zoom(open_.parent);
  else if (event.key.startsWith("Arrow") && picture) step(event.key);
  else if (event.key === "Enter" && chosen && event.target === at("main")) zoom(chosen);
  else return;
  event.preventDefault();
});

document.querySelectorAll(".tabs button").forEach((tab) => (tab.onclick = () => change({ view: tab.dataset.view }, true)));
at("by").onchange = () => change({ by: at("by").value, path: [] }, true);
at("measure").onchange = () => change({ measure: at("measure").value });
at("diff").onchange = () => change({ diff: at("diff").checked, from: state.from < state.to ? state.from : 0, to: state.to || LAST });
at("first").onclick = () => select(0, 0);
at("peak").onclick = () => select(peak, peak);
at("last").onclick = () => select(LAST, LAST);
at("search").oninput = () => change({ query: at("search").value });
at("theme").onclick = theme;
at("save").onclick = download;
stroke(at("chart"), () => state, select);
addEventListener("pagehide", settle);
// A telephone's bars come and go while it scrolls; that is no reason to draw anew.
addEventListener("resize", () => measured() !== extent && shown());
addEventListener("popstate", () => {
  waiting.address = null;
  state = addressed(location.hash, PLAIN);
  shown();
});
// Paper is white.
let lit = state.theme;
addEventListener("beforeprint", () => {
  lit = state.theme;
  change({ theme: "light" });
});
addEventListener("afterprint", () => change({ theme: lit }));

at("title").textContent = DATA.title;
at("time").hidden = LAST < 1;
at("chart").hidden = at("peak").hidden = LAST < 2;
document.querySelector('[data-view="trends"]').hidden = !TRENDS;
document.documentElement.dataset.theme = state.theme;
story(at("story"), reveal);
shown();
