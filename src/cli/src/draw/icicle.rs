// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A flame graph turned on its head: the whole on top, widths are bytes.

use std::io::{self, Write};

use super::palette::{lighten, of_rank, Rgb};
use super::squarify::Rect;
use super::svg::{Canvas, BAND, LETTER};
use super::Frame;
use crate::view::tree::Node;

/// Height of a level, in pixels.
const LEVEL: f64 = LETTER + 8.0;

/// The least width in pixels of a box that is drawn.
const SEEN: f64 = 0.7;

/// How much each level is lighter than the one above it, and at most.
const STEP: f64 = 0.1;
const LIGHTEST: f64 = 0.5;

/// Draws `root`, whose children are sorted. The picture is as high as the tree is deep.
///
/// # Errors
///
/// Those of `out`.
pub fn write(root: &Node, frame: &Frame, out: &mut dyn Write) -> io::Result<()> {
    let width = f64::from(frame.width);
    // CAST: some tens.
    let mut canvas = Canvas::open(frame, BAND + depth(root) as f64 * LEVEL + 2.0, root.bytes, out)?;
    let rect = Rect { x: 0.0, y: BAND, width, height: LEVEL };
    // CAST: pixels a byte.
    let scale = width / positive(root) as f64;
    draw(&mut canvas, root, "", rect, (of_rank(usize::MAX), 0), scale)?;
    canvas.close()
}

fn depth(node: &Node) -> usize {
    1 + node.children.iter().map(depth).max().unwrap_or(0)
}

/// The width that children need: those below zero have none, so that the sum may be more than their parent's.
fn positive(node: &Node) -> i64 {
    let children: i64 = node.children.iter().map(positive).sum();
    node.bytes.max(children).max(1)
}

fn draw(
    canvas: &mut Canvas<'_>,
    node: &Node,
    place: &str,
    rect: Rect,
    (colour, depth): (Rgb, usize),
    scale: f64,
) -> io::Result<()> {
    // CAST: a depth of a few.
    let fill = lighten(colour, (depth.saturating_sub(1) as f64 * STEP).min(LIGHTEST));
    canvas.cell(node, place, rect, fill)?;
    let text = format!("{}  {}", node.name, canvas.size(node.bytes));
    canvas.label(&text, (rect.x + 3.0, rect.y + LETTER + 3.0), rect.width - 6.0)?;
    let place = match (depth, place) {
        (0, _) => String::new(),
        (_, "") => node.name.clone(),
        _ => format!("{place} › {}", node.name),
    };
    let mut x = rect.x;
    for (rank, child) in node.children.iter().enumerate() {
        // CAST: pixels.
        let width = if child.bytes <= 0 { 0.0 } else { positive(child) as f64 * scale };
        let below = Rect { x, y: rect.y + LEVEL, width, height: LEVEL };
        x += width;
        if width >= SEEN {
            let colour = if depth == 0 { of_rank(rank) } else { colour };
            draw(canvas, child, &place, below, (colour, depth + 1), scale)?;
        }
    }
    Ok(())
}
