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

/// Room for the longest number, 2^64 - 1, and its sign, rounded up to whole words.
const COLUMNS: usize = 24;

/// The numbers below 100 in two digits each: half the divisions of one digit at a time.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut number = 0;
    while number < 100 {
        pairs[number] = [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8];
        number += 1;
    }
    pairs
};

/// Copies between slices of one length. Most names are short, and `memcpy()` is a call: up to twice
/// the length of a chunk its first and its last do, whether they overlap or not.
#[inline(always)]
fn copy(to: &mut [u8], from: &[u8]) {
    if from.len() > 32 || !(ends::<16>(to, from) || ends::<8>(to, from) || ends::<4>(to, from)) {
        to.copy_from_slice(from);
    }
}

/// Copies the first and the last `CHUNK` bytes; `false` where there are less.
#[inline(always)]
fn ends<const CHUNK: usize>(to: &mut [u8], from: &[u8]) -> bool {
    let (Some(first), Some(last)) = (from.first_chunk::<CHUNK>(), from.last_chunk::<CHUNK>())
    else {
        return false;
    };
    if let Some(to) = to.first_chunk_mut() {
        *to = *first;
    }
    if let Some(to) = to.last_chunk_mut() {
        *to = *last;
    }
    true
}

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
    /// # Errors
    ///
    /// [`Full`] where they do not fit; nothing is written then.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Full> {
        let end = self.used + bytes.len();
        copy(self.buffer.get_mut(self.used..end).ok_or(Full)?, bytes);
        // INVARIANT: `get_mut()` found the range within the buffer.
        self.used = end;
        Ok(())
    }

    /// Appends a number, right-aligned in at least `width` columns, and a space.
    #[inline]
    fn number(&mut self, negative: bool, magnitude: u64, width: usize) -> Result<(), Full> {
        let mut columns = [b' '; 2 * COLUMNS];
        let (mut rest, mut first) = (magnitude, COLUMNS);
        for place in columns[..COLUMNS].rchunks_exact_mut(2) {
            place.copy_from_slice(&PAIRS[(rest % 100) as usize]);
            rest /= 100;
            first -= 2;
            if rest == 0 {
                break;
            }
        }
        if let Some(digit @ b'0') = columns.get_mut(first) {
            *digit = b' ';
            first += 1;
        }
        if let (true, Some(sign)) = (negative, columns.get_mut(first.wrapping_sub(1))) {
            *sign = b'-';
            first -= 1;
        }
        let first = first.min(COLUMNS - width);
        let length = COLUMNS + 1 - first;
        // As many bytes as the longest number takes are copied at once, where there is room.
        let from = columns.get(first..).ok_or(Full)?;
        let to = self.buffer.get_mut(self.used..).ok_or(Full)?;
        match (to.first_chunk_mut::<COLUMNS>(), from.first_chunk()) {
            (Some(to), Some(from)) => *to = *from,
            _ => copy(
                to.get_mut(..length).ok_or(Full)?,
                from.get(..length).ok_or(Full)?,
            ),
        }
        // INVARIANT: At least so much room there was.
        self.used += length;
        Ok(())
    }

    /// Appends a number and a space.
    ///
    /// # Errors
    ///
    /// As for [`Text::bytes()`].
    #[inline]
    pub fn decimal(&mut self, number: u64) -> Result<(), Full> {
        self.number(false, number, 0)
    }

    /// Appends a number and nothing behind it.
    ///
    /// # Errors
    ///
    /// As for [`Text::bytes()`], also where a space would not fit.
    pub fn digits(&mut self, number: u64) -> Result<(), Full> {
        self.number(false, number, 0)?;
        // INVARIANT: It was at least one more.
        self.used -= 1;
        Ok(())
    }

    /// Appends a number that may be negative, and a space.
    ///
    /// # Errors
    ///
    /// As for [`Text::bytes()`].
    #[inline]
    pub fn signed(&mut self, number: i64) -> Result<(), Full> {
        self.number(number < 0, number.unsigned_abs(), 0)
    }

    /// Appends a row with its totals.
    ///
    /// # Errors
    ///
    /// [`Full`] where the buffer is too short; what was written of the row is then to be dropped.
    pub fn row(&mut self, row: &Row<'_>, totals: Totals) -> Result<(), Full> {
        self.number(totals.bytes < 0, totals.bytes.unsigned_abs(), 12)?;
        self.number(false, totals.calls, 8)?;
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
            self.bytes(b"[")?;
            self.bytes(module)?;
            self.bytes(b"] ")?;
        }
        self.bytes(b"func:")?;
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
        let written = text.row(
            row,
            Totals {
                bytes,
                calls,
                ..Totals::default()
            },
        );
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
