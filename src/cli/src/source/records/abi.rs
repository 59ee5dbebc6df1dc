// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The structures and numbers of `<uapi/linux/alloctag.h>`, and the calls.
//!
//! C header: `include/uapi/linux/alloctag.h`. A test has a C compiler compare both.

#![allow(unsafe_code)]

pub(super) mod context;
pub(super) mod histogram;
pub(super) mod rules;
pub(super) mod settling;

use std::os::fd::BorrowedFd;

use rustix::io::Errno;
use rustix::ioctl::{ioctl, opcode, Opcode, Updater};

use crate::model::Number;

/// `struct alloctag_query`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Query {
    pub(super) flags: u32,
    pub(super) record_size: u32,
    pub(super) room: u32,
    pub(super) count: u32,
    pub(super) records: u64,
    pub(super) content_id: u64,
    pub(super) fields: u64,
    pub(super) cursor: [u64; 2],
}

/// How many numbers a record has: that of each bit of `fields`, at the place of its bit.
pub(super) const NUMBERS: usize = 11;

/// `struct alloctag_numbers`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Numbers {
    pub(super) id: u64,
    pub(super) values: [u64; NUMBERS],
}

/// The bits of the numbers that every kernel counts, which are their places, too.
pub(super) const BYTES: u32 = 0;
/// See [`BYTES`].
pub(super) const CALLS: u32 = 1;

impl Numbers {
    /// The number at the place of that bit.
    pub(super) fn value(&self, bit: u32) -> i64 {
        // CAST: no record has more places than a u32 counts. A later kernel's numbers come without a place here.
        self.values.get(bit as usize).copied().unwrap_or(0).cast_signed()
    }
}

/// Whether `fields` says that the kernel counts `number`, and this code has a place for it.
pub(super) fn counts(fields: u64, number: Number) -> bool {
    let bit = number.about().bit;
    // CAST: as above.
    fields & (1 << bit) != 0 && (bit as usize) < NUMBERS
}

/// `ALLOCTAG_FILE_SIZE`, `ALLOCTAG_FUNCTION_SIZE` and `ALLOCTAG_MODULE_SIZE`: bytes of names with the zero behind them.
pub(super) const FILE_SIZE: usize = 256;
/// See [`FILE_SIZE`].
pub(super) const FUNCTION_SIZE: usize = 256;
/// See [`FILE_SIZE`].
pub(super) const MODULE_SIZE: usize = 64;

/// `struct alloctag_names`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Names {
    pub(super) id: u64,
    pub(super) line: u32,
    pub(super) flags: u32,
    pub(super) file: [u8; FILE_SIZE],
    pub(super) function: [u8; FUNCTION_SIZE],
    pub(super) module: [u8; MODULE_SIZE],
}

impl Default for Names {
    fn default() -> Names {
        let (file, function, module) = ([0; FILE_SIZE], [0; FUNCTION_SIZE], [0; MODULE_SIZE]);
        Names { id: 0, line: 0, flags: 0, file, function, module }
    }
}

/// `ALLOCTAG_NAMES_INACCURATE`.
pub(super) const INACCURATE: u32 = 1 << 0;

const TYPE: u8 = 0xA6;
const GET_NUMBERS: Opcode = opcode::read_write::<Query>(TYPE, 16);
const GET_NAMES: Opcode = opcode::read_write::<Query>(TYPE, 17);

const _: () = {
    assert!(size_of::<Query>() == 56);
    assert!(size_of::<Numbers>() == 96);
    assert!(size_of::<Names>() == 592);
};

/// A record that the kernel writes: of plain integers without padding, so that all bit patterns are valid for it.
pub(super) trait Record: Copy + Default {
    /// Makes the request. `query.records` is the address of room for `query.room` records of this kind.
    ///
    /// # Safety
    ///
    /// So it is, and nobody else uses that room meanwhile.
    unsafe fn ask(file: BorrowedFd<'_>, query: &mut Query) -> Result<(), Errno>;
}

impl Record for Numbers {
    unsafe fn ask(file: BorrowedFd<'_>, query: &mut Query) -> Result<(), Errno> {
        // SAFETY: The opcode says that the kernel reads and writes one `struct alloctag_query`, whose layout `Query` has. It
        // writes records of the size and into the room that are told in it, which the caller vouches for.
        unsafe { ioctl(file, Updater::<GET_NUMBERS, Query>::new(query)) }
    }
}

impl Record for Names {
    unsafe fn ask(file: BorrowedFd<'_>, query: &mut Query) -> Result<(), Errno> {
        // SAFETY: As above.
        unsafe { ioctl(file, Updater::<GET_NAMES, Query>::new(query)) }
    }
}

/// What the kernel answered beside the records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Answer {
    /// How many records it has written; none at the end.
    pub(super) count: usize,
    pub(super) fields: u64,
    /// What changes when call sites come or go.
    pub(super) content_id: u64,
}

/// Asks for the records behind `cursor`, which it moves behind the last of them.
pub(super) fn ask<R: Record>(file: BorrowedFd<'_>, cursor: &mut [u64; 2], room: &mut [R]) -> Result<Answer, Errno> {
    let fits = |size: usize| u32::try_from(size).map_err(|_| Errno::INVAL);
    let mut query = Query {
        record_size: fits(size_of::<R>())?,
        room: fits(room.len())?,
        // CAST: an address; the header wants 64 bits of it.
        records: room.as_mut_ptr() as usize as u64,
        cursor: *cursor,
        ..Query::default()
    };
    // SAFETY: The address and the room are those of `room`, which is borrowed for us alone.
    unsafe { R::ask(file, &mut query) }?;
    *cursor = query.cursor;
    // CAST: a u32 fits. More than there is room for makes no sense.
    let count = Some(query.count as usize).filter(|&count| count <= room.len()).ok_or(Errno::OVERFLOW)?;
    Ok(Answer { count, fields: query.fields, content_id: query.content_id })
}

#[cfg(test)]
#[path = "abi/tests.rs"]
mod tests;
