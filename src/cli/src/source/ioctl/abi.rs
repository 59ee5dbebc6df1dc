// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The structures and numbers of `<uapi/linux/alloc_tag.h>`, and the three calls.
//!
//! C header: `include/uapi/linux/alloc_tag.h`.

#![allow(unsafe_code)]

use std::os::fd::BorrowedFd;

use rustix::io::Errno;
use rustix::ioctl::{ioctl, opcode, Getter, Opcode, Updater};

/// `ALLOCINFO_STR_SIZE`: bytes of a name's field, with the zero at its end.
pub(super) const STR_SIZE: usize = 64;

/// `struct allocinfo_tag`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag {
    pub(super) modname: [u8; STR_SIZE],
    pub(super) function: [u8; STR_SIZE],
    pub(super) filename: [u8; STR_SIZE],
    pub(super) lineno: u64,
}

impl Default for Tag {
    fn default() -> Self {
        Tag { modname: [0; STR_SIZE], function: [0; STR_SIZE], filename: [0; STR_SIZE], lineno: 0 }
    }
}

/// `struct allocinfo_counter`.
#[repr(C, align(8))]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counter {
    pub(super) bytes: u64,
    pub(super) calls: u64,
    pub(super) accurate: u8,
    pub(super) pad: [u8; 7],
}

/// `struct allocinfo_tag_data`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TagData {
    pub(super) tag: Tag,
    pub(super) counter: Counter,
}

impl TagData {
    /// The record that lies in these bytes as the kernel wrote it.
    pub(super) fn from_bytes(bytes: &[u8; size_of::<TagData>()]) -> TagData {
        let mut rest = bytes.as_slice();
        TagData {
            tag: Tag {
                modname: next(&mut rest),
                function: next(&mut rest),
                filename: next(&mut rest),
                lineno: u64::from_ne_bytes(next(&mut rest)),
            },
            counter: Counter {
                bytes: u64::from_ne_bytes(next(&mut rest)),
                calls: u64::from_ne_bytes(next(&mut rest)),
                accurate: u8::from_ne_bytes(next(&mut rest)),
                pad: next(&mut rest),
            },
        }
    }
}

/// Takes the next `N` bytes, which the caller knows to be there.
fn next<const N: usize>(rest: &mut &[u8]) -> [u8; N] {
    let (field, behind) = rest.split_first_chunk().expect("the fields add up to the record");
    *rest = behind;
    *field
}

pub(super) const MASK_MODNAME: u64 = 1 << 0;
pub(super) const MASK_FUNCTION: u64 = 1 << 1;
pub(super) const MASK_FILENAME: u64 = 1 << 2;
pub(super) const MASK_LINENO: u64 = 1 << 3;

/// `struct allocinfo_filter`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Filter {
    pub(super) mask: u64,
    pub(super) fields: Tag,
    pub(super) min_size: u64,
    pub(super) max_size: u64,
    pub(super) inaccurate: u64,
}

/// `struct allocinfo_get_at`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct GetAt {
    pos: u64,
    filter: Filter,
    data: TagData,
}

const BASE: u8 = 0xA6;
const CONTENT_ID: Opcode = opcode::read::<u64>(BASE, 0);
const GET_AT: Opcode = opcode::read_write::<GetAt>(BASE, 1);
const GET_NEXT: Opcode = opcode::read::<TagData>(BASE, 2);

const _: () = {
    assert!(size_of::<Tag>() == 200);
    assert!(size_of::<Counter>() == 24);
    assert!(size_of::<TagData>() == 224);
    assert!(size_of::<Filter>() == 232);
    assert!(size_of::<GetAt>() == 464);
};

/// `ALLOCINFO_IOC_CONTENT_ID`.
pub(super) fn content_id(file: BorrowedFd<'_>) -> Result<u64, Errno> {
    // SAFETY: The opcode says that the kernel writes one `struct allocinfo_content_id`, which is a `u64`. No file's driver
    // may write more than the size in the opcode.
    unsafe { ioctl(file, Getter::<CONTENT_ID, u64>::new()) }
}

/// `ALLOCINFO_IOC_GET_AT`: the match number `pos`. `filter` stays in force for `get_next`.
pub(super) fn get_at(file: BorrowedFd<'_>, pos: u64, filter: Filter) -> Result<TagData, Errno> {
    let mut request = GetAt { pos, filter, data: TagData::default() };
    // SAFETY: The opcode says that the kernel reads and writes one `struct allocinfo_get_at`, whose layout `GetAt` has; all
    // bit patterns are valid for it.
    unsafe { ioctl(file, Updater::<GET_AT, GetAt>::new(&mut request)) }?;
    Ok(request.data)
}

/// `ALLOCINFO_IOC_GET_NEXT`: the match after the last one returned.
pub(super) fn get_next(file: BorrowedFd<'_>) -> Result<TagData, Errno> {
    // SAFETY: The opcode says that the kernel writes one `struct allocinfo_tag_data`, whose layout `TagData` has; all bit
    // patterns are valid for it, and on success it has written all of it.
    unsafe { ioctl(file, Getter::<GET_NEXT, TagData>::new()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))]
    fn the_numbers_are_those_that_a_c_compiler_makes_of_the_header() {
        for (opcode, expected) in [(CONTENT_ID, 0x8008_a600), (GET_AT, 0xc1d0_a601), (GET_NEXT, 0x80e0_a602)] {
            assert_eq!(u64::from(opcode), expected);
        }
    }
}
