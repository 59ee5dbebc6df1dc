// SPDX-License-Identifier: GPL-2.0-only OR MIT
// How numbers are written, and where an axis has its marks.

function digits(number) {
  return number.toLocaleString("en");
}

const [BASE, SUFFIX] = DATA.units === "si" ? [1000, ""] : [1024, "i"];

// As the tool writes sizes: 1.5Mi, or 1.5M by powers of 1000.
function size(bytes) {
  if (DATA.units === "raw") return digits(bytes);
  let value = Math.abs(bytes);
  if (value < BASE) return String(bytes);
  let prefix = "";
  for (const next of "KMGTPE") {
    value /= BASE;
    prefix = next;
    if (value < BASE - 0.05) break;
  }
  return (bytes < 0 ? "-" : "") + value.toFixed(1) + prefix + SUFFIX;
}

// As the tool writes nanoseconds: by three digits and the unit that fits.
const SPANS = [[864e11, "d"], [36e11, "h"], [6e10, "min"], [1e9, "s"], [1e6, "ms"], [1e3, "us"]];

function span(ns) {
  if (DATA.units === "raw") return digits(ns);
  const value = Math.abs(ns);
  // 999.9us are one of the next unit.
  const found = SPANS.find(([size]) => Number((value / size).toPrecision(3)) >= 1);
  if (!found) return ns + "ns";
  const scaled = value / found[0];
  return (ns < 0 ? "-" : "") + (scaled < 999.5 ? scaled.toPrecision(3) : scaled.toFixed(0)) + found[1];
}

function amount(value, measure) {
  return measure === "bytes" ? size(value) : measure === "ns" ? span(value) : digits(value);
}

function signed(value, measure) {
  return (value > 0 ? "+" : "") + amount(value, measure);
}

function percent(part, whole) {
  return whole > 0 ? ((part / whole) * 100).toFixed(1) + "%" : "–";
}

// Round values from 0 to `most`, at most `count` of them above it. Halves of binary units are round.
function marks(most, count, measure) {
  const binary = measure === "bytes" && DATA.units === "iec";
  let step = 1;
  for (let turn = 0; most / step > count; turn++) step *= binary ? 2 : [2, 2.5, 2][turn % 3];
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
}

// A mark's label: what is round needs no fraction.
function round(value, measure) {
  return amount(value, measure).replace(".0", "");
}
