// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A treemap: areas are bytes, boxes lie within boxes.

use std::io::{self, Write};

use super::palette::{lighten, of_rank, Rgb};
use super::squarify::{divide, Rect};
use super::svg::{Canvas, BAND, LETTER};
use super::Frame;
use crate::view::tree::Node;

/// Pixels around what a box holds, and above it for its name.
const PAD: f64 = 2.0;
const HEAD: f64 = LETTER + 5.0;

/// The least side in pixels of a box that shows what it holds, and of one that is drawn at all.
const OPEN: f64 = 18.0;
const SEEN: f64 = 1.0;

/// How much each level is lighter than the one around it, and at most.
const STEP: f64 = 0.16;
const LIGHTEST: f64 = 0.55;

/// Draws `root`, whose children are sorted.
///
/// # Errors
///
/// Those of `out`.
pub fn write(root: &Node, frame: &Frame, out: &mut dyn Write) -> io::Result<()> {
    let (width, height) = (f64::from(frame.width), f64::from(frame.height));
    let mut canvas = Canvas::open(frame, height, root.bytes, out)?;
    let room = Rect { x: PAD, y: BAND, width: width - 2.0 * PAD, height: height - BAND - PAD };
    for (rank, (child, rect)) in root.children.iter().zip(lay(root, room)).enumerate() {
        draw(&mut canvas, child, "", rect, of_rank(rank), 0)?;
    }
    canvas.close()
}

fn lay(node: &Node, room: Rect) -> Vec<Rect> {
    // CAST: areas on a screen.
    divide(&node.children.iter().map(|child| child.bytes as f64).collect::<Vec<_>>(), room)
}

fn draw(canvas: &mut Canvas<'_>, node: &Node, place: &str, rect: Rect, colour: Rgb, depth: usize) -> io::Result<()> {
    if rect.width < SEEN || rect.height < SEEN {
        return Ok(());
    }
    // CAST: a depth of a few.
    let fill = lighten(colour, (depth as f64 * STEP).min(LIGHTEST));
    canvas.cell(node, place, rect, fill)?;
    let open = !node.children.is_empty() && rect.width >= OPEN && rect.height >= OPEN;
    let named = rect.height >= HEAD && rect.width >= OPEN;
    if named {
        let at = (rect.x + PAD + 1.0, rect.y + LETTER + 1.0);
        let size = canvas.size(node.bytes);
        let room = rect.width - 2.0 * PAD;
        if open || rect.height < 2.0 * HEAD {
            canvas.label(&format!("{}  {size}", node.name), at, room)?;
        } else {
            canvas.label(&node.name, at, room)?;
            canvas.label(&size, (at.0, at.1 + HEAD), room)?;
        }
    }
    if !open {
        return Ok(());
    }
    let head = if named { HEAD } else { PAD };
    let (width, height) = (rect.width - 2.0 * PAD, rect.height - head - PAD);
    let room = Rect { x: rect.x + PAD, y: rect.y + head, width, height };
    let place = if place.is_empty() { node.name.clone() } else { format!("{place} › {}", node.name) };
    for (child, rect) in node.children.iter().zip(lay(node, room)) {
        draw(canvas, child, &place, rect, colour, depth + 1)?;
    }
    Ok(())
}
