// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Alloctag's own ioctls on `/proc/allocinfo`: all numbers of many call sites at a time, and their names to the end.
//!
//! Numbers and names come in records of their own, which belong together by the id of their call site. Both are asked for at
//! each reading: whether a site is accurate stands beside its names and may change at any time.

mod abi;

use std::collections::HashMap;
use std::os::fd::{AsFd, BorrowedFd};

use foldhash::fast::RandomState;
use rustix::io::Errno;

use crate::model::{self, Builder, Number, Refused, Sample};
use abi::{Answer, Record};

/// Records a call: some 150 KiB of names.
const ROOM: usize = 256;

/// More records than any kernel has call sites: a list that does not end.
const RECORD_LIMIT: usize = 1 << 24;

/// Reads every call site into `builder`; `false` if the kernel has no such ioctls, and nothing was read.
///
/// A site that comes or goes meanwhile may be missing. Who calls can tell by the content id.
///
/// # Errors
///
/// What the kernel says.
pub fn read(file: impl AsFd, builder: &mut Builder<'_>) -> Result<bool, Errno> {
    read_from(&Kernel(file.as_fd()), builder)
}

/// Who is asked: the kernel, or a test.
trait Asked {
    fn numbers(&self, cursor: &mut [u64; 2], room: &mut [abi::Numbers]) -> Result<Answer, Errno>;
    fn names(&self, cursor: &mut [u64; 2], room: &mut [abi::Names]) -> Result<Answer, Errno>;
}

struct Kernel<'f>(BorrowedFd<'f>);

impl Asked for Kernel<'_> {
    fn numbers(&self, cursor: &mut [u64; 2], room: &mut [abi::Numbers]) -> Result<Answer, Errno> {
        abi::ask(self.0, cursor, room)
    }

    fn names(&self, cursor: &mut [u64; 2], room: &mut [abi::Names]) -> Result<Answer, Errno> {
        abi::ask(self.0, cursor, room)
    }
}

fn read_from(asked: &impl Asked, builder: &mut Builder<'_>) -> Result<bool, Errno> {
    let mut numbers: HashMap<u64, abi::Numbers, RandomState> = HashMap::default();
    let put = |record: &abi::Numbers| {
        numbers.insert(record.id, *record);
    };
    let fields = match all(|cursor, room| asked.numbers(cursor, room), put) {
        // Another kernel knows no such request, or takes its number for another one's.
        Err(Errno::NOTTY | Errno::INVAL) => return Ok(false),
        fields => fields?,
    };
    let mut number = 0;
    all(
        |cursor, room| asked.names(cursor, room),
        |names| {
            number += 1;
            // It came with a module after the numbers.
            let Some(numbers) = numbers.get(&names.id) else { return };
            if let Err(reason) = take(names, numbers, fields, builder) {
                builder.unreadable(|| format!("record {number}"), reason);
            }
        },
    )?;
    Ok(true)
}

/// Asks until the end, hands each record on and returns which fields the kernel counts.
fn all<R: Record>(
    ask: impl Fn(&mut [u64; 2], &mut [R]) -> Result<Answer, Errno>,
    mut then: impl FnMut(&R),
) -> Result<u64, Errno> {
    let mut room = vec![R::default(); ROOM];
    let mut cursor = [0; 2];
    for _ in 0..RECORD_LIMIT / ROOM {
        let Answer { count, fields } = ask(&mut cursor, &mut room)?;
        room.iter().take(count).for_each(&mut then);
        // Fewer than there is room for there may be elsewhere, too: where a signal came.
        if count == 0 {
            return Ok(fields);
        }
    }
    Err(Errno::OVERFLOW)
}

fn take(
    names: &abi::Names,
    numbers: &abi::Numbers,
    fields: u64,
    builder: &mut Builder<'_>,
) -> Result<(), &'static str> {
    let module = name(&names.module)?;
    let (file, func) = (name(&names.file)?, name(&names.function)?);
    if file.is_empty() || func.is_empty() {
        return Err("it has no file or no function");
    }
    let mut counted = model::Numbers::NONE;
    for number in Number::all().filter(|&number| abi::counts(fields, number)) {
        counted.set(number, numbers.value(number.about().bit));
    }
    let sample = Sample {
        file,
        line: names.line,
        func,
        module: (!module.is_empty()).then_some(module),
        bytes: numbers.value(abi::BYTES),
        calls: numbers.value(abi::CALLS),
        accurate: names.flags & abi::INACCURATE == 0,
        clipped: false,
        merged: 1,
        numbers: counted,
        extra: Vec::new(),
    };
    builder.push(&sample).map_err(Refused::reason)
}

/// The text in a field.
fn name(field: &[u8]) -> Result<&str, &'static str> {
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

#[cfg(test)]
#[path = "records/tests.rs"]
mod tests;
