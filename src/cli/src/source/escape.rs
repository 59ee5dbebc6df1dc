// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Names that users choose, as the kernel writes them: blanks, backslashes and what does not print as octal numbers (`\040`).

use std::borrow::Cow;

/// The name behind what the kernel wrote: as people typed it, but for backslashes, what is no text, and what would drive a
/// terminal, which stay as they were written. So two names are never taken for one.
pub fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text.into();
    }
    let bytes = bytes(text.as_bytes());
    let mut plain = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if c == '\\' || c.is_control() {
                c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| plain.push_str(&octal(byte)));
            } else {
                plain.push(c);
            }
        }
        chunk.invalid().iter().for_each(|&byte| plain.push_str(&octal(byte)));
    }
    plain.into()
}

/// What the kernel would write for a name that [`unescape()`] has made.
pub fn escape(name: &str) -> Cow<'_, str> {
    // The backslashes that are left begin numbers.
    if name.bytes().all(|byte| byte.is_ascii_graphic()) {
        return name.into();
    }
    let escaped = |byte: u8| if byte.is_ascii_graphic() { char::from(byte).to_string() } else { octal(byte) };
    name.bytes().map(escaped).collect::<String>().into()
}

fn octal(byte: u8) -> String {
    format!("\\{byte:03o}")
}

/// Every number as the byte that it is of.
fn bytes(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&first, behind)) = rest.split_first() {
        let digits = behind.first_chunk::<3>().filter(|_| first == b'\\');
        match digits.and_then(number) {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[3..];
            }
            None => {
                bytes.push(first);
                rest = behind;
            }
        }
    }
    bytes
}

/// The byte of three octal digits.
fn number(digits: &[u8; 3]) -> Option<u8> {
    digits.iter().try_fold(0u8, |sum, &digit| match digit {
        b'0'..=b'7' => sum.checked_mul(8)?.checked_add(digit - b'0'),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_were_typed_and_written_as_they_were_read() {
        for (written, read) in [
            ("bash", "bash"),
            ("my\\040task", "my task"),
            ("\\303\\244", "ä"),
            ("a\\012b", "a\\012b"),
            ("back\\134slash", "back\\134slash"),
            // Which is not the same name as this one.
            ("back\\134134slash", "back\\134134slash"),
            ("\\033[2J", "\\033[2J"),
            ("\\377\\040", "\\377 "),
            ("\\302\\233", "\\302\\233"),
            ("", ""),
        ] {
            assert_eq!(unescape(written), read, "{written}");
            assert_eq!(escape(read), written, "{read}");
        }
    }

    #[test]
    fn what_no_kernel_writes_is_no_trouble() {
        for (written, read) in [("\\", "\\134"), ("\\400", "\\134400"), ("\\08", "\\13408"), ("x\\1", "x\\1341")] {
            assert_eq!(unescape(written), read, "{written}");
            assert_eq!(unescape(&escape(read)), read);
        }
    }
}
