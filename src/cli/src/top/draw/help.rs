// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The help page.

use ratatui::layout::Rect;
use ratatui::style::Style as Look;

use super::canvas::Canvas;
use crate::render::style::Ink;
use crate::top::keys::HELP;

/// The widest name of keys, and two blanks.
const WIDTH: u16 = 13;

pub(super) fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let style = canvas.style;
    let mut lines = area.y..area.y + area.height;
    if usize::from(area.height) > HELP.len() {
        if let Some(y) = lines.next() {
            canvas.text(0, y, "Keys (any key goes back)", Ink::Head.look(style));
        }
    }
    for (y, (keys, meaning)) in lines.zip(HELP) {
        canvas.text(0, y, keys, Ink::Head.look(style));
        canvas.text(WIDTH, y, meaning, Look::new());
    }
}
