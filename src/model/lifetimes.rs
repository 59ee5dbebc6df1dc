// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The lines of `lifetimes`: how long lived what a chosen call site has allocated, and how old is what lives.

use super::{
    histogram::Histogram,
    text::{Full, Row, Text},
};

/// What stands above the lines. Columns may be added before the last one.
pub const HEADER: &[u8] =
    b"lifetimes - version: 1.0\n# count ns min_ns max_ns alive lost histogram ages tag\n";

/// What is known of those of a call site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetimes {
    /// How long those lived that were freed.
    pub freed: Histogram,
    /// How old those are that live.
    pub alive: Histogram,
    /// How many could not be followed to their end.
    pub lost: u64,
}

impl Lifetimes {
    /// Whether there was nothing to be followed.
    pub const fn is_empty(&self) -> bool {
        self.freed.is_empty() && self.alive.is_empty() && self.lost == 0
    }
}

/// Appends a line.
///
/// # Errors
///
/// [`Full`] where the buffer is too short; what was written of the line is then to be dropped.
pub fn line(text: &mut Text<'_>, lifetimes: &Lifetimes, row: &Row<'_>) -> Result<(), Full> {
    let Lifetimes { freed, alive, lost } = lifetimes;
    freed.show_numbers(text)?;
    text.decimal(alive.count)?;
    text.decimal(*lost)?;
    freed.show(text)?;
    alive.show(text)?;
    text.site(row)?;
    text.bytes(b"\n")
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_lifetimes))]
mod tests {
    use super::*;

    const ROW: Row<'_> = Row {
        file: b"drivers/net/leaky.c",
        line: 20,
        module: Some(b"leaky"),
        function: b"leaks",
        accurate: true,
    };

    fn of(times: &[u64]) -> Histogram {
        let mut histogram = Histogram::EMPTY;
        times.iter().for_each(|ns| histogram.add(*ns));
        histogram
    }

    #[test]
    fn a_line_has_the_columns_of_the_header_in_their_order() {
        let some = Lifetimes {
            freed: of(&[2000, 70000]),
            alive: of(&[1 << 34, 1 << 33, 1 << 33]),
            lost: 5,
        };
        let none = Lifetimes {
            freed: of(&[]),
            alive: of(&[]),
            lost: 3,
        };
        let table: [(Lifetimes, &[u8]); 2] = [
            (some, b"2 72000 2000 70000 3 5 10:1,16:1 33:2,34:1 drivers/net/leaky.c:20 [leaky] func:leaks\n"),
            (none, b"0 0 0 0 0 3 - - drivers/net/leaky.c:20 [leaky] func:leaks\n"),
        ];
        for (lifetimes, expected) in table {
            assert!(!lifetimes.is_empty());
            let mut buffer = [0; 128];
            let mut text = Text::new(&mut buffer);
            assert_eq!(line(&mut text, &lifetimes, &ROW), Ok(()));
            let used = text.used();
            assert_eq!(buffer.get(..used), Some(expected));
            let columns = HEADER.split(|&byte| byte == b'\n').nth(1);
            let columns = columns.map(|line| line.split(|&byte| byte == b' ').count());
            // The header's mark takes the place of the module.
            let words = expected.split(|&byte| byte == b' ').count();
            assert_eq!(columns, Some(words - 1));
        }
    }

    #[test]
    fn the_longest_line_fits_into_a_page() {
        let full = Histogram {
            buckets: [u32::MAX; crate::model::histogram::BUCKETS],
            ..of(&[u64::MAX])
        };
        let lifetimes = Lifetimes {
            freed: full,
            alive: full,
            lost: u64::MAX,
        };
        let mut buffer = [0; 4096];
        let mut text = Text::new(&mut buffer);
        assert!(line(&mut text, &lifetimes, &ROW).is_ok());
        assert!(text.used() < 1400);
    }
}
