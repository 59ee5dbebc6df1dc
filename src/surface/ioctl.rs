// SPDX-License-Identifier: GPL-2.0-only

//! The ioctls of `/proc/allocinfo`.
//!
//! C headers: `include/uapi/linux/alloc_tag.h`, with one record a call: either the one at a place among those that match a
//! filter, or the next one; and `include/uapi/linux/alloctag.h`, with many.

mod contexts;
mod frames;
#[cfg(CONFIG_ALLOCTAG_STALLS)]
mod histograms;
mod numbers;
mod plain;
mod query;
mod rules;

use super::{asking::Asking, reading::Reading};
use crate::{
    model::wire::{GetAt, Record},
    platform::{credentials, seq, settling},
    registry,
};
use core::mem::size_of;
use kernel::{
    bindings::{
        self, alloctag_context as Context, alloctag_frame as Frame, alloctag_names as Names,
        alloctag_numbers as Numbers, alloctag_query as Query, alloctag_text as Text,
    },
    ffi::{c_long, c_uint, c_ulong},
    ioctl::{_IO, _IOC_SIZE, _IOR, _IOWR},
    prelude::*,
    sync::Mutex,
    uaccess::UserPtr,
};
use plain::{read, write, zeroes, Plain};

const BASE: u32 = bindings::ALLOCINFO_IOC_BASE;
const CONTENT_ID: u32 = _IOR::<bindings::allocinfo_content_id>(BASE, 0);
const GET_AT: u32 = _IOWR::<bindings::allocinfo_get_at>(BASE, 1);
const GET_NEXT: u32 = _IOR::<bindings::allocinfo_tag_data>(BASE, 2);

/// The bits of a request's number that say the size of its argument, which may grow.
const SIZE_BITS: u32 = bindings::_IOC_SIZEMASK << bindings::_IOC_SIZESHIFT;

/// The request of that number, without the size of its argument.
const fn request<T>(number: u32) -> u32 {
    _IOWR::<T>(bindings::ALLOCTAG_IOC_TYPE, number) & !SIZE_BITS
}

const NUMBERS: u32 = request::<Query>(16);
const NAMES: u32 = request::<Query>(17);
const CONTEXTS: u32 = request::<Query>(18);
const FRAMES: u32 = request::<Query>(19);
const RULES: u32 = request::<Text>(20);
const OBEY: u32 = request::<Text>(21);
const SETTLE: u32 = _IO(bindings::ALLOCTAG_IOC_TYPE, 22);
#[cfg(CONFIG_ALLOCTAG_STALLS)]
const HISTOGRAMS: u32 = request::<Query>(23);

const _: () = assert!(size_of::<GetAt>() == size_of::<bindings::allocinfo_get_at>());
const _: () = assert!(size_of::<Record>() == size_of::<bindings::allocinfo_tag_data>());

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
    // SAFETY: An open file of ours, whose lock was made when it was opened. Others use the rest of it meanwhile.
    let asking = unsafe { &*(&raw const (*seq::private_of::<Reading>(file)).asking) };
    let result = match command {
        CONTENT_ID => content_id(user),
        GET_AT => get_at(user, asking),
        GET_NEXT => get_next(user, asking),
        // SAFETY: The file is open.
        _ => unsafe { answer(file, command, user) },
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

/// Answers a question whose size may grow.
///
/// # Safety
///
/// `file` is open.
unsafe fn answer(file: *mut bindings::file, command: c_uint, user: UserPtr) -> Result {
    let size = _IOC_SIZE(command);
    match command & !SIZE_BITS {
        NUMBERS => query::answer::<Numbers>(user, size),
        NAMES => query::answer::<Names>(user, size),
        CONTEXTS => query::answer::<Context>(user, size),
        // SAFETY: By the caller's promise.
        FRAMES if !unsafe { credentials::may_see_addresses(file) } => Err(EPERM),
        FRAMES => query::answer::<Frame>(user, size),
        #[cfg(CONFIG_ALLOCTAG_STALLS)]
        HISTOGRAMS => query::answer::<bindings::alloctag_histogram>(user, size),
        RULES => rules::show(user, size),
        OBEY | SETTLE if !credentials::may_administer() => Err(EPERM),
        OBEY => {
            // SAFETY: By the caller's promise. Others use the rest of it meanwhile.
            let ownership = unsafe { &*(&raw const (*seq::private_of::<Reading>(file)).ownership) };
            rules::obey(user, size, ownership)
        }
        SETTLE => {
            settling::wait();
            Ok(())
        }
        _ => Err(ENOIOCTLCMD),
    }
}

// Nothing is locked while the user's memory is read or written, whose pages may be long in coming:
// each lock is taken in a function that returns before.

/// Gives the content id.
fn content_id(user: UserPtr) -> Result {
    let id = registry::begin_to_read().content();
    write(user, &id)
}

/// Gives the record at a place among the matches, and remembers the place and the filter.
fn get_at(user: UserPtr, asking: &Mutex<Asking>) -> Result {
    let mut question: GetAt = read(user)?;
    if !question.filter.is_valid() {
        return Err(EINVAL);
    }
    find_at(asking, &mut question)?;
    write(user, &question)
}

fn find_at(asking: &Mutex<Asking>, question: &mut GetAt) -> Result {
    let mut asking = asking.lock();
    let sections = match question.position {
        0 => registry::begin_to_read(),
        _ => registry::read(),
    };
    if question.position >= sections.count() as u64 {
        return Err(ENOENT);
    }
    let found = asking.at(&sections, question.filter, question.position);
    let (row, totals) = found.ok_or(ENOENT)?;
    question.record = zeroes();
    question.record.fill(&row, totals);
    Ok(())
}

/// Gives the record of the next match; behind the last, the next question begins anew.
fn get_next(user: UserPtr, asking: &Mutex<Asking>) -> Result {
    let mut record = zeroes::<Record>();
    find_next(asking, &mut record)?;
    write(user, &record)
}

fn find_next(asking: &Mutex<Asking>, record: &mut Record) -> Result {
    let mut asking = asking.lock();
    let sections = if asking.is_positioned() {
        registry::read()
    } else {
        registry::begin_to_read()
    };
    let (row, totals) = asking.next(&sections).ok_or(ENOENT)?;
    record.fill(&row, totals);
    Ok(())
}

// SAFETY: Numbers and arrays of bytes; the sizes above leave no room for a gap.
unsafe impl Plain for GetAt {}
// SAFETY: Likewise.
unsafe impl Plain for Record {}
