// SPDX-License-Identifier: GPL-2.0-only

//! The ioctls of `/proc/allocinfo`.
//!
//! C header: `include/uapi/linux/alloc_tag.h`. One record a call: either the one at a place among
//! those that match a filter, or the next one.

use super::{procfs::Reading, window::Window};
use crate::{
    model::{
        cursor::Cursor,
        wire::{Filter, GetAt, Record},
    },
    platform::seq::Locked,
    registry::{self, Sections},
};
use core::{
    mem::{size_of, zeroed},
    ptr::from_ref,
    slice,
};
use kernel::{
    bindings,
    ffi::{c_long, c_uint, c_ulong},
    ioctl::{_IOR, _IOWR},
    prelude::*,
    uaccess::{UserPtr, UserSlice},
};

/// How many accounts are summed at a time by who looks for totals; the sums are on the stack.
const WINDOW: usize = 16;

const BASE: u32 = bindings::ALLOCINFO_IOC_BASE;
const CONTENT_ID: u32 = _IOR::<bindings::allocinfo_content_id>(BASE, 0);
const GET_AT: u32 = _IOWR::<bindings::allocinfo_get_at>(BASE, 1);
const GET_NEXT: u32 = _IOR::<bindings::allocinfo_tag_data>(BASE, 2);

const _: () = assert!(size_of::<GetAt>() == size_of::<bindings::allocinfo_get_at>());
const _: () = assert!(size_of::<Record>() == size_of::<bindings::allocinfo_tag_data>());

/// What the ioctls of an open file remember. All zeroes is a file that was just opened.
pub(super) struct Asking {
    /// Behind the record that was given last.
    cursor: Cursor,
    /// Whether the next record is asked for from there, or from the beginning.
    positioned: bool,
    filter: Filter,
}

/// Answers an ioctl.
///
/// # Safety
///
/// As procfs calls it, on a file that `procfs::open()` opened.
pub(super) unsafe extern "C" fn ioctl(
    file: *mut bindings::file,
    command: c_uint,
    argument: c_ulong,
) -> c_long {
    let user = UserPtr::from_addr(argument);
    let result = match command {
        CONTENT_ID => write(user, &registry::read().content()),
        // SAFETY: An open file of ours.
        GET_AT => get_at(user, &mut unsafe { Locked::new(file) }),
        // SAFETY: Likewise.
        GET_NEXT => get_next(user, &mut unsafe { Locked::new(file) }),
        _ => Err(ENOIOCTLCMD),
    };
    match result {
        Ok(()) => 0,
        Err(error) => error.to_errno() as c_long,
    }
}

/// The same for a task of 32 bits, whose pointers are shorter and whose records are the same.
///
/// # Safety
///
/// As for [`ioctl()`].
#[cfg(CONFIG_COMPAT)]
pub(super) unsafe extern "C" fn compat_ioctl(
    file: *mut bindings::file,
    command: c_uint,
    argument: c_ulong,
) -> c_long {
    // SAFETY: By the caller's promise. The cast is what `compat_ptr()` does.
    unsafe { ioctl(file, command, argument as u32 as c_ulong) }
}

/// Looks for a place among the matches, and remembers it and the filter.
fn get_at(user: UserPtr, file: &mut Locked<'_, Reading>) -> Result {
    let mut question: GetAt = read(user)?;
    if !question.filter.is_valid() {
        return Err(EINVAL);
    }
    let record = {
        let sections = registry::read();
        if question.position >= sections.count() as u64 {
            return Err(ENOENT);
        }
        let asking = &mut file.asking;
        asking.filter = question.filter;
        asking.cursor = Cursor::START;
        let mut record = None;
        for _ in 0..=question.position {
            record = asking.next(&sections);
            if record.is_none() {
                break;
            }
        }
        asking.positioned |= record.is_some();
        record
    };
    question.record = record.ok_or(ENOENT)?;
    write(user, &question)
}

/// Goes on to the next match; at the end, the next question begins anew.
fn get_next(user: UserPtr, file: &mut Locked<'_, Reading>) -> Result {
    let asking = &mut file.asking;
    if !asking.positioned {
        asking.cursor = Cursor::START;
    }
    let record = asking.next(&registry::read());
    asking.positioned = record.is_some();
    write(user, &record.ok_or(ENOENT)?)
}

impl Asking {
    /// The next record that matches.
    fn next(&mut self, sections: &Sections) -> Option<Record> {
        let mut window = Window::<WINDOW>::new();
        // Most questions are for the next row; who looks on, looks at ever more rows at a time.
        let mut most = 1;
        while let Some(entry) = sections.entry(&mut self.cursor) {
            self.cursor.advance();
            let row = entry.row;
            if !self.filter.matches(&row) {
                continue;
            }
            let totals = window.totals(entry.handle, entry.run, most);
            if self.filter.fits(totals) {
                return Some(Record::new(&row, totals));
            }
            most = (most * 2).min(WINDOW);
        }
        None
    }
}

/// A record of the ABI, which is numbers throughout and has no gaps.
///
/// # Safety
///
/// Any bytes are a value, and every value is bytes.
unsafe trait Plain: Sized {}

// SAFETY: Numbers and arrays of bytes; the sizes above leave no room for a gap.
unsafe impl Plain for GetAt {}
// SAFETY: Likewise.
unsafe impl Plain for Record {}
// SAFETY: A number.
unsafe impl Plain for u64 {}

fn read<T: Plain>(user: UserPtr) -> Result<T> {
    // SAFETY: Any bytes are a value: zeroes now, then those that are read.
    let (mut value, length) = (unsafe { zeroed::<T>() }, size_of::<T>());
    // SAFETY: These are the bytes of `value`.
    let bytes = unsafe { slice::from_raw_parts_mut((&raw mut value).cast::<u8>(), length) };
    UserSlice::new(user, length).reader().read_slice(bytes)?;
    Ok(value)
}

fn write<T: Plain>(user: UserPtr, value: &T) -> Result {
    // SAFETY: Every value is bytes.
    let bytes = unsafe { slice::from_raw_parts(from_ref(value).cast::<u8>(), size_of::<T>()) };
    UserSlice::new(user, bytes.len())
        .writer()
        .write_slice(bytes)
}
