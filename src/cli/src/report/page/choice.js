// SPDX-License-Identifier: GPL-2.0-only OR MIT
// Which box is open, and which is chosen by the keyboard, a finger or a verdict.

function zoom(node) {
  if (node) change({ path: trail(node).slice(1).map((each) => each.name) }, true);
}

// Shows where a site is.
function reveal(site) {
  Object.assign(state, { view: "treemap", path: [], query: "" });
  shown(true);
  const nodes = [root];
  while (nodes.length && nodes[0].site !== site) nodes.push(...nodes.shift().children.filter((child) => child.sites.includes(site) || child.site === site));
  if (!nodes.length) return;
  const target = groups.has(nodes[0]) ? nodes[0] : null;
  if (!target) return zoom(nodes[0].parent);
  at("main").focus({ preventScroll: true });
  choose(target);
}

// Moves the choice of the keyboard, or of a finger.
function choose(node, touched) {
  if (!node || !groups.has(node)) return;
  if (chosen && groups.has(chosen)) groups.get(chosen).classList.remove("chosen");
  chosen = node;
  const group = groups.get(node);
  group.classList.add("chosen");
  if (!touched) group.scrollIntoView({ block: "nearest" });
  const { left, top, width, height } = group.firstChild.getBoundingClientRect();
  tell(at("tip"), node, state, root.value, left + width / 2, top + height / 2, touched && actions(node));
  at("said").textContent = node.name + ": " + describe(node, state, root.value).join(", ");
}

function actions(node) {
  const close = ["Close", () => shown()];
  const out = open_.parent ? [["Back", () => zoom(open_.parent)]] : [];
  const open = node === open_ ? [] : [["Open", () => zoom(node.site ? node.parent : node)]];
  const inside = node.site && node.parent === open_ ? [] : open;
  return [...inside, ...out, close];
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
