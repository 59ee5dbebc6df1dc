// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A function of a stack, and where in it a call returns.

/// What `function+offset/size [module]` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// The function.
    pub function: &'a [u8],
    /// In bytes from its beginning.
    pub offset: u32,
    /// How many bytes it has.
    pub size: u32,
    /// The module; `None` for what is built in.
    pub module: Option<&'a [u8]>,
}

impl<'a> Frame<'a> {
    /// Takes such a text apart; `None` where it is none.
    pub fn parse(text: &'a [u8]) -> Option<Self> {
        let (text, module) = match text.strip_suffix(b"]") {
            Some(text) => {
                let (text, module) = split(text, b'[')?;
                (text.strip_suffix(b" ")?, Some(module))
            }
            None => (text, None),
        };
        let (function, place) = split(text, b'+')?;
        let (offset, size) = split(place, b'/')?;
        if function.is_empty() {
            return None;
        }
        Some(Self {
            function,
            offset: number(offset)?,
            size: number(size)?,
            module,
        })
    }
}

/// What is before and behind the last such byte.
fn split(text: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let place = text.iter().rposition(|byte| *byte == at)?;
    Some((text.get(..place)?, text.get(place + 1..)?))
}

/// A number in hexadecimal, with the mark that 0 may lack.
fn number(text: &[u8]) -> Option<u32> {
    let digits = text.strip_prefix(b"0x").unwrap_or(text);
    u32::from_str_radix(core::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_frame))]
mod tests {
    use super::*;

    const fn frame(
        function: &'static [u8],
        offset: u32,
        size: u32,
        module: Option<&'static [u8]>,
    ) -> Option<Frame<'static>> {
        Some(Frame {
            function,
            offset,
            size,
            module,
        })
    }

    #[test]
    fn a_frame_is_what_its_text_says() {
        // Text, what it says.
        let table: [(&[u8], Option<Frame<'_>>); 11] = [
            (
                b"iget_locked+0x21c/0x300",
                frame(b"iget_locked", 0x21c, 0x300, None),
            ),
            (
                b"first+0x10/0x20 [ext4]",
                frame(b"first", 0x10, 0x20, Some(b"ext4")),
            ),
            (b"f.llvm.77+0/0x0", frame(b"f.llvm.77", 0, 0, None)),
            (b"f+g+0x1/0xffffffff", frame(b"f+g", 1, u32::MAX, None)),
            (b"?", None),
            (b"", None),
            (b"f", None),
            (b"+0x1/0x2", None),
            (b"f+0x1", None),
            (b"f+0x1/0x100000000", None),
            (b"f+0x1/0x2[m]", None),
        ];
        for (text, expected) in table {
            assert_eq!(Frame::parse(text), expected);
        }
    }
}
