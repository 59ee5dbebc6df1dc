// SPDX-License-Identifier: GPL-2.0-only OR MIT
// What surrounds the picture: the sums, the path, the legend, and the chart with its brush.

// Everything around the picture.
function around() {
  const frame = FRAMES[state.to];
  at("subtitle").textContent = frame.about;
  const sums = [[amount(root.value, state.measure), state.measure === "bytes" ? "in use" : "live calls"]];
  if (state.diff) sums.push([signed(root.value - root.before, state.measure), "change"]);
  else sums.push([digits(frame.sites), "call sites that hold memory"]);
  at("sums").replaceChildren(...sums.map(([value, name]) => make("div", {}, make("b", {}, value), make("span", {}, name))));
  document.querySelectorAll(".tabs button").forEach((tab) => tab.setAttribute("aria-selected", tab.dataset.view === state.view));
  for (const id of ["by", "measure"]) at(id).value = state[id];
  at("search").value = state.query;
  at("found").textContent = "";
  if (matches) {
    const held = [...matches].reduce((sum, site) => sum + site[state.measure][state.to], 0);
    at("found").textContent = digits(matches.size) + " found, " + amount(held, state.measure) + ", " + percent(held, open_.value);
  }
  const crumbs = trail(open_).map((node) => {
    const button = make("button", {}, node.name);
    button.onclick = () => zoom(node);
    return button;
  });
  at("crumbs").hidden = open_ === root;
  at("crumbs").replaceChildren(...crumbs.flatMap((button, index) => (index ? ["›", button] : [button])));
  at("legend").replaceChildren(...legend());
  at("notes").textContent = frame.notes;
  at("save").hidden = state.view !== "table" && state.view !== "trends" && !SITES.length;
}

function legend() {
  const swatch = (background, text, broad) => make("span", { title: text }, make("i", { style: "background:" + background, class: broad ? "scale" : "" }), text);
  const named = shownBands.map(({ name }, rank) => swatch(band(rank), name));
  if (state.diff && state.view !== "table" && state.view !== "trends") {
    const scale = [make("span", {}, "shrank"), swatch(`linear-gradient(90deg, ${SHRUNK}, ${neutral()}, ${GROWN})`, "grew", true)];
    return LAST > 1 ? [...named, ...scale] : scale;
  }
  return LAST > 1 || state.view === "treemap" || state.view === "icicle" ? named : [];
}

// The chart, its brush and what they say.
function over() {
  if (LAST < 1) return;
  at("diff").checked = state.diff;
  const value = (frame) => amount(shownBands.reduce((sum, part) => sum + part.values[frame], 0), state.measure);
  const when = state.diff ? [state.from, state.to] : [state.to];
  at("when").replaceChildren(...when.flatMap((frame, index) => [
    ...(index ? [make("span", { class: "to" }, " → ")] : []),
    make("span", { class: "long" }, label(frame)), make("span", { class: "short" }, brief(frame)), " ", make("b", {}, value(frame)),
  ]));
  if (LAST < 2) return;
  const place = at("chart");
  const key = JSON.stringify([kept.key, place.clientWidth, place.clientHeight, state.theme]);
  if (key !== drawn) {
    peak = chart(place, shownBands, state);
    drawn = key;
  }
  place.querySelectorAll(".veil, .handle").forEach((old) => old.remove());
  brush(place, state, select);
}
