// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Texts from elsewhere on somebody's screen: they show themselves and do nothing else.

use std::borrow::Cow;

/// Unicode's format characters (Cf): they turn the direction of what follows, or cannot be seen.
const FORMAT: [(char, char); 18] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{180e}', '\u{180e}'),
    ('\u{200b}', '\u{200f}'),
    // Among them two that end a line or a paragraph.
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{fff9}', '\u{fffb}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0001}', '\u{e007f}'),
];

/// Whether `c` does more to a terminal than show itself.
fn acts(c: char) -> bool {
    c.is_control() || FORMAT.iter().any(|(first, last)| (*first..=*last).contains(&c))
}

/// A text on one line that does nothing to a terminal: names of files and what is quoted of them may hold anything.
///
/// # Examples
///
/// ```
/// use alloctag::printable::printable;
/// assert_eq!(printable("mm/slub.c"), "mm/slub.c");
/// assert_eq!(printable("a\u{202e}b\x1b[2J"), "a\\u{202e}b\\u{1b}[2J");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    // Nearly all are ASCII, whose characters are bytes.
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) || !text.contains(acts) {
        return text.into();
    }
    let escaped = |c: char| if acts(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escaped).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_is_shown_by_its_number_and_the_rest_as_it_is() {
        for (text, expected) in [
            ("a b: ä€漢", "a b: ä€漢"),
            ("\x1b[2J\n", "\\u{1b}[2J\\n"),
            ("\u{9b}31m\t", "\\u{9b}31m\\t"),
            // Shown as it is, the end of this name would stand in front of its beginning.
            ("x\u{202e}c.evil\u{2069}", "x\\u{202e}c.evil\\u{2069}"),
            ("a\u{200b}b\u{feff}\u{2028}", "a\\u{200b}b\\u{feff}\\u{2028}"),
        ] {
            assert_eq!(printable(text), expected);
        }
    }

    #[test]
    fn the_table_is_in_order_and_holds_the_controls_of_direction() {
        assert!(FORMAT.windows(2).all(|pair| pair[0].1 < pair[1].0) && FORMAT.iter().all(|(a, b)| a <= b));
        let bidi = "\u{61c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}";
        assert!(bidi.chars().all(acts));
    }
}
