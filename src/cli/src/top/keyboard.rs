// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What a terminal sends for a key, or for the mouse. Pure: bytes go in, events come out.
//!
//! Keys that nothing is bound to are passed over whole, so that their ends are not taken for letters.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

const ESC: u8 = 0x1b;

/// The beginning of some input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parsed {
    /// A key or the mouse; none if nobody knows it.
    pub(super) event: Option<Event>,
    /// The bytes that it takes; 0 if its end has not come yet.
    pub(super) length: usize,
}

/// The first key of `input`. With `last`, its end will not come: ESC stands for itself, and anything else is passed over.
pub(super) fn first(input: &[u8], last: bool) -> Parsed {
    let parsed = match input {
        [ESC] | [] => UNFINISHED,
        [ESC, ESC, ..] => Parsed { event: plain(KeyCode::Esc), length: 1 },
        [ESC, b'[', rest @ ..] => control_sequence(rest),
        [ESC, b'O', letter, ..] => Parsed { event: lettered(*letter).and_then(plain), length: 3 },
        [ESC, b'O'] => UNFINISHED,
        [ESC, rest @ ..] => {
            let Parsed { event, length } = character(rest);
            let event = event.map(|event| match event {
                Event::Key(key) => Event::Key(KeyEvent::new(key.code, key.modifiers | KeyModifiers::ALT)),
                other => other,
            });
            Parsed { event, length: if length > 0 { length + 1 } else { 0 } }
        }
        rest => character(rest),
    };
    match (parsed.length, input) {
        (0, [ESC]) if last => Parsed { event: plain(KeyCode::Esc), length: 1 },
        (0, _) if last => Parsed { event: None, length: input.len() },
        _ => parsed,
    }
}

const UNFINISHED: Parsed = Parsed { event: None, length: 0 };

fn plain(code: KeyCode) -> Option<Event> {
    Some(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
}

/// A control sequence without its first two bytes: parameters, then one byte that ends it (ECMA-48, 5.4).
fn control_sequence(rest: &[u8]) -> Parsed {
    // Not in the standard: the Linux console's F1 to F5.
    if let [b'[', console @ ..] = rest {
        let letter = console.first();
        let key = letter.filter(|&&letter| letter == b'A').and_then(|_| plain(KeyCode::F(1)));
        return Parsed { event: key, length: letter.map_or(0, |_| 4) };
    }
    let Some(end) = rest.iter().position(|byte| !(b' '..=b'?').contains(byte)) else { return UNFINISHED };
    if let [b'<', mouse @ ..] = &rest[..end] {
        return Parsed { event: pointed(mouse, rest[end]).map(Event::Mouse), length: 2 + end + 1 };
    }
    let parameter = rest[..end].split(|&byte| byte == b';').next().unwrap_or_default();
    let code = if rest[end] == b'~' { numbered(parameter) } else { lettered(rest[end]) };
    Parsed { event: code.and_then(plain), length: 2 + end + 1 }
}

/// What the mouse has done, as xterm tells it (SGR): `button;column;line`, with `M` for a press and `m` for what ends one.
fn pointed(parameters: &[u8], end: u8) -> Option<MouseEvent> {
    let mut numbers = std::str::from_utf8(parameters).ok()?.split(';').map(|number| number.parse::<u16>().ok());
    let (button, column, row) = (numbers.next()??, numbers.next()??, numbers.next()??);
    // Four, eight and sixteen are Shift, Alt and Ctrl.
    let kind = match (button & !0b1_1100, end) {
        (0, b'M') => MouseEventKind::Down(MouseButton::Left),
        (64, b'M') => MouseEventKind::ScrollUp,
        (65, b'M') => MouseEventKind::ScrollDown,
        _ => return None,
    };
    let (column, row) = (column.checked_sub(1)?, row.checked_sub(1)?);
    Some(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })
}

fn numbered(number: &[u8]) -> Option<KeyCode> {
    match number {
        b"1" | b"7" => Some(KeyCode::Home),
        b"4" | b"8" => Some(KeyCode::End),
        b"5" => Some(KeyCode::PageUp),
        b"6" => Some(KeyCode::PageDown),
        b"11" => Some(KeyCode::F(1)),
        _ => None,
    }
}

fn lettered(letter: u8) -> Option<KeyCode> {
    match letter {
        b'A' => Some(KeyCode::Up),
        b'B' => Some(KeyCode::Down),
        b'C' => Some(KeyCode::Right),
        b'D' => Some(KeyCode::Left),
        b'H' => Some(KeyCode::Home),
        b'F' => Some(KeyCode::End),
        b'P' => Some(KeyCode::F(1)),
        _ => None,
    }
}

/// A character, or what Ctrl makes of one.
fn character(input: &[u8]) -> Parsed {
    let key = match input[0] {
        b'\r' | b'\n' => plain(KeyCode::Enter),
        b'\t' => plain(KeyCode::Tab),
        0x08 | 0x7f => plain(KeyCode::Backspace),
        // Ctrl takes the two upper bits of a letter away.
        byte @ 0x01..=0x1a => {
            Some(Event::Key(KeyEvent::new(KeyCode::Char((byte | 0x60).into()), KeyModifiers::CONTROL)))
        }
        byte if byte.is_ascii_control() => None,
        _ => return text(input),
    };
    Parsed { event: key, length: 1 }
}

