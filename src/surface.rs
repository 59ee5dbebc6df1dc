// SPDX-License-Identifier: GPL-2.0-only

//! What users see.

pub mod ioctl;
#[cfg(CONFIG_PRINTK)]
pub mod oom;
pub mod procfs;
#[cfg(CONFIG_SYSCTL)]
pub mod sysctl;
mod window;

use crate::platform::switch;
use kernel::prelude::*;

/// Creates the files.
///
/// # Errors
///
/// `ENOMEM` where a file cannot be created.
#[link_section = ".init.text"]
pub fn init() -> Result {
    #[cfg(CONFIG_SYSCTL)]
    sysctl::init();
    if !switch::supported() {
        pr_info!("not supported in this boot\n");
        return Ok(());
    }
    procfs::init()
}
