// SPDX-License-Identifier: GPL-2.0-only

//! Records with all numbers of call sites, and with their names.
//!
//! C header: `include/uapi/linux/alloctag.h`.

use super::{
    plain::{zeroes, Plain},
    query::{add, put, Full, Record},
};
use crate::{
    model::{cursor::Cursor, handle::Handle, text::Row},
    platform::{counters::Cpus, failures, stalls},
    registry::{self, walk::Walk, Sections},
};
use core::mem::size_of;
use kernel::{
    bindings::{self, alloctag_names as Names, alloctag_numbers as Numbers},
    prelude::*,
};

const _: () = assert!(size_of::<Numbers>() == 96);
const _: () = assert!(size_of::<Names>() == 592);

// SAFETY: Words of 64 bits.
unsafe impl Plain for Numbers {}
// SAFETY: Words and bytes; by the size above there is no gap.
unsafe impl Plain for Names {}

/// The numbers that are counted.
const FIELDS: u32 = {
    let live = bindings::ALLOCTAG_FIELD_BYTES | bindings::ALLOCTAG_FIELD_CALLS;
    let stats = bindings::ALLOCTAG_FIELD_SLACK
        | bindings::ALLOCTAG_FIELD_ALLOCS
        | bindings::ALLOCTAG_FIELD_FREES
        | bindings::ALLOCTAG_FIELD_ALLOCATED
        | bindings::ALLOCTAG_FIELD_FAILED;
    let stalls = bindings::ALLOCTAG_FIELD_STALLS
        | bindings::ALLOCTAG_FIELD_STALL_NS
        | bindings::ALLOCTAG_FIELD_STALL_MAX_NS;
    let mut fields = live;
    if cfg!(CONFIG_ALLOCTAG_STATS) {
        fields |= stats;
    }
    if cfg!(CONFIG_ALLOCTAG_FAULTS) {
        fields |= bindings::ALLOCTAG_FIELD_INJECTED;
    }
    if cfg!(CONFIG_ALLOCTAG_STALLS) {
        fields |= stalls;
    }
    fields
};

/// Bytes of a record of the first version, up to the failures.
const FIRST_NUMBERS: usize = 64;

/// Lets `gather` walk from the cursor on, and leaves the cursor where it ends. Returns the list's content id.
fn walk(
    cursor: &mut Cursor,
    gather: impl FnOnce(&mut Walk, &Sections) -> Result<(), Full>,
) -> Result<u64, Full> {
    let sections = match cursor.to_words() {
        [0, 0] => registry::begin_to_read(),
        _ => registry::read(),
    };
    // As it is at the first record: a line of Rust code may come meanwhile.
    let content = sections.content();
    let mut walk = Walk::at(*cursor);
    gather(&mut walk, &sections)?;
    *cursor = walk.cursor();
    Ok(content)
}

impl Record for Numbers {
    const FIELDS: u32 = FIELDS;
    const SHORTEST: usize = FIRST_NUMBERS;

    fn gather(cursor: &mut Cursor, batch: &mut KVec<Self>, wanted: usize) -> Result<u64, Full> {
        walk(cursor, |walk, sections| {
            // Now, for the list may have been waited for, and CPUs come meanwhile.
            let cpus = Cpus::met();
            while batch.len() < wanted && walk.settle(sections) {
                let (first, accounts) = (walk.cursor().id(), walk.accounts());
                let length = walk.leave_run((wanted - batch.len()) as u64);
                // As long as the accounts follow each other, so do the ids.
                for (id, account) in (first..first + length).zip(accounts.handles()) {
                    add(batch, numbers(id, account, cpus))?;
                }
            }
            Ok(())
        })
    }
}

/// All numbers of an account.
#[inline(always)]
fn numbers(id: u64, account: Handle, cpus: Cpus) -> Numbers {
    let totals = cpus.total(account);
    let injected = failures::injected(account);
    let stalls = stalls::of(account).unwrap_or_default();
    Numbers {
        id,
        bytes: totals.bytes,
        calls: totals.calls,
        slack: totals.slack,
        allocs: totals.allocs,
        frees: totals.frees,
        allocated: totals.allocated,
        failed: failures::count(account),
        injected,
        stalls: stalls.count,
        stall_ns: stalls.ns,
        stall_max_ns: stalls.max_ns,
    }
}

impl Record for Names {
    const FIELDS: u32 = FIELDS;

    fn gather(cursor: &mut Cursor, batch: &mut KVec<Self>, wanted: usize) -> Result<u64, Full> {
        walk(cursor, |walk, sections| {
            let mut more = walk.settle(sections);
            while more && batch.len() < wanted {
                if let Some(row) = walk.row(sections) {
                    add(batch, names(walk.cursor().id(), &row))?;
                }
                more = walk.advance(sections);
            }
            Ok(())
        })
    }
}

/// The names of a call site.
fn names(id: u64, row: &Row<'_>) -> Names {
    let mut names: Names = zeroes();
    names.id = id;
    names.line = row.line;
    if !row.accurate {
        names.flags = bindings::ALLOCTAG_NAMES_INACCURATE;
    }
    put(&mut names.file, row.file);
    put(&mut names.function, row.function);
    put(&mut names.module, row.module.unwrap_or_default());
    names
}
