// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Alloctag's own ioctls on `/proc/allocinfo`: all numbers of many call sites at a time, and their names to the end.
//!
//! Numbers and names come in records of their own, which belong together by the id of their call site. Both are asked for at
//! each reading: whether a site is accurate stands beside its names and may change at any time.
//!
//! What rules have chosen comes by ioctls of the same kind ([`contexts`], [`rules`]), where debugfs cannot be used.

mod abi;
mod asking;
pub mod contexts;
pub mod histograms;
pub mod rules;
pub mod settling;

use std::collections::HashMap;
use std::os::fd::{AsFd, BorrowedFd};

use foldhash::fast::RandomState;
use rustix::io::Errno;

use crate::model::{self, Builder, Number, Refused, Sample};
use abi::Answer;
use asking::{all, name};

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
        answer => answer?.fields,
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

#[cfg(test)]
#[path = "records/tests.rs"]
mod tests;
