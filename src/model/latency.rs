// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The lines of `latency`: how long the calls of allocators of a chosen call site took.

use super::{
    histogram::Histogram,
    text::{Full, Row, Text},
};

/// What stands above the lines. Columns may be added before the last one.
pub const HEADER: &[u8] = b"latency - version: 1.0\n# count ns min_ns max_ns histogram tag\n";

/// Appends a line.
///
/// # Errors
///
/// [`Full`] where the buffer is too short; what was written of the line is then to be dropped.
pub fn line(text: &mut Text<'_>, histogram: &Histogram, row: &Row<'_>) -> Result<(), Full> {
    histogram.show_numbers(text)?;
    histogram.show(text)?;
    text.site(row)?;
    text.bytes(b"\n")
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_latency))]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_columns_of_the_header_in_their_order() {
        let mut histogram = Histogram::EMPTY;
        [90, 100, 40000].iter().for_each(|ns| histogram.add(*ns));
        let row = Row {
            file: b"fs/ext4/inode.c",
            line: 120,
            module: Some(b"ext4"),
            function: b"ext4_alloc_inode",
            accurate: true,
        };
        let expected: &[u8] =
            b"3 40190 90 40000 6:2,15:1 fs/ext4/inode.c:120 [ext4] func:ext4_alloc_inode\n";
        let mut buffer = [0; 128];
        let mut text = Text::new(&mut buffer);
        assert_eq!(line(&mut text, &histogram, &row), Ok(()));
        let used = text.used();
        assert_eq!(buffer.get(..used), Some(expected));
        let columns = HEADER.split(|&byte| byte == b'\n').nth(1);
        let columns = columns.map(|line| line.split(|&byte| byte == b' ').count());
        // The header's mark takes the place of the module.
        let words = expected.split(|&byte| byte == b' ').count();
        assert_eq!(columns, Some(words - 1));
    }
}
