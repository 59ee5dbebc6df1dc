// SPDX-License-Identifier: GPL-2.0-only

//! The ioctls of `/proc/allocinfo`.
//!
//! C header: `include/uapi/linux/alloc_tag.h`. One record a call: either the one at a place among
//! those that match a filter, or the next one.

use super::{procfs::Reading, window::Window};
use crate::{
    model::{
        text::Row,
        totals::Totals,
        wire::{Filter, GetAt, Record},
    },
    platform::{resched, seq::Locked},
    registry::{self, walk::Walk, Sections},
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

const BASE: u32 = bindings::ALLOCINFO_IOC_BASE;
const CONTENT_ID: u32 = _IOR::<bindings::allocinfo_content_id>(BASE, 0);
const GET_AT: u32 = _IOWR::<bindings::allocinfo_get_at>(BASE, 1);
const GET_NEXT: u32 = _IOR::<bindings::allocinfo_tag_data>(BASE, 2);

const _: () = assert!(size_of::<GetAt>() == size_of::<bindings::allocinfo_get_at>());
const _: () = assert!(size_of::<Record>() == size_of::<bindings::allocinfo_tag_data>());

/// What the ioctls of an open file remember. All zeroes is a file that was just opened.
pub(super) struct Asking {
    /// Behind the record that was given last.
    walk: Walk,
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
    // SAFETY: An open file of ours.
    let lock = || unsafe { Locked::new(file) };
    let result = match command {
        CONTENT_ID => content_id(user),
        GET_AT => get_at(user, lock),
        GET_NEXT => get_next(user, lock),
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

// Nothing is locked while the user's memory is read or written, whose pages may be long in coming:
// each lock is taken in a function that returns before.

/// Gives the content id.
fn content_id(user: UserPtr) -> Result {
    let id = registry::begin_to_read().content();
    write(user, &id)
}

/// Gives the record at a place among the matches, and remembers the place and the filter.
fn get_at<'a>(user: UserPtr, lock: impl FnOnce() -> Locked<'a, Reading>) -> Result {
    let mut question: GetAt = read(user)?;
    if !question.filter.is_valid() {
        return Err(EINVAL);
    }
    find_at(&mut lock(), &mut question)?;
    write(user, &question)
}

fn find_at(reading: &mut Reading, question: &mut GetAt) -> Result {
    let sections = match question.position {
        0 => registry::begin_to_read(),
        _ => registry::read(),
    };
    if question.position >= sections.count() as u64 {
        return Err(ENOENT);
    }
    let Reading { asking, window, .. } = reading;
    window.forget();
    asking.filter = question.filter;
    asking.walk = Walk::START;
    let found = asking.find(&sections, window, question.position);
    let (row, totals) = found.ok_or(ENOENT)?;
    asking.positioned = true;
    question.record = zeroes();
    question.record.fill(&row, totals);
    Ok(())
}

/// Gives the record of the next match; behind the last, the next question begins anew.
fn get_next<'a>(user: UserPtr, lock: impl FnOnce() -> Locked<'a, Reading>) -> Result {
    let mut record = zeroes::<Record>();
    find_next(&mut lock(), &mut record)?;
    write(user, &record)
}

fn find_next(reading: &mut Reading, record: &mut Record) -> Result {
    let Reading { asking, window, .. } = reading;
    window.forget();
    let sections = if asking.positioned {
        registry::read()
    } else {
        asking.walk = Walk::START;
        registry::begin_to_read()
    };
    let found = asking.find(&sections, window, 0);
    asking.positioned = found.is_some();
    let (row, totals) = found.ok_or(ENOENT)?;
    record.fill(&row, totals);
    Ok(())
}

impl Asking {
    /// Passes over some call sites that match, finds the next that does, and leaves it.
    fn find<'a, const ROOM: usize>(
        &mut self,
        sections: &'a Sections,
        window: &mut Window<ROOM>,
        mut over: u64,
    ) -> Option<(Row<'a>, Totals)> {
        if self.filter.matches_all() {
            self.pass(sections, over);
            over = 0;
        }
        // Counters are read of the call site that is found, and of others where sizes are asked for:
        // then of ever more at a time, because mostly the next one is found.
        let sizes = self.filter.asks_for_sizes();
        let (mut most, mut steps) = (1, 0);
        let mut more = self.walk.settle(sections);
        while more {
            if self.matches(sections) {
                let mut totals = Totals::default();
                if sizes || over == 0 {
                    totals = window.totals(self.walk.accounts(), most);
                }
                if sizes {
                    most = (most * 2).min(ROOM);
                }
                if !self.filter.fits(totals) {
                    // Too large, or too small.
                } else if over > 0 {
                    over -= 1;
                } else if let Some(row) = self.walk.row(sections) {
                    self.walk.leave();
                    return Some((row, totals));
                }
            }
            steps += 1;
            resched::at_step(steps);
            more = self.walk.advance(sections);
        }
        None
    }

    /// Passes over some call sites without a look at them.
    fn pass(&mut self, sections: &Sections, mut over: u64) {
        let mut steps = 0;
        while over > 0 && self.walk.settle(sections) {
            over -= self.walk.leave_run(over);
            steps += 1;
            resched::at_step(steps);
        }
    }

    /// Whether the call site is wanted, as far as its totals do not matter. Its names are looked at
    /// no more than the filter asks.
    fn matches(&self, sections: &Sections) -> bool {
        if !self.filter.asks_for_sites() {
            return true;
        }
        let file = self.walk.file(sections);
        file.is_some_and(|file| self.filter.matches_file(file))
            && (self.walk.row(sections)).is_some_and(|row| self.filter.matches(&row))
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

fn zeroes<T: Plain>() -> T {
    // SAFETY: Any bytes are a value.
    unsafe { zeroed() }
}

fn read<T: Plain>(user: UserPtr) -> Result<T> {
    let (mut value, length) = (zeroes::<T>(), size_of::<T>());
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
