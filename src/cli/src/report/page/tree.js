// SPDX-License-Identifier: GPL-2.0-only OR MIT
// The sites rolled up: what a node weighs (the area of its box), what it holds, how that changed.

// The names from below the root to the site's file.
function steps(site, by) {
  if (by === "subsystem") return [site.subsystem, site.file];
  if (by === "module") return [site.module || "(built-in)", site.file];
  return site.file.replace(/^\//, "").split("/");
}

function node(name, parent) {
  return { name, parent, children: [], places: new Map(), sites: [], site: null, weight: 0, value: 0, before: 0, calls: 0, accurate: true, rank: -1 };
}

// Adds a site to a node and those above it. Without a difference, `before` is unused.
function charge(leaf, site, state) {
  const values = site[state.measure];
  const value = values[state.to];
  const before = state.diff ? values[state.from] : 0;
  const weight = state.diff ? Math.max(value, before, 0) : Math.max(value, 0);
  for (let at = leaf; at; at = at.parent) {
    at.weight += weight;
    at.value += value;
    at.before += before;
    at.calls += site.calls[state.to];
    at.accurate = at.accurate && site.accurate;
    at.sites.push(site);
  }
}

// A node with a single child becomes one with it: drivers/nvme. Subsystems and modules keep their names.
function fold(at, by) {
  at.children.forEach((child) => fold(child, by));
  const kept = !at.parent || (by !== "dir" && !at.parent.parent);
  if (kept || at.children.length !== 1 || at.children[0].site) return;
  const child = at.children[0];
  at.name += "/" + child.name;
  at.children = child.children;
  at.children.forEach((grandchild) => (grandchild.parent = at));
}

function finish(at) {
  at.children.sort((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1));
  at.children.forEach(finish);
}

function grow(state) {
  const root = node("all", null);
  for (const site of SITES) {
    let at = root;
    for (const name of steps(site, state.by)) {
      let next = at.places.get(name);
      if (!next) {
        next = node(name, at);
        at.places.set(name, next);
        at.children.push(next);
      }
      at = next;
    }
    const leaf = node(site.name + (site.module && state.by !== "module" ? " [" + site.module + "]" : ""), at);
    leaf.site = site;
    at.children.push(leaf);
    charge(leaf, site, state);
  }
  fold(root, state.by);
  finish(root);
  return root;
}

// What a node first divides into, which is told apart by colour; what does not divide is one.
function parts(at) {
  while (at.children.length === 1) at = at.children[0];
  return at.children.length ? at.children : [at];
}

function trail(at) {
  const nodes = [];
  for (; at; at = at.parent) nodes.unshift(at);
  return nodes;
}

// The node that names from the root lead to, as far as they do.
function follow(root, names) {
  let at = root;
  for (const name of names) {
    const next = at.children.find((child) => child.name === name);
    if (!next) break;
    at = next;
  }
  return at;
}

// What some sites hold together in each profile.
function course(sites, measure) {
  const sums = new Array(FRAMES.length).fill(0);
  for (const site of sites) site[measure].forEach((value, frame) => (sums[frame] += value));
  return sums;
}