/// A character of UTF-8; bytes that are none are passed over one by one.
fn text(input: &[u8]) -> Parsed {
    let (valid, rest) = match std::str::from_utf8(input) {
        Ok(text) => (text, None),
        Err(error) => (std::str::from_utf8(&input[..error.valid_up_to()]).unwrap_or_default(), Some(error.error_len())),
    };
    match (valid.chars().next(), rest) {
        (Some(first), _) => Parsed { event: plain(KeyCode::Char(first)), length: first.len_utf8() },
        (None, Some(None)) => UNFINISHED,
        (None, _) => Parsed { event: None, length: 1 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All keys of some input, by their names; what is passed over as `-`, what has no end as `…`.
    fn keys(mut input: &[u8], last: bool) -> String {
        let mut names = Vec::new();
        while !input.is_empty() {
            let Parsed { event, length } = first(input, last);
            if length == 0 {
                names.push("…".to_owned());
                break;
            }
            names.push(match event {
                Some(Event::Key(key)) => format!("{:?}{}", key.code, marks(key.modifiers)),
                Some(Event::Mouse(mouse)) => format!("{:?}@{},{}", mouse.kind, mouse.column, mouse.row),
                _ => "-".to_owned(),
            });
            input = &input[length..];
        }
        names.join(" ")
    }

    fn marks(modifiers: KeyModifiers) -> &'static str {
        match modifiers {
            KeyModifiers::CONTROL => "^",
            KeyModifiers::ALT => "!",
            KeyModifiers::NONE => "",
            _ => "?",
        }
    }

    #[test]
    fn keys_are_told_apart() {
        for (input, expected) in [
            ("q?é€", "Char('q') Char('?') Char('é') Char('€')"),
            ("\r\n\t\x7f\x08", "Enter Enter Tab Backspace Backspace"),
            ("\x03\x1a\x0c\x15\x17", "Char('c')^ Char('z')^ Char('l')^ Char('u')^ Char('w')^"),
            ("\x1b[A\x1b[B\x1b[C\x1b[D\x1b[H\x1b[F", "Up Down Right Left Home End"),
            ("\x1bOA\x1bOB\x1bOC\x1bOD\x1bOH\x1bOF\x1bOP", "Up Down Right Left Home End F(1)"),
            ("\x1b[1~\x1b[4~\x1b[5~\x1b[6~\x1b[7~\x1b[8~\x1b[11~", "Home End PageUp PageDown Home End F(1)"),
            ("\x1b[[Ax", "F(1) Char('x')"),
            ("\x1b[1;5Ax", "Up Char('x')"),
            ("\x1b\x1b[A", "Esc Up"),
            ("\x1bq\x1bé", "Char('q')! Char('é')!"),
            ("\0\x1c", "- -"),
        ] {
            assert_eq!(keys(input.as_bytes(), false), expected, "{input:?}");
        }
    }

    #[test]
    fn the_mouse_is_told_from_keys() {
        for (input, expected) in [
            ("\x1b[<0;10;20M", "Down(Left)@9,19"),
            ("\x1b[<0;10;20m", "-"),
            ("\x1b[<64;1;1M\x1b[<65;300;2M", "ScrollUp@0,0 ScrollDown@299,1"),
            ("\x1b[<16;3;4Mq", "Down(Left)@2,3 Char('q')"),
            ("\x1b[<0;10", "…"),
        ] {
            assert_eq!(keys(input.as_bytes(), false), expected, "{input:?}");
        }
    }

    #[test]
    fn unknown_keys_leave_nothing_behind() {
        for input in [
            "\x1b[3~",
            "\x1b[2;5~",
            "\x1b[Z",
            "\x1b[<2;10;20M",
            "\x1b[<0;0;1M",
            "\x1b[<0;1M",
            "\x1b[<;;M",
            "\x1b[<35;2;2M",
            "\x1b[<0;99999;1M",
            "\x1b[[B",
            "\x1bOQ",
            "\x1b[?1;2c",
            "\x1b[200~",
        ] {
            assert_eq!(keys(input.as_bytes(), false), "-", "{input:?}");
        }
        assert_eq!(keys(b"\xffa\xc3(", false), "- Char('a') - Char('(')");
    }

    #[test]
    fn what_has_no_end_yet_waits_for_it_and_not_for_ever() {
        for input in ["\x1b[", "\x1b[1", "\x1b[1;", "\x1bO", "\x1b[[", "\u{20ac}"] {
            let cut = &input.as_bytes()[..input.len().min(if input.is_ascii() { 9 } else { 2 })];
            assert_eq!((keys(cut, false), keys(cut, true)), ("…".to_owned(), "-".to_owned()), "{input:?}");
        }
        assert_eq!((keys(b"\x1b", false), keys(b"\x1b", true)), ("…".to_owned(), "Esc".to_owned()));
    }

    #[test]
    fn any_bytes_are_used_up() {
        for seed in 0..=u16::MAX {
            let input = [ESC, seed.to_le_bytes()[0], seed.to_le_bytes()[1], b'['];
            for from in 0..input.len() {
                let mut rest = &input[from..];
                while !rest.is_empty() {
                    let length = first(rest, true).length;
                    assert!((1..=rest.len()).contains(&length), "{rest:?}");
                    rest = &rest[length..];
                }
            }
        }
    }
}
