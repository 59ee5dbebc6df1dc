// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Records of how long something took.

use std::os::fd::BorrowedFd;

use rustix::io::Errno;
use rustix::ioctl::{ioctl, opcode, Opcode, Updater};

use super::{Query, TYPE};
use crate::model::{self, BUCKETS};

/// `struct alloctag_histogram`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(in crate::source::records) struct Record {
    pub(in crate::source::records) id: u64,
    pub(in crate::source::records) kind: u32,
    pub(in crate::source::records) flags: u32,
    pub(in crate::source::records) count: u64,
    pub(in crate::source::records) ns: u64,
    pub(in crate::source::records) min_ns: u64,
    pub(in crate::source::records) max_ns: u64,
    pub(in crate::source::records) lost: u64,
    pub(in crate::source::records) reserved: u64,
    pub(in crate::source::records) buckets: [u64; BUCKETS],
}

impl Default for Record {
    fn default() -> Record {
        let buckets = [0; BUCKETS];
        Record { id: 0, kind: 0, flags: 0, count: 0, ns: 0, min_ns: 0, max_ns: 0, lost: 0, reserved: 0, buckets }
    }
}

impl Record {
    /// What was measured.
    pub(in crate::source::records) fn times(&self) -> model::Histogram {
        model::Histogram::new(self.count, self.ns, self.min_ns, self.max_ns, self.buckets)
    }
}

/// What is waited for: `ALLOCTAG_HISTOGRAM_RECLAIM` and so on, each at the place of its number.
pub(in crate::source::records) const CAUSES: [&str; 7] =
    ["reclaim", "compaction", "oom", "pages", "slab", "percpu", "vmalloc"];
/// `ALLOCTAG_HISTOGRAM_LATENCY`, `ALLOCTAG_HISTOGRAM_LIFETIMES` and `ALLOCTAG_HISTOGRAM_AGES`.
pub(in crate::source::records) const LATENCY: u32 = 7;
/// See [`LATENCY`].
pub(in crate::source::records) const LIFETIMES: u32 = 8;
/// See [`LATENCY`].
pub(in crate::source::records) const AGES: u32 = 9;

/// `ALLOCTAG_HISTOGRAM_SHARED`.
pub(in crate::source::records) const SHARED: u32 = 1 << 0;

/// `ALLOCTAG_IOC_HISTOGRAMS`.
pub(super) const GET_HISTOGRAMS: Opcode = opcode::read_write::<Query>(TYPE, 23);

const _: () = assert!(size_of::<Record>() == 384);

impl super::Record for Record {
    unsafe fn ask(file: BorrowedFd<'_>, query: &mut Query) -> Result<(), Errno> {
        // SAFETY: As for numbers: a `struct alloctag_query` that the caller vouches for.
        unsafe { ioctl(file, Updater::<GET_HISTOGRAMS, Query>::new(query)) }
    }
}
