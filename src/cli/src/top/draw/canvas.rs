// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The screen that is drawn on.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style as Look};

use crate::render::style::Ink;
use crate::render::Style;

/// The screen while it is being drawn on.
pub(super) struct Canvas<'b> {
    pub(super) buffer: &'b mut Buffer,
    pub(super) area: Rect,
    pub(super) style: Style,
}

impl Canvas<'_> {
    /// Writes a text as far as there is room; returns where it ends.
    pub(super) fn text(&mut self, x: u16, y: u16, text: &str, look: Look) -> u16 {
        if y >= self.area.height || x >= self.area.width {
            return self.area.width;
        }
        let room = usize::from(self.area.width - x);
        let text = if self.style.unicode { text.to_owned() } else { text.replace(|c: char| !c.is_ascii(), "?") };
        let (text, ends) = match text.char_indices().nth(room) {
            Some((end, _)) => (&text[..end], true),
            None => (text.as_str(), false),
        };
        let (end, _) = self.buffer.set_stringn(x, y, text, room, look);
        if ends && self.style.unicode {
            self.buffer.set_string(self.area.width - 1, y, "…", look);
        }
        end
    }

    /// Gives a whole line a look.
    pub(super) fn line(&mut self, y: u16, look: Look) {
        if y < self.area.height {
            self.buffer.set_style(Rect { y, height: 1, ..self.area }, look);
        }
    }
}

impl Ink {
    /// The role's look on this terminal.
    pub(super) fn look(self, style: Style) -> Look {
        let look = Look::new();
        match self {
            Ink::Head => look.add_modifier(Modifier::BOLD),
            Ink::Faint => look.add_modifier(Modifier::DIM),
            _ if !style.color => look.add_modifier(Modifier::BOLD),
            Ink::Warning => look.fg(Color::Yellow),
            // As `Ink` has them for tables.
            Ink::Growth => look.fg(Color::Indexed(208)),
            Ink::Shrinkage => look.fg(Color::Indexed(39)),
            Ink::Alarm => look.fg(Color::Red).add_modifier(Modifier::BOLD),
        }
    }
}
