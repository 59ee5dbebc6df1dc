// SPDX-License-Identifier: GPL-2.0-only

//! The ioctls of `/proc/allocinfo` that give many records at a time, with all numbers of call sites or with their names.
//!
//! C header: `include/uapi/linux/alloctag.h`.

use crate::{
    model::{cursor::Cursor, handle::Handle, text::Row},
    platform::{counters::Cpus, failures, resched},
    registry::{self, walk::Walk, Sections},
};
use core::{
    mem::{size_of, zeroed},
    ptr::from_ref,
    slice::{from_raw_parts, from_raw_parts_mut},
};
use kernel::{
    alloc_hooks,
    bindings::{
        self, alloctag_names as Names, alloctag_numbers as Numbers, alloctag_query as Query,
    },
    ioctl::{_IOC_SIZE, _IOWR},
    prelude::*,
    uaccess::{UserPtr, UserSlice, UserSliceWriter},
};

const NUMBERS: u32 = _IOWR::<Query>(bindings::ALLOCTAG_IOC_TYPE, 16);
const NAMES: u32 = _IOWR::<Query>(bindings::ALLOCTAG_IOC_TYPE, 17);

/// The bits of a request's number that say the size of its argument.
const SIZE_BITS: u32 = bindings::_IOC_SIZEMASK << bindings::_IOC_SIZESHIFT;

/// Bytes of the query and of the records in their first versions.
const QUERY_SIZE: usize = 56;
const NUMBERS_SIZE: usize = 64;
const NAMES_SIZE: usize = 592;
const _: () = assert!(size_of::<Query>() == QUERY_SIZE);
const _: () = assert!(size_of::<Numbers>() == NUMBERS_SIZE);
const _: () = assert!(size_of::<Names>() == NAMES_SIZE);

/// Records are gathered in so many bytes, for which the list is held once; longer than that none may be.
const BATCH: usize = 4096;

/// The numbers that are counted.
const FIELDS: u64 = {
    let live = bindings::ALLOCTAG_FIELD_BYTES | bindings::ALLOCTAG_FIELD_CALLS;
    let stats = bindings::ALLOCTAG_FIELD_SLACK
        | bindings::ALLOCTAG_FIELD_ALLOCS
        | bindings::ALLOCTAG_FIELD_FREES
        | bindings::ALLOCTAG_FIELD_ALLOCATED
        | bindings::ALLOCTAG_FIELD_FAILED;
    (if cfg!(CONFIG_ALLOCTAG_STATS) {
        live | stats
    } else {
        live
    }) as u64
};

/// Answers, where that is one of these requests.
///
/// # Errors
///
/// `ENOIOCTLCMD` where it is another.
pub(super) fn answer(command: u32, user: UserPtr) -> Result {
    let size = _IOC_SIZE(command);
    match command & !SIZE_BITS {
        number if number == NUMBERS & !SIZE_BITS => give::<Numbers>(user, size),
        number if number == NAMES & !SIZE_BITS => give::<Names>(user, size),
        _ => Err(ENOIOCTLCMD),
    }
}

/// A record, which is plain bytes without gaps.
///
/// # Safety
///
/// Any bytes are a value, and every value is bytes.
unsafe trait Record: Sized {
    /// Adds those of the call sites at which the walk is to a batch that has room, until there are so many, and leaves these.
    fn gather(
        walk: &mut Walk,
        sections: &Sections,
        batch: &mut KVec<Self>,
        wanted: usize,
    ) -> Result<(), Full>;
}

/// There was no room after all.
struct Full;

/// Adds a record.
#[inline(always)]
fn add<R>(batch: &mut KVec<R>, record: R) -> Result<(), Full> {
    batch.push_within_capacity(record).map_err(|_| Full)
}

// SAFETY: Words of 64 bits.
unsafe impl Record for Numbers {
    fn gather(
        walk: &mut Walk,
        sections: &Sections,
        batch: &mut KVec<Self>,
        wanted: usize,
    ) -> Result<(), Full> {
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
    }
}

/// All numbers of an account.
#[inline(always)]
fn numbers(id: u64, account: Handle, cpus: Cpus) -> Numbers {
    let totals = cpus.total(account);
    Numbers {
        id,
        bytes: totals.bytes,
        calls: totals.calls,
        slack: totals.slack,
        allocs: totals.allocs,
        frees: totals.frees,
        allocated: totals.allocated,
        failed: failures::count(account),
    }
}

