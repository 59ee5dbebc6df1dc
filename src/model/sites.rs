// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The lines of `sites`: all numbers of a call site, and where it is.

use super::{
    text::{Full, Row, Text},
    totals::Totals,
};

/// What stands above the lines. Columns may be added before the last one.
pub const HEADER: &[u8] =
    b"sites - version: 1.0\n# bytes slack calls allocs frees allocated failed injected tag\n";

/// How often a call site was given nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    /// For whatever reason.
    pub failed: u64,
    /// Of these, because a rule said so.
    pub injected: u64,
}

/// Appends the line of a call site that has ever allocated, or failed to.
///
/// # Errors
///
/// [`Full`] where the buffer is too short; what was written of the line is then to be dropped.
pub fn line(
    text: &mut Text<'_>,
    row: &Row<'_>,
    totals: Totals,
    failures: Failures,
) -> Result<(), Full> {
    if totals.allocs == 0 && failures.failed == 0 {
        return Ok(());
    }
    text.signed(totals.bytes)?;
    text.signed(totals.slack)?;
    text.decimal(totals.calls)?;
    text.decimal(totals.allocs)?;
    text.decimal(totals.frees)?;
    text.decimal(totals.allocated)?;
    text.decimal(failures.failed)?;
    text.decimal(failures.injected)?;
    text.site(row)?;
    text.bytes(b"\n")
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_sites))]
mod tests {
    use super::*;

    const SITE: Row<'_> = Row {
        file: b"fs/inode.c",
        line: 300,
        module: Some(b"ext4"),
        function: b"alloc_inode",
        accurate: true,
    };

    const TOTALS: Totals = Totals {
        bytes: 1024,
        calls: 2,
        slack: 24,
        allocs: 12,
        frees: 10,
        allocated: 6144,
    };

    #[test]
    fn a_line_has_the_columns_of_the_header_in_their_order() {
        let mut buffer = [0; 128];
        let mut text = Text::new(&mut buffer);
        let failures = Failures {
            failed: 3,
            injected: 1,
        };
        assert_eq!(line(&mut text, &SITE, TOTALS, failures), Ok(()));
        let used = text.used();
        let expected: &[u8] = b"1024 24 2 12 10 6144 3 1 fs/inode.c:300 [ext4] func:alloc_inode\n";
        assert_eq!(buffer.get(..used), Some(expected));
        let columns = HEADER.split(|&byte| byte == b'\n').nth(1);
        let columns = columns.map(|line| line.split(|&byte| byte == b' ').count());
        // The header's mark takes the place of the module.
        let words = expected.split(|&byte| byte == b' ').count();
        assert_eq!(columns, Some(words - 1));
    }

    #[test]
    fn a_call_site_that_never_allocated_has_a_line_only_if_it_failed() {
        // Allocations, failures, whether there is a line.
        for (allocs, failed, is_there) in [(0, 0, false), (1, 0, true), (0, 1, true)] {
            let mut buffer = [0; 128];
            let mut text = Text::new(&mut buffer);
            let totals = Totals {
                allocs,
                ..Totals::default()
            };
            let failures = Failures {
                failed,
                injected: 0,
            };
            assert_eq!(line(&mut text, &SITE, totals, failures), Ok(()));
            let has_line = text.used() > 0;
            assert_eq!(has_line, is_there);
        }
    }

    #[test]
    fn what_does_not_fit_is_said_to_be_full() {
        let mut buffer = [0; 40];
        let mut text = Text::new(&mut buffer);
        let failures = Failures::default();
        assert_eq!(line(&mut text, &SITE, TOTALS, failures), Err(Full));
    }
}
