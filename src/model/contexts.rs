// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The lines of `contexts`: the numbers of a context, what tells it apart, and the functions of its stack.

use super::{
    text::{Full, Row, Text},
    totals::Totals,
};

/// What stands above the lines. Keys may be added behind the others.
pub const HEADER: &[u8] = b"contexts - version: 1.0\n# bytes calls tag key:value\n";

/// Appends the numbers of a context of that number.
///
/// # Errors
///
/// [`Full`] where the buffer is too short; what was written of the line is then to be dropped.
pub fn numbers(
    text: &mut Text<'_>,
    row: &Row<'_>,
    number: usize,
    totals: Totals,
) -> Result<(), Full> {
    text.signed(totals.bytes)?;
    text.decimal(totals.calls)?;
    text.site(row)?;
    value(text, b"ctx", number as u64)?;
    text.bytes(b" slack:")?;
    // Slack that is taken back before it is seen given is less than none.
    if totals.slack < 0 {
        text.bytes(b"-")?;
    }
    text.digits(totals.slack.unsigned_abs())?;
    value(text, b"allocs", totals.allocs)?;
    value(text, b"frees", totals.frees)?;
    value(text, b"allocated", totals.allocated)
}

/// Appends a key with its number.
///
/// # Errors
///
/// As for [`numbers()`].
pub fn value(text: &mut Text<'_>, key: &[u8], number: u64) -> Result<(), Full> {
    named(text, key)?;
    text.digits(number)
}

/// Appends a key with a name that users choose: what would end it or its line, and what does not print, as its octal number.
///
/// # Errors
///
/// As for [`numbers()`].
pub fn name(text: &mut Text<'_>, key: &[u8], name: &[u8]) -> Result<(), Full> {
    named(text, key)?;
    escaped(text, name)
}

/// Appends such a name alone.
///
/// # Errors
///
/// As for [`numbers()`].
pub fn escaped(text: &mut Text<'_>, name: &[u8]) -> Result<(), Full> {
    let digit = |byte: u8, shift: u32| b'0' + (byte >> shift & 7);
    name.iter().try_for_each(|byte| match *byte {
        b'\\' | ..=b' ' | 0x7f.. => {
            text.bytes(&[b'\\', digit(*byte, 6), digit(*byte, 3), digit(*byte, 0)])
        }
        plain => text.bytes(&[plain]),
    })
}

/// The most slices of time that are told apart; what is older is just that.
const SLICES: u64 = 16;

/// How many seconds ago a slice of time was the current one, at least and at most, of which that is the number, and which has so
/// many seconds; there is no limit where it is older than all that are told apart.
pub fn age(now: u64, number: u32, seconds: u32) -> (u64, Option<u64>) {
    let length = u64::from(seconds);
    let current = now.checked_div(length).unwrap_or_default() as u32;
    // Numbers wrap around, in slices of a second after more than a century.
    let ago = u64::from(current.wrapping_sub(number)).min(SLICES);
    (ago * length, (ago < SLICES).then_some((ago + 1) * length))
}

/// Appends an age.
///
/// # Errors
///
/// As for [`numbers()`].
pub fn ages(text: &mut Text<'_>, (from, to): (u64, Option<u64>)) -> Result<(), Full> {
    value(text, b"age", from)?;
    text.bytes(b"-")?;
    to.map_or(Ok(()), |to| text.digits(to))
}

fn named(text: &mut Text<'_>, key: &[u8]) -> Result<(), Full> {
    text.bytes(b" ")?;
    text.bytes(key)?;
    text.bytes(b":")
}

/// Appends a function of the stack, on a line of its own.
///
/// # Errors
///
/// As for [`numbers()`].
pub fn frame(text: &mut Text<'_>, function: &[u8]) -> Result<(), Full> {
    text.bytes(b"\n  ")?;
    text.bytes(function)
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_contexts))]
mod tests {
    use super::*;

    const SITE: Row<'_> = Row {
        file: b"fs/inode.c",
        line: 300,
        module: Some(b"ext4"),
        function: b"alloc_inode",
        accurate: true,
    };

    /// Whether `write` writes that text, and nothing in a shorter buffer.
    fn writes(write: impl Fn(&mut Text<'_>) -> Result<(), Full>, expected: &[u8]) -> bool {
        let mut buffer = [0; 192];
        let mut text = Text::new(&mut buffer);
        let done = write(&mut text);
        let used = text.used();
        done == Ok(())
            && buffer.get(..used) == Some(expected)
            && write(&mut Text::new(&mut [0; 8])) == Err(Full)
    }

    #[test]
    fn a_line_has_the_numbers_the_call_site_and_what_there_is_besides() {
        let totals = Totals {
            bytes: 1024,
            calls: 2,
            slack: -24,
            allocs: 12,
            frees: 10,
            allocated: 6144,
        };
        assert!(writes(
            |text| {
                numbers(text, &SITE, 3, totals)?;
                name(text, b"comm", b"bash")?;
                value(text, b"pid", 17)?;
                frame(text, b"alloc_inode+0x10/0x20 [ext4]")?;
                text.bytes(b"\n")
            },
            b"1024 2 fs/inode.c:300 [ext4] func:alloc_inode ctx:3 slack:-24 allocs:12 frees:10 allocated:6144 comm:bash pid:17\n  alloc_inode+0x10/0x20 [ext4]\n",
        ));
    }

    #[test]
    fn a_slice_of_time_is_so_long_ago() {
        // Now, number, seconds of a slice.
        let table: [(u64, u32, u32, &[u8]); 6] = [
            (59, 0, 60, b" age:0-60"),
            (60, 0, 60, b" age:60-120"),
            (60, 1, 60, b" age:0-60"),
            (15 * 60, 0, 60, b" age:900-960"),
            (16 * 60, 0, 60, b" age:960-"),
            (1 << 34, 3, 10, b" age:160-"),
        ];
        for (now, number, seconds, written) in table {
            assert!(writes(
                |text| ages(text, age(now, number, seconds)),
                written
            ));
        }
    }

    #[test]
    fn what_users_choose_neither_ends_a_line_nor_hides() {
        // The name, as it is written.
        let table: [(&[u8], &[u8]); 5] = [
            (b"/system.slice", b" cgroup:/system.slice"),
            (b"my task\n", b" cgroup:my\\040task\\012"),
            (b"back\\slash", b" cgroup:back\\134slash"),
            (b"\x7f\xff", b" cgroup:\\177\\377"),
            (b"~!:", b" cgroup:~!:"),
        ];
        for (given, written) in table {
            assert!(writes(|text| name(text, b"cgroup", given), written));
        }
    }
}
