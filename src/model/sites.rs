// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The lines of `sites`: all numbers of a call site, and where it is.

use super::{
    text::{Full, Row, Text},
    totals::Totals,
};

/// What stands above the lines, where stalls are measured. Columns may be added before the last one.
pub const HEADER: &[u8] = b"sites - version: 1.0\n\
    # bytes slack calls allocs frees allocated failed injected stalls stall_ns stall_max_ns tag\n";

/// The same where they are not.
pub const HEADER_WITHOUT_STALLS: &[u8] =
    b"sites - version: 1.0\n# bytes slack calls allocs frees allocated failed injected tag\n";

/// How often a call site was given nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    /// For whatever reason.
    pub failed: u64,
    /// Of these, because a rule said so.
    pub injected: u64,
}

/// How often and how long its allocations had to wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stalls {
    /// How often.
    pub count: u64,
    /// Nanoseconds altogether.
    pub ns: u64,
    /// Nanoseconds at most.
    pub max_ns: u64,
}

/// Appends the line of a call site that has ever allocated, or failed to, or waited.
///
/// # Errors
///
/// [`Full`] where the buffer is too short; what was written of the line is then to be dropped.
pub fn line(
    text: &mut Text<'_>,
    row: &Row<'_>,
    totals: Totals,
    failures: Failures,
    stalls: Option<Stalls>,
) -> Result<(), Full> {
    let has_stalled = stalls.is_some_and(|stalls| stalls.count > 0);
    if totals.allocs == 0 && failures.failed == 0 && !has_stalled {
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
    if let Some(stalls) = stalls {
        for number in [stalls.count, stalls.ns, stalls.max_ns] {
            text.decimal(number)?;
        }
    }
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
        let failures = Failures {
            failed: 3,
            injected: 1,
        };
        let stalls = Stalls {
            count: 5,
            ns: 700,
            max_ns: 300,
        };
        // Stalls, header, line.
        let table: [(Option<Stalls>, &[u8], &[u8]); 2] = [
            (
                None,
                HEADER_WITHOUT_STALLS,
                b"1024 24 2 12 10 6144 3 1 fs/inode.c:300 [ext4] func:alloc_inode\n",
            ),
            (
                Some(stalls),
                HEADER,
                b"1024 24 2 12 10 6144 3 1 5 700 300 fs/inode.c:300 [ext4] func:alloc_inode\n",
            ),
        ];
        for (stalls, header, expected) in table {
            let mut text = Text::new(&mut buffer);
            assert_eq!(line(&mut text, &SITE, TOTALS, failures, stalls), Ok(()));
            let used = text.used();
            assert_eq!(buffer.get(..used), Some(expected));
            let columns = header.split(|&byte| byte == b'\n').nth(1);
            let columns = columns.map(|line| line.split(|&byte| byte == b' ').count());
            // The header's mark takes the place of the module.
            let words = expected.split(|&byte| byte == b' ').count();
            assert_eq!(columns, Some(words - 1));
        }
    }

    #[test]
    fn a_call_site_that_never_allocated_has_a_line_only_if_it_failed_or_waited() {
        // Allocations, failures, stalls, whether there is a line.
        let table = [
            (0, 0, 0, false),
            (1, 0, 0, true),
            (0, 1, 0, true),
            (0, 0, 1, true),
        ];
        for (allocs, failed, count, is_there) in table {
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
            let stalls = Stalls {
                count,
                ..Stalls::default()
            };
            let written = line(&mut text, &SITE, totals, failures, Some(stalls));
            assert_eq!(written, Ok(()));
            let has_line = text.used() > 0;
            assert_eq!(has_line, is_there);
        }
    }

    #[test]
    fn what_does_not_fit_is_said_to_be_full() {
        let mut buffer = [0; 40];
        let mut text = Text::new(&mut buffer);
        let failures = Failures::default();
        assert_eq!(line(&mut text, &SITE, TOTALS, failures, None), Err(Full));
    }
}
