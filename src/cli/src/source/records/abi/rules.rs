// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Rules, as text.

use std::os::fd::BorrowedFd;

use rustix::io::Errno;
use rustix::ioctl::{ioctl, opcode, Opcode, Updater};

use super::TYPE;

/// `struct alloctag_text`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Text {
    pub(super) flags: u32,
    pub(super) size: u32,
    pub(super) text: u64,
    pub(super) length: u64,
}

/// `ALLOCTAG_IOC_RULES`.
pub(super) const SHOW: Opcode = opcode::read_write::<Text>(TYPE, 20);
/// `ALLOCTAG_IOC_OBEY`.
pub(super) const OBEY: Opcode = opcode::read_write::<Text>(TYPE, 21);

const _: () = assert!(size_of::<Text>() == 24);

/// Puts the list of rules into `room`, as far as it fits, and returns how long it is.
///
/// # Errors
///
/// What the kernel says.
pub(in crate::source::records) fn show(file: BorrowedFd<'_>, room: &mut [u8]) -> Result<usize, Errno> {
    let mut text = Text {
        size: u32::try_from(room.len()).map_err(|_| Errno::TOOBIG)?,
        // CAST: an address; the header wants 64 bits of it.
        text: room.as_mut_ptr() as usize as u64,
        ..Text::default()
    };
    // SAFETY: The opcode says that the kernel reads and writes one `struct alloctag_text`, whose layout `Text` has. It writes into
    // the room that is told in it, which is borrowed for us alone.
    unsafe { ioctl(file, Updater::<SHOW, Text>::new(&mut text)) }?;
    usize::try_from(text.length).map_err(|_| Errno::OVERFLOW)
}

/// `ALLOCTAG_TEXT_OWNED`: rules that are added go with the open file.
pub(in crate::source::records) const OWNED: u32 = 1 << 0;

/// Has the kernel obey a list of rules, by such flags.
///
/// # Errors
///
/// What the kernel says.
pub(in crate::source::records) fn obey(file: BorrowedFd<'_>, rules: &str, flags: u32) -> Result<(), Errno> {
    let mut text = Text {
        flags,
        size: u32::try_from(rules.len()).map_err(|_| Errno::TOOBIG)?,
        // CAST: as above.
        text: rules.as_ptr() as usize as u64,
        ..Text::default()
    };
    // SAFETY: As above; the kernel reads the text only.
    unsafe { ioctl(file, Updater::<OBEY, Text>::new(&mut text)) }
}
