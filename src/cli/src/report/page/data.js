// SPDX-License-Identifier: GPL-2.0-only OR MIT
// What the report holds, unpacked, and how numbers are written.

const DATA = JSON.parse(document.getElementById("data").textContent);
const FRAMES = DATA.frames;

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
}));

for (const site of SITES) {
  site.name = site.folded ? site.func : site.func + ":" + site.line;
  site.text = [site.file + ":" + site.line, site.func, site.module, site.subsystem].join("\n").toLowerCase();
}

function digits(number) {
  return number.toLocaleString("en");
}

// As the tool writes sizes: 1.5Mi, or 1.5M by powers of 1000.
function size(bytes) {
  if (DATA.units === "raw") return digits(bytes);
  const [base, suffix] = DATA.units === "si" ? [1000, ""] : [1024, "i"];
  let value = Math.abs(bytes);
  if (value < base) return String(bytes);
  let prefix = "";
  for (const next of "KMGTPE") {
    value /= base;
    prefix = next;
    if (value < base - 0.05) break;
  }
  return (bytes < 0 ? "-" : "") + value.toFixed(1) + prefix + suffix;
}

function amount(value, measure) {
  return measure === "bytes" ? size(value) : digits(value);
}

function signed(value, measure) {
  return (value > 0 ? "+" : "") + amount(value, measure);
}

function percent(part, whole) {
  return whole > 0 ? ((part / whole) * 100).toFixed(1) + "%" : "–";
}

// An element with attributes and children; texts are only ever set as texts.
function make(name, attributes, ...children) {
  const svg = ["svg", "g", "rect", "text", "path", "defs", "pattern", "polyline"].includes(name);
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
