// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Records of contexts, and of the functions that called.

use std::os::fd::BorrowedFd;

use rustix::io::Errno;
use rustix::ioctl::{ioctl, opcode, Opcode, Updater};

use super::{Query, Record, MODULE_SIZE, TYPE};

/// `struct alloctag_context`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::source::records) struct Context {
    pub(in crate::source::records) id: u64,
    pub(in crate::source::records) bytes: i64,
    pub(in crate::source::records) calls: u64,
    pub(in crate::source::records) slack: i64,
    pub(in crate::source::records) allocs: u64,
    pub(in crate::source::records) frees: u64,
    pub(in crate::source::records) allocated: u64,
    pub(in crate::source::records) site: u64,
    pub(in crate::source::records) keys: u64,
    pub(in crate::source::records) rule: u32,
    pub(in crate::source::records) flags: u32,
    pub(in crate::source::records) frames: u32,
    pub(in crate::source::records) pid: u32,
    pub(in crate::source::records) node: i32,
    pub(in crate::source::records) order: u32,
    pub(in crate::source::records) gfp: u32,
    pub(in crate::source::records) reserved: u32,
    pub(in crate::source::records) cgroup: u64,
    pub(in crate::source::records) every: u64,
    pub(in crate::source::records) age_from: u64,
    pub(in crate::source::records) age_to: u64,
    pub(in crate::source::records) comm: [u8; COMM_SIZE],
}

/// `ALLOCTAG_KEY_STACK` and so on: bits of [`Context::keys`].
pub(in crate::source::records) const STACK: u64 = 1 << 0;
/// See [`STACK`].
pub(in crate::source::records) const CALLER: u64 = 1 << 1;
/// See [`STACK`].
pub(in crate::source::records) const COMM: u64 = 1 << 2;
/// See [`STACK`].
pub(in crate::source::records) const PID: u64 = 1 << 3;
/// See [`STACK`].
pub(in crate::source::records) const NODE: u64 = 1 << 4;
/// See [`STACK`].
pub(in crate::source::records) const CGROUP: u64 = 1 << 5;
/// See [`STACK`].
pub(in crate::source::records) const GFP: u64 = 1 << 6;
/// See [`STACK`].
pub(in crate::source::records) const ORDER: u64 = 1 << 7;
/// See [`STACK`].
pub(in crate::source::records) const AGE: u64 = 1 << 8;

/// `ALLOCTAG_CONTEXT_INTERRUPT`.
pub(in crate::source::records) const INTERRUPT: u32 = 1 << 0;

/// `ALLOCTAG_COMM_SIZE` and `ALLOCTAG_SYMBOL_SIZE`: bytes of names with the zero behind them.
pub(in crate::source::records) const COMM_SIZE: usize = 16;
/// See [`COMM_SIZE`].
pub(in crate::source::records) const SYMBOL_SIZE: usize = 512;

/// `struct alloctag_frame`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(in crate::source::records) struct Frame {
    pub(in crate::source::records) context: u64,
    pub(in crate::source::records) place: u32,
    pub(in crate::source::records) offset: u32,
    pub(in crate::source::records) size: u32,
    pub(in crate::source::records) flags: u32,
    pub(in crate::source::records) function: [u8; SYMBOL_SIZE],
    pub(in crate::source::records) module: [u8; MODULE_SIZE],
}

impl Default for Frame {
    fn default() -> Frame {
        let (function, module) = ([0; SYMBOL_SIZE], [0; MODULE_SIZE]);
        Frame { context: 0, place: 0, offset: 0, size: 0, flags: 0, function, module }
    }
}

/// `ALLOCTAG_IOC_CONTEXTS`.
pub(super) const GET_CONTEXTS: Opcode = opcode::read_write::<Query>(TYPE, 18);
/// `ALLOCTAG_IOC_FRAMES`.
pub(super) const GET_FRAMES: Opcode = opcode::read_write::<Query>(TYPE, 19);

const _: () = {
    assert!(size_of::<Context>() == 152);
    assert!(size_of::<Frame>() == 600);
};

impl Record for Context {
    unsafe fn ask(file: BorrowedFd<'_>, query: &mut Query) -> Result<(), Errno> {
        // SAFETY: As for numbers: a `struct alloctag_query` that the caller vouches for.
        unsafe { ioctl(file, Updater::<GET_CONTEXTS, Query>::new(query)) }
    }
}

impl Record for Frame {
    unsafe fn ask(file: BorrowedFd<'_>, query: &mut Query) -> Result<(), Errno> {
        // SAFETY: As above.
        unsafe { ioctl(file, Updater::<GET_FRAMES, Query>::new(query)) }
    }
}
