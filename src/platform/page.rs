// SPDX-License-Identifier: GPL-2.0-only

//! Where the reference of a page lies.
//!
//! In a word of its own, in a table that is made up as memory comes and goes; in the spare bits of the page's flags, if
//! the boot parameter says `compressed`, which is out of line. The memory of devices has none.

mod boot;
mod flags;
mod frame;
#[cfg_attr(not(CONFIG_MEMORY_HOTPLUG), path = "page/unplugged.rs")]
mod plugged;
#[cfg_attr(CONFIG_ALLOCTAG_PAGE_RANGE, path = "page/range.rs")]
#[cfg_attr(not(CONFIG_ALLOCTAG_PAGE_RANGE), path = "page/pieces.rs")]
mod table;
#[cfg(CONFIG_MEMORY_HOTPLUG)]
mod words;

pub use boot::{compress, make_table};
pub use frame::{Page, Slot, HANDLES_IN_FLAGS};

/// Bytes of a page.
pub const PAGE_SIZE: usize = kernel::page::PAGE_SIZE;
