// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The elements of SVG that the pictures are made of.

use std::borrow::Cow;
use std::io::{self, Write};

use super::palette::{css, Rgb};
use super::squarify::Rect;
use super::Frame;
use crate::view::tree::{Kind, Node};

/// Height of the band with the title, in pixels.
pub(super) const BAND: f64 = 30.0;

/// The size of letters in pixels, and how wide one of them is on average: labels must fit whatever the font is.
pub(super) const LETTER: f64 = 11.0;
const ADVANCE: f64 = LETTER * 0.6;

/// A picture that is being drawn.
pub(super) struct Canvas<'a> {
    frame: &'a Frame,
    /// Bytes that shares are of.
    whole: i64,
    out: &'a mut dyn Write,
}

impl<'a> Canvas<'a> {
    /// Begins a picture of `whole` bytes.
    pub(super) fn open(frame: &'a Frame, height: f64, whole: i64, out: &'a mut dyn Write) -> io::Result<Canvas<'a>> {
        let width = frame.width;
        writeln!(
            out,
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height:.0}" viewBox="0 0 {width} {height:.0}" font-family="system-ui, 'DejaVu Sans', sans-serif" font-size="{LETTER}">
<title>{title}</title>
<defs><pattern id="doubt" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V6" stroke="#000" stroke-opacity=".35" stroke-width="2"/></pattern></defs>
<rect width="100%" height="100%" fill="#fff"/>
<text x="8" y="20" font-size="14" font-weight="600">{title}</text>"##,
            title = escape(&frame.title)
        )?;
        Ok(Canvas { frame, whole, out })
    }

    /// Ends it.
    pub(super) fn close(self) -> io::Result<()> {
        writeln!(self.out, "</svg>")
    }

    /// A size as people read it.
    pub(super) fn size(&self, bytes: i64) -> String {
        self.frame.units.format(bytes)
    }

    /// A box with a tooltip. `place` is the names of the nodes above it.
    pub(super) fn cell(&mut self, node: &Node, place: &str, rect: Rect, fill: Rgb) -> io::Result<()> {
        let Rect { x, y, width, height } = rect;
        let shape = format!(r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}""#);
        let tip = escape(&describe(node, place, self.whole, self.frame)).into_owned();
        writeln!(
            self.out,
            r##"{shape} fill="{}" stroke="#fff" stroke-width=".5"><title>{tip}</title></rect>"##,
            css(fill)
        )?;
        if node.kind == Kind::Site && !node.accurate {
            writeln!(self.out, r##"{shape} fill="url(#doubt)" pointer-events="none"/>"##)?;
        }
        Ok(())
    }

    /// A text that is cut where `room` pixels end; nothing if not even a few letters fit.
    pub(super) fn label(&mut self, text: &str, at: (f64, f64), room: f64) -> io::Result<()> {
        label(text, at, room, self.out)
    }
}

fn label(text: &str, (x, y): (f64, f64), room: f64, out: &mut dyn Write) -> io::Result<()> {
    // CAST: a number of letters; negative room has none.
    let letters = (room / ADVANCE) as usize;
    let length = text.chars().count();
    if letters < length.min(4) || text.is_empty() {
        return Ok(());
    }
    let shown: Cow<'_, str> = if length <= letters {
        text.into()
    } else {
        text.chars().take(letters - 1).chain(['…']).collect::<String>().into()
    };
    writeln!(out, r#"<text x="{x:.1}" y="{y:.1}" pointer-events="none">{}</text>"#, escape(&shown))
}

/// Everything about a node, for a tooltip.
fn describe(node: &Node, place: &str, whole: i64, frame: &Frame) -> String {
    // CAST: only shown to a tenth of a percent.
    let share = if whole > 0 { node.bytes as f64 / whole as f64 * 100.0 } else { 0.0 };
    let doubt = if node.accurate { "" } else { "\naccurate:no" };
    let separator = if place.is_empty() { "" } else { " › " };
    format!(
        "{place}{separator}{}\n{} ({} bytes), {share:.1}%\n{} calls in {} {}{doubt}",
        node.name,
        frame.units.format(node.bytes),
        node.bytes,
        node.calls,
        node.sites,
        frame.things
    )
}

/// A text with what XML has for itself escaped. Names hold no control characters: sources refuse them.
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"', '\'']) {
        return text.into();
    }
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    escaped.replace('"', "&quot;").replace('\'', "&#39;").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labelled(text: &str, room: f64) -> String {
        let mut out = Vec::new();
        label(text, (0.0, 0.0), room, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn names_cannot_leave_their_element() {
        assert_eq!(escape("<T as D<'a>>::f&\"x"), "&lt;T as D&lt;&#39;a&gt;&gt;::f&amp;&quot;x");
        assert!(labelled("</text><script>", 1e3).contains("&lt;/text&gt;&lt;script&gt;</text>"));
    }

    #[test]
    fn labels_are_cut_at_their_room() {
        assert!(labelled("alloc_page_ext", 1000.0).contains(">alloc_page_ext<"));
        assert!(labelled("alloc_page_ext", ADVANCE * 6.5).contains(">alloc…<"));
        for room in [0.0, -5.0, ADVANCE * 3.0] {
            assert_eq!(labelled("alloc_page_ext", room), "", "{room}");
        }
        assert!(labelled("mm", ADVANCE * 2.5).contains(">mm<"));
    }
}
