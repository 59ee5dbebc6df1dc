// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The lines of `stalls`: how long allocations of a call site waited for something.

use super::{
    histogram::Histogram,
    stall::Cause,
    text::{Full, Row, Text},
};

/// What stands above the lines. Columns may be added before the last one.
pub const HEADER: &[u8] = b"stalls - version: 1.0\n# count ns min_ns max_ns cause histogram tag\n";

/// What stands for the call sites that share a histogram, since none was left for them.
pub const SHARED: Row<'_> = Row {
    file: b"mm/alloctag/src/model/stalls.rs",
    line: line!(),
    module: None,
    function: b"no_histogram_left",
    accurate: true,
};

/// Appends a line.
///
/// # Errors
///
/// [`Full`] where the buffer is too short; what was written of the line is then to be dropped.
pub fn line(
    text: &mut Text<'_>,
    cause: Cause,
    histogram: &Histogram,
    row: &Row<'_>,
) -> Result<(), Full> {
    histogram.show_numbers(text)?;
    text.bytes(cause.name().as_bytes())?;
    text.bytes(b" ")?;
    histogram.show(text)?;
    text.site(row)?;
    text.bytes(b"\n")
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_stalls))]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_columns_of_the_header_in_their_order() {
        let mut histogram = Histogram::EMPTY;
        [1200, 1300, 20011].iter().for_each(|ns| histogram.add(*ns));
        let row = Row {
            file: b"fs/inode.c",
            line: 300,
            module: Some(b"ext4"),
            function: b"alloc_inode",
            accurate: true,
        };
        let expected: &[u8] =
            b"3 22511 1200 20011 reclaim 10:2,14:1 fs/inode.c:300 [ext4] func:alloc_inode\n";
        let mut buffer = [0; 128];
        let mut text = Text::new(&mut buffer);
        assert_eq!(line(&mut text, Cause::Reclaim, &histogram, &row), Ok(()));
        let used = text.used();
        assert_eq!(buffer.get(..used), Some(expected));
        let columns = HEADER.split(|&byte| byte == b'\n').nth(1);
        let columns = columns.map(|line| line.split(|&byte| byte == b' ').count());
        // The header's mark takes the place of the module.
        let words = expected.split(|&byte| byte == b' ').count();
        assert_eq!(columns, Some(words - 1));
    }

    #[test]
    fn what_does_not_fit_is_said_to_be_full() {
        let mut buffer = [0; 40];
        let mut text = Text::new(&mut buffer);
        let written = line(&mut text, Cause::Oom, &Histogram::EMPTY, &SHARED);
        assert_eq!(written, Err(Full));
    }
}
