// SPDX-License-Identifier: GPL-2.0-only

//! What users see.

mod asking;
mod commands;
#[cfg(CONFIG_DEBUG_FS)]
mod contexts;
#[cfg(CONFIG_DEBUG_FS)]
mod control;
#[cfg(CONFIG_DEBUG_FS)]
mod debugfs;
#[cfg(all(CONFIG_DEBUG_FS, CONFIG_ALLOCTAG_STALLS))]
mod histograms;
pub mod ioctl;
#[cfg(all(CONFIG_DEBUG_FS, CONFIG_ALLOCTAG_LATENCY))]
mod latency;
#[cfg(all(CONFIG_DEBUG_FS, CONFIG_ALLOCTAG_LIFETIMES))]
mod lifetimes;
mod listing;
#[cfg(CONFIG_PRINTK)]
pub mod oom;
pub mod procfs;
mod reading;
#[cfg(all(CONFIG_DEBUG_FS, CONFIG_ALLOCTAG_STATS))]
mod sites;
#[cfg(all(CONFIG_DEBUG_FS, CONFIG_ALLOCTAG_STALLS))]
mod stalls;
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
    #[cfg(CONFIG_DEBUG_FS)]
    make_files();
    if !switch::supported() {
        pr_info!("not supported in this boot\n");
        return Ok(());
    }
    counters::init()?;
    procfs::init()
}

/// Creates the files in debugfs.
#[cfg(CONFIG_DEBUG_FS)]
#[link_section = ".init.text"]
fn make_files() {
    let directory = debugfs::Directory::make();
    directory.add(c"control", 0o600, &control::FILE);
    directory.add(c"contexts", 0o400, &contexts::FILE);
    #[cfg(CONFIG_ALLOCTAG_STATS)]
    if switch::supported() {
        directory.add(c"sites", 0o400, &sites::FILE);
    }
    #[cfg(CONFIG_ALLOCTAG_STALLS)]
    if switch::supported() {
        directory.add(c"stalls", 0o400, &stalls::FILE);
    }
    #[cfg(CONFIG_ALLOCTAG_LATENCY)]
    if switch::supported() {
        directory.add(c"latency", 0o400, &latency::FILE);
    }
    #[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
    if switch::supported() {
        directory.add(c"lifetimes", 0o400, &lifetimes::FILE);
    }
}