// SAFETY: Words and bytes; by the size above there is no gap.
unsafe impl Record for Names {
    fn gather(
        walk: &mut Walk,
        sections: &Sections,
        batch: &mut KVec<Self>,
        wanted: usize,
    ) -> Result<(), Full> {
        let mut more = walk.settle(sections);
        while more && batch.len() < wanted {
            if let Some(row) = walk.row(sections) {
                add(batch, names(walk.cursor().id(), &row))?;
            }
            more = walk.advance(sections);
        }
        Ok(())
    }
}

/// The names of a call site.
fn names(id: u64, row: &Row<'_>) -> Names {
    // SAFETY: Any bytes are a value.
    let mut names: Names = unsafe { zeroed() };
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

/// Puts a name into a field that ends with a zero, as far as there is room.
fn put(field: &mut [kernel::ffi::c_char], name: &[u8]) {
    let room = field.len() - 1;
    for (to, from) in field.iter_mut().take(room).zip(name) {
        *to = *from as _;
    }
}

/// Reads the query, gives the records, and writes back how many these were and where they end.
fn give<R: Record>(user: UserPtr, size: usize) -> Result {
    let mut query = read(user, size)?;
    let record_size = query.record_size as usize;
    let is_known = (size_of::<R>()..=BATCH).contains(&record_size);
    if query.flags != 0 || !is_known || record_size % size_of::<u64>() != 0 {
        return Err(EINVAL);
    }
    let length = record_size.checked_mul(query.room as usize).ok_or(EINVAL)?;
    let mut records = Records {
        user: UserSlice::new(UserPtr::from_addr(query.records as usize), length).writer(),
        record_size,
    };
    let room = (BATCH / size_of::<R>()).max(1);
    let mut batch = alloc_hooks!(KVec::<R>::with_capacity(room, GFP_KERNEL))?;
    let mut cursor = Cursor::from_words(query.cursor);
    query.count = 0;
    query.content_id = 0;
    query.fields = FIELDS;
    // Nothing is locked while the user's memory is written, whose pages may be long in coming.
    while query.count < query.room {
        let wanted = room.min((query.room - query.count) as usize);
        let content = gather(&mut cursor, &mut batch, wanted);
        if query.count == 0 {
            query.content_id = content;
        }
        records.write(&batch)?;
        query.count += batch.len() as u32;
        if batch.len() < wanted || current!().signal_pending() {
            break;
        }
        resched::at_step(0);
    }
    query.cursor = cursor.to_words();
    UserSlice::new(user, QUERY_SIZE)
        .writer()
        .write_slice(bytes_of(from_ref(&query), 1))
}

/// Reads a query of so many bytes, of which those that are unknown here are zeroes.
fn read(user: UserPtr, size: usize) -> Result<Query> {
    if size < QUERY_SIZE {
        return Err(EINVAL);
    }
    let mut reader = UserSlice::new(user, size).reader();
    // SAFETY: Any bytes are a value.
    let mut query: Query = unsafe { zeroed() };
    // SAFETY: These are the query's bytes, any of which are a value.
    reader.read_slice(unsafe { from_raw_parts_mut((&raw mut query).cast::<u8>(), QUERY_SIZE) })?;
    while !reader.is_empty() {
        if reader.read::<u8>()? != 0 {
            return Err(E2BIG);
        }
    }
    Ok(query)
}

/// Fills the batch with up to so many records from the cursor on. Returns the list's content id.
fn gather<R: Record>(cursor: &mut Cursor, batch: &mut KVec<R>, wanted: usize) -> u64 {
    let sections = match cursor.to_words() {
        [0, 0] => registry::begin_to_read(),
        _ => registry::read(),
    };
    batch.clear();
    let mut walk = Walk::at(*cursor);
    // There is room for as many as are wanted.
    let _ = R::gather(&mut walk, &sections, batch, wanted);
    *cursor = walk.cursor();
    sections.content()
}

/// The bytes of some records.
fn bytes_of<'a, T>(first: *const T, count: usize) -> &'a [u8] {
    // SAFETY: Called with records, and with the query, whose values are all bytes.
    unsafe { from_raw_parts(first.cast::<u8>(), count * size_of::<T>()) }
}

/// Where the user wants the records.
struct Records {
    user: UserSliceWriter,
    record_size: usize,
}

impl Records {
    /// Writes some, each as long as the user knows it.
    fn write<R: Record>(&mut self, batch: &[R]) -> Result {
        if self.record_size == size_of::<R>() {
            return self.user.write_slice(bytes_of(batch.as_ptr(), batch.len()));
        }
        for record in batch {
            self.user.write_slice(bytes_of(from_ref(record), 1))?;
            for _ in (size_of::<R>()..self.record_size).step_by(size_of::<u64>()) {
                self.user.write_slice(&[0; size_of::<u64>()])?;
            }
        }
        Ok(())
    }
}
