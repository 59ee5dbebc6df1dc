// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Waiting for what is freed later.

use std::os::fd::AsFd;

use rustix::io::Errno;

use super::abi::settling;

/// Waits until all is freed that was to be after a grace period, and was given to RCU before.
///
/// # Errors
///
/// What the kernel says.
pub fn wait(file: impl AsFd) -> Result<(), Errno> {
    settling::wait(file.as_fd())
}
