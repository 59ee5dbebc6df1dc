// SPDX-License-Identifier: GPL-2.0-only OR MIT
// Icicle: a flame graph with its root on top. The same boxes as a treemap's.

const LEVEL = 22;

function icicle(top, width) {
  const boxes = [];
  let deepest = 0;
  (function below(at, x, w, level) {
    deepest = Math.max(deepest, level);
    // Labels keep to the box, so that none is `open` and writes its size in a second line.
    boxes.push({ node: at, x, y: level * LEVEL, width: w, height: LEVEL, depth: Math.max(level - 1, 0), open: true });
    for (const child of at.children) {
      const cw = at.weight > 0 ? (child.weight / at.weight) * w : 0;
      if (cw >= 0.8) below(child, x, cw, level + 1);
      x += cw;
    }
  })(top, 0, width, 0);
  return { boxes, height: (deepest + 1) * LEVEL };
}
