// SPDX-License-Identifier: GPL-2.0-only OR MIT
// Texts that fit where they stand. A number is there with its unit or not at all.

const ruler = document.createElement("canvas").getContext("2d");
const FONT = 'px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
ruler.font = "11.5" + FONT;

// Pixels from line to line.
const LINE = 14;
// Letters that say something about a name.
const FEW = 4;

function wide(text) {
  return ruler.measureText(text).width;
}

// As much of a text as fits.
function cut(text, room) {
  if (wide(text) <= room) return text;
  let [fits, not] = [0, text.length];
  while (not - fits > 1) {
    const middle = (fits + not) >> 1;
    if (wide(text.slice(0, middle) + "…") <= room) fits = middle;
    else not = middle;
  }
  return fits < FEW ? "" : text.slice(0, fits) + "…";
}

// A site's name on one line: its line number goes first.
function fitted(name, room) {
  if (wide(name) <= room) return name;
  return cut(name.replace(/:\d+(?= \[|$)/, ""), room);
}

// A name on up to `most` lines, broken where its words end.
function broken(name, room, most) {
  const lines = [""];
  for (const word of name.split(/(?<=[_/:. -])/)) {
    const last = lines.length - 1;
    if (wide(lines[last] + word) <= room) lines[last] += word;
    else if (lines[last] && lines.length < most && wide(word) <= room) lines.push(word);
    else return most > 1 && last === 0 && !lines[0] ? [fitted(name, room)] : [...lines.slice(0, last), cut(lines[last] + word + "…", room)];
  }
  return lines;
}

// The lines that a box of that size shows of a name and a number.
function inscription(name, number, width, height, open) {
  if (height < LINE + 1 || width < 24) return [];
  const both = name + "  " + number;
  if (open || height < 2 * LINE + 6) return [wide(both) <= width ? both : fitted(name, width)];
  const most = Math.max(1, Math.min(3, Math.floor((height - 6) / LINE) - 1));
  const lines = wide(name) <= width ? [name] : broken(name, width, most);
  // A number alone would say nothing.
  if (!lines[0]) return [];
  return wide(number) <= width ? [...lines, number] : lines;
}
