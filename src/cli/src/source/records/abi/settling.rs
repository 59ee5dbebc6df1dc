// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Waiting for what is freed later.

use std::os::fd::BorrowedFd;

use rustix::io::Errno;
use rustix::ioctl::{ioctl, opcode, NoArg, Opcode};

use super::TYPE;

/// `ALLOCTAG_IOC_SETTLE`.
pub(super) const SETTLE: Opcode = opcode::none(TYPE, 22);

/// Waits until all is freed that was to be after a grace period.
///
/// # Errors
///
/// What the kernel says.
pub(in crate::source::records) fn wait(file: BorrowedFd<'_>) -> Result<(), Errno> {
    // SAFETY: The kernel reads and writes nothing of ours.
    unsafe { ioctl(file, NoArg::<SETTLE>::new()) }
}
