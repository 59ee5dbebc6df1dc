// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The text of `/proc/allocinfo`, version 2.0.
//!
//! Fleets parse it, so it never changes: two header lines, then for every row what the C core
//! prints by `"%12lli %8llu %s:%u [%s] func:%s accurate:no \n"`.

use super::totals::Totals;

/// What precedes the rows.
pub const HEADER: &[u8] = b"allocinfo - version: 2.0\n#     <size>  <calls> <tag info>\n";

/// One call site, ready to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<'a> {
    /// Path of the source file.
    pub file: &'a [u8],
    /// Line of the source file.
    pub line: u32,
    /// The module, unless it is built in.
    pub module: Option<&'a [u8]>,
    /// The enclosing function.
    pub function: &'a [u8],
    /// Whether every allocation could be counted.
    pub accurate: bool,
}

/// A text that is written to the end of a buffer, or not at all.
///
/// # Invariants
///
/// `used` is at most the buffer's length.
pub struct Text<'a> {
    buffer: &'a mut [u8],
    used: usize,
}

/// The buffer is too short.
#[derive(Debug, PartialEq, Eq)]
pub struct Full;

/// Room for the longest number, 2^64 - 1, and its sign, rounded up to a power of two.
const COLUMNS: usize = 32;

/// Bytes of a machine word.
const WORD: usize = 8;

impl<'a> Text<'a> {
    /// An empty text in `buffer`.
    pub fn new(buffer: &'a mut [u8]) -> Self {
        // INVARIANT: Zero is at most any length.
        Self { buffer, used: 0 }
    }

    /// Bytes written so far.
    pub fn used(&self) -> usize {
        self.used
    }

    /// Appends bytes as they are.
    ///
    /// By words of eight bytes: most of what is appended is shorter than a call of `memcpy()`.
    ///
    /// # Errors
    ///
    /// [`Full`] where they do not fit; nothing is written then.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Full> {
        let end = self.used + bytes.len();
        let room = self.buffer.get_mut(self.used..end).ok_or(Full)?;
        match (room.last_chunk_mut::<WORD>(), bytes.last_chunk::<WORD>()) {
            (Some(to), Some(from)) => {
                // The last word may overlap the one before.
                *to = *from;
                let (mut to, mut from) = (room, bytes);
                while let (Some((next, to_rest)), Some((word, from_rest))) = (
                    to.split_first_chunk_mut::<WORD>(),
                    from.split_first_chunk::<WORD>(),
                ) {
                    *next = *word;
                    (to, from) = (to_rest, from_rest);
                }
            }
            _ => {
                for (to, from) in room.iter_mut().zip(bytes) {
                    *to = *from;
                }
            }
        }
        // INVARIANT: `get_mut()` found the range within the buffer.
        self.used = end;
        Ok(())
    }

    /// Appends a number, right-aligned in at least `width` columns.
    #[inline]
    fn number(&mut self, negative: bool, magnitude: u64, width: usize) -> Result<(), Full> {
        let mut columns = [b' '; COLUMNS];
        let (mut rest, mut first) = (magnitude, COLUMNS);
        loop {
            first -= 1;
            columns[first % COLUMNS] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if negative {
            first -= 1;
            columns[first % COLUMNS] = b'-';
        }
        self.bytes(
            columns
                .get(first.min(COLUMNS - width)..)
                .unwrap_or_default(),
        )
    }

    /// Appends a row with its totals.
    ///
    /// # Errors
    ///
    /// [`Full`] where the buffer is too short; what was written of the row is then to be dropped.
    pub fn row(&mut self, row: &Row<'_>, totals: Totals) -> Result<(), Full> {
        self.number(totals.bytes < 0, totals.bytes.unsigned_abs(), 12)?;
        self.bytes(b" ")?;
        self.number(false, totals.calls, 8)?;
        self.bytes(b" ")?;
        self.site(row)?;
        if !row.accurate {
            self.bytes(b" accurate:no")?;
        }
        self.bytes(b" \n")
    }

    /// Appends the call site alone: `file:line [module] func:function`.
    ///
    /// # Errors
    ///
    /// As for [`Text::row()`].
    pub fn site(&mut self, row: &Row<'_>) -> Result<(), Full> {
        self.bytes(row.file)?;
        self.bytes(b":")?;
        self.number(false, u64::from(row.line), 0)?;
        if let Some(module) = row.module {
            self.bytes(b" [")?;
            self.bytes(module)?;
            self.bytes(b"]")?;
        }
        self.bytes(b" func:")?;
        self.bytes(row.function)
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_text))]
mod tests {
    use super::*;

    const SITE: Row<'static> = Row {
        file: b"mm/memory.c",
        line: 1234,
        module: None,
        function: b"do_anonymous_page",
        accurate: true,
    };

    fn prints(row: &Row<'_>, bytes: i64, calls: u64, expected: &[u8]) -> bool {
        let mut buffer = [0; 160];
        let mut text = Text::new(&mut buffer);
        let written = text.row(row, Totals { bytes, calls });
        let used = text.used();
        written == Ok(()) && &buffer[..used] == expected
    }

    #[test]
    fn a_row_is_byte_for_byte_what_the_c_core_prints() {
        assert!(prints(
            &SITE,
            4096,
            1,
            b"        4096        1 mm/memory.c:1234 func:do_anonymous_page \n"
        ));
    }

    #[test]
    fn numbers_are_right_aligned_and_wider_ones_push_on() {
        let table: [(i64, u64, &[u8]); 6] = [
            (0, 0, b"           0        0 a:7 func:b \n"),
            (-64, 1, b"         -64        1 a:7 func:b \n"),
            (
                999_999_999_999,
                99_999_999,
                b"999999999999 99999999 a:7 func:b \n",
            ),
            (
                1_000_000_000_000,
                100_000_000,
                b"1000000000000 100000000 a:7 func:b \n",
            ),
            (
                i64::MAX,
                u64::MAX,
                b"9223372036854775807 18446744073709551615 a:7 func:b \n",
            ),
            (i64::MIN, 5, b"-9223372036854775808        5 a:7 func:b \n"),
        ];
        let row = Row {
            file: b"a",
            line: 7,
            function: b"b",
            ..SITE
        };
        for (bytes, calls, expected) in table {
            assert!(prints(&row, bytes, calls, expected));
        }
    }

    #[test]
    fn the_module_and_the_lack_of_accuracy_stand_where_parsers_expect_them() {
        let row = Row {
            module: Some(b"nvme"),
            accurate: false,
            ..SITE
        };
        assert!(prints(
            &row,
            1,
            2,
            b"           1        2 mm/memory.c:1234 [nvme] func:do_anonymous_page accurate:no \n"
        ));
    }

    #[test]
    fn a_row_that_does_not_fit_is_an_error_at_every_length() {
        let mut buffer = [0; 160];
        let mut text = Text::new(&mut buffer);
        assert_eq!(text.row(&SITE, Totals::default()), Ok(()));
        let whole = text.used();
        for length in 0..whole {
            let mut text = Text::new(&mut buffer[..length]);
            assert_eq!(text.row(&SITE, Totals::default()), Err(Full));
            assert!(text.used() <= length);
        }
        let mut text = Text::new(&mut buffer[..whole]);
        assert_eq!(text.row(&SITE, Totals::default()), Ok(()));
    }
}
