// SPDX-License-Identifier: GPL-2.0-only OR MIT
// Squarified treemap: boxes {node, x, y, width, height, depth, open}, outer ones first.

const HEAD = 17;
const PAD = 2;
// Pixels: the least side of a box that is drawn, and of one that shows what it holds.
const SEEN = 1.5;
const OPEN = 20;

function worst(largest, smallest, sum, side) {
  return Math.max((side * side * largest) / (sum * sum), (sum * sum) / (side * side * smallest));
}

// Divides a rectangle among nodes that come with the heaviest first.
function squarify(nodes, x, y, width, height, emit) {
  const total = nodes.reduce((sum, at) => sum + at.weight, 0);
  const scale = total > 0 ? (width * height) / total : 0;
  let start = 0;
  while (start < nodes.length && nodes[start].weight > 0 && width > 0 && height > 0) {
    const side = Math.min(width, height);
    const area = (at) => nodes[at].weight * scale;
    let end = start + 1;
    let sum = area(start);
    let ratio = worst(sum, sum, sum, side);
    while (end < nodes.length && nodes[end].weight > 0) {
      const next = worst(area(start), area(end), sum + area(end), side);
      if (next > ratio) break;
      ratio = next;
      sum += area(end++);
    }
    const thickness = sum / side;
    let along = 0;
    for (; start < end; start++) {
      const length = area(start) / thickness;
      if (width >= height) emit(nodes[start], x, y + along, thickness, length);
      else emit(nodes[start], x + along, y, length, thickness);
      along += length;
    }
    if (width >= height) [x, width] = [x + thickness, width - thickness];
    else [y, height] = [y + thickness, height - thickness];
  }
}

function treemap(top, width, height) {
  const boxes = [];
  (function within(at, x, y, w, h, depth) {
    squarify(at.children, x, y, w, h, (child, cx, cy, cw, ch) => {
      if (cw < SEEN || ch < SEEN) return;
      const open = child.children.length > 0 && cw >= OPEN && ch >= OPEN;
      boxes.push({ node: child, x: cx, y: cy, width: cw, height: ch, depth, open });
      if (!open) return;
      const head = ch >= HEAD + OPEN / 2 ? HEAD : PAD;
      within(child, cx + PAD, cy + head, cw - 2 * PAD, ch - head - PAD, depth + 1);
    });
  })(top.site ? { children: [top] } : top, 0, 0, width, height, 0);
  return { boxes, height };
}
