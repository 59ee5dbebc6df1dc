// SPDX-License-Identifier: GPL-2.0-only

//! Allocations that are not counted: on purpose, or because there was no place to store a reference.

use super::tag::Tag;
use crate::model::reference::Reference;
use kernel::{
    bindings,
    sync::atomic::{Atomic, Relaxed},
};

/// The reference of what is not counted on purpose. Without `CONFIG_MEM_ALLOC_PROFILING_DEBUG`, as if there were none.
pub const EMPTY: Reference = Reference::from_word(bindings::ALLOC_TAG_EMPTY);

/// How many have gone uncounted for want of a place since boot.
static UNCOUNTED: Atomic<u64> = Atomic::new(0);

/// Notes one, under a tag, in the row that shows it; the first is told in the log.
#[cold]
pub fn note(tag: &Tag, shown: &Tag) {
    shown.set_inaccurate();
    if UNCOUNTED.fetch_add(1, Relaxed) > 0 {
        return;
    }
    #[cfg(not(CONFIG_PRINTK))]
    let _ = tag;
    // What shares a row is told as itself; a tag without names of its own, as what the row says.
    #[cfg(CONFIG_PRINTK)]
    tell(if tag.row(None).file.is_empty() {
        shown
    } else {
        tag
    });
}

/// Tells of the first one. Deferred, because allocations come from where the console's locks may be held.
#[cfg(CONFIG_PRINTK)]
fn tell(tag: &Tag) {
    let row = tag.row(None);
    if row.file.is_empty() {
        // SAFETY: The format takes nothing.
        unsafe {
            bindings::_printk_deferred(
                c"\x014alloctag: an allocation of Rust code or of a module's container could not be counted; \
                  vm.mem_profiling_uncounted says how many\n"
                    .as_ptr()
                    .cast(),
            );
        }
        return;
    }
    let (length, file) = (row.file.len() as i32, row.file.as_ptr());
    // SAFETY: The format takes `length` bytes of `file`, and a number.
    unsafe {
        bindings::_printk_deferred(
            c"\x014alloctag: an allocation at %.*s:%u could not be counted; \
              vm.mem_profiling_uncounted says how many\n"
                .as_ptr()
                .cast(),
            length,
            file,
            row.line,
        );
    }
}

/// Where a sysctl reads their number.
pub const fn counter() -> *mut u64 {
    UNCOUNTED.as_ptr()
}
