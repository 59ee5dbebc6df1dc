// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! All records of a kind, one call after the other, and the names in them.

use rustix::io::Errno;

use super::abi::{Answer, Record};

/// Records a call: some 150 KiB of names.
const ROOM: usize = 256;

/// More records than any kernel has call sites: a list that does not end.
const RECORD_LIMIT: usize = 1 << 24;

/// Asks until the end, hands each record on and returns what the kernel says beside the records, as the first call had it.
///
/// # Errors
///
/// What the kernel says.
pub(super) fn all<R: Record>(
    ask: impl Fn(&mut [u64; 2], &mut [R]) -> Result<Answer, Errno>,
    mut then: impl FnMut(&R),
) -> Result<Answer, Errno> {
    let mut room = vec![R::default(); ROOM];
    let mut cursor = [0; 2];
    let mut first = None;
    for _ in 0..RECORD_LIMIT / ROOM {
        let answer = ask(&mut cursor, &mut room)?;
        room.iter().take(answer.count).for_each(&mut then);
        let first = *first.get_or_insert(answer);
        // Fewer than there is room for there may be elsewhere, too: where a signal came.
        if answer.count == 0 {
            return Ok(first);
        }
    }
    Err(Errno::OVERFLOW)
}

/// The text in a field.
///
/// # Errors
///
/// What is wrong with it.
pub(super) fn name(field: &[u8]) -> Result<&str, &'static str> {
    let end = memchr::memchr(0, field).ok_or("a name in it does not end")?;
    let bytes = &field[..end];
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        // Of a name that is too long the end is left out, perhaps in the middle of a character.
        Err(error) if error.error_len().is_none() && end + 1 == field.len() => {
            std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return Err("a name in it is not UTF-8"),
    };
    if text.chars().any(char::is_control) {
        return Err("a name in it has control characters");
    }
    Ok(text)
}
