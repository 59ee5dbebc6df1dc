// SPDX-License-Identifier: GPL-2.0-only OR MIT
// What the report holds, unpacked.

const DATA = JSON.parse(document.getElementById("data").textContent);
const FRAMES = DATA.frames;
const LAST = FRAMES.length - 1;

// Values of a site come as its first and then the changes. Behind a 0 stands how many times it holds.
function unpack(changes) {
  const values = [];
  for (let at = 0, value = 0; at < changes.length; at++) {
    let times = 1;
    if (changes[at] === 0) times = changes[++at];
    else value += changes[at];
    while (times--) values.push(value);
  }
  return values;
}

const SITES = DATA.sites.map(([file, line, func, module, subsystem, accurate, folded], index) => ({
  file: DATA.names[file],
  line,
  func: DATA.names[func],
  module: module < 0 ? "" : DATA.names[module],
  subsystem: DATA.names[subsystem],
  accurate: accurate === 1,
  // How many call sites too small to be told apart this one stands for; 0 for a real one.
  folded,
  bytes: unpack(DATA.bytes[index]),
  calls: unpack(DATA.calls[index]),
  // What only some kernels count, by its name.
  ...Object.fromEntries(DATA.counted.map(([name]) => [name, unpack(DATA[name][index])])),
  // What became of it, if that is told.
  trend: null,
}));

for (const site of SITES) {
  site.name = site.folded ? site.func : site.func + ":" + site.line;
  site.place = site.folded ? site.file : site.file + ":" + site.line;
  site.text = [site.place, site.func, site.module, site.subsystem].join("\n").toLowerCase();
}

const TRENDS = DATA.trends;
for (const trend of TRENDS ? TRENDS.list : []) SITES[trend.site].trend = trend;

// An element with attributes and children; texts are only ever set as texts.
const DRAWN = ["svg", "g", "rect", "text", "tspan", "path", "defs", "pattern", "polyline", "line", "circle"];
function make(name, attributes, ...children) {
  const element = DRAWN.includes(name) ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
