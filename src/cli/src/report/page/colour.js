// SPDX-License-Identifier: GPL-2.0-only OR MIT
// Colours that the colour-blind can tell apart: Paul Tol's "light" scheme for branches, and from blue over a neutral to
// vermilion for what shrank and grew.

const LIGHT = ["#77aadd", "#ee8866", "#eedd88", "#44bb99", "#ffaabb", "#99ddff", "#bbcc33", "#aaaa00"];
const REST = "#cfd3d7";
const SHRUNK = "#3b7dc4";
const GROWN = "#e0632f";

function isDark() {
  return document.documentElement.dataset.theme === "dark";
}

function rgb(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

function mix(a, b, part) {
  const [from, to] = [rgb(a), rgb(b)];
  return "#" + from.map((byte, at) => Math.round(byte + (to[at] - byte) * part).toString(16).padStart(2, "0")).join("");
}

// Black or white, whichever can be read on `fill`: one of them always has a contrast of 4.5.
function ink(fill) {
  const linear = rgb(fill).map((byte) => {
    const value = byte / 255;
    return value <= 0.04 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.179 ? "#000000" : "#ffffff";
}

function neutral() {
  return isDark() ? "#3a4046" : "#eceded";
}

// The colour of the branch of that rank; of all that come behind, grey.
function band(rank) {
  const base = LIGHT[rank] || REST;
  return isDark() ? mix(base, "#14171a", 0.28) : base;
}

// The branch that a node is in, which gives it its colour: the first above it that has a rank.
function branch(at) {
  while (at && at.rank < 0) at = at.parent;
  return at;
}

function colour(at, depth, diff) {
  if (diff) {
    const change = at.weight > 0 ? Math.max(-1, Math.min(1, (at.value - at.before) / at.weight)) : 0;
    // The square root shows small changes too.
    return mix(neutral(), change < 0 ? SHRUNK : GROWN, Math.sqrt(Math.abs(change)));
  }
  const from = branch(at);
  const base = band(from ? from.rank : LIGHT.length);
  return isDark() ? mix(base, "#14171a", Math.min(depth * 0.09, 0.3)) : mix(base, "#ffffff", Math.min(depth * 0.15, 0.55));
}
