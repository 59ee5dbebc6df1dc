// SPDX-License-Identifier: GPL-2.0-only OR MIT
// Icicle: a flame graph with its root on top. The same boxes as a treemap's.

// Pixels: the least and the greatest height of a level.
const LOW = 22;
const HIGH = 44;

function icicle(top, width, room) {
  const boxes = [];
  let deepest = 0;
  (function below(at, x, w, level) {
    deepest = Math.max(deepest, level);
    boxes.push({ node: at, x, y: level, width: w, height: 0, depth: Math.max(level - 1, 0), open: false });
    for (const child of at.children) {
      const cw = at.weight > 0 ? (child.weight / at.weight) * w : 0;
      if (cw >= 0.8) below(child, x, cw, level + 1);
      x += cw;
    }
  })(top, 0, width, 0);
  const height = Math.max(LOW, Math.min(HIGH, room / (deepest + 1)));
  for (const box of boxes) [box.y, box.height] = [box.y * height, height];
  return { boxes, height: (deepest + 1) * height };
}
