// SPDX-License-Identifier: GPL-2.0-only

//! What users see.

mod asking;
#[cfg(all(CONFIG_DEBUG_FS, CONFIG_ALLOCTAG_STATS))]
mod debugfs;
pub mod ioctl;
mod listing;
mod numbers;
#[cfg(CONFIG_PRINTK)]
pub mod oom;
pub mod procfs;
mod reading;
#[cfg(all(CONFIG_DEBUG_FS, CONFIG_ALLOCTAG_STATS))]
mod sites;
#[cfg(CONFIG_SYSCTL)]
pub mod sysctl;

use crate::platform::{counters, switch};
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
    counters::init()?;
    procfs::init()?;
    #[cfg(all(CONFIG_DEBUG_FS, CONFIG_ALLOCTAG_STATS))]
    debugfs::init();
    Ok(())
}
