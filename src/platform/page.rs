// SPDX-License-Identifier: GPL-2.0-only

//! Where the reference of a page lies: in a flat table of four bytes for every page frame.
//!
//! The table comes from memblock before the first page is handed out, so no page goes uncounted.

use crate::model::reference::Reference;
use core::{cell::UnsafeCell, mem::size_of, ptr::NonNull};
use kernel::bindings;

#[cfg_attr(
    all(CONFIG_X86_64, CONFIG_SPARSEMEM_VMEMMAP),
    path = "page/vmemmap_x86_64.rs"
)]
#[cfg_attr(
    not(all(CONFIG_X86_64, CONFIG_SPARSEMEM_VMEMMAP)),
    path = "page/generic.rs"
)]
mod arch;

/// Bytes of a page.
pub const PAGE_SIZE: usize = kernel::page::PAGE_SIZE;

/// A page that the buddy allocator gave out or takes back.
///
/// # Invariants
///
/// Points to the `struct page` of a page frame.
#[derive(Clone, Copy)]
pub struct Page(NonNull<bindings::page>);

impl Page {
    /// Names a page.
    ///
    /// # Safety
    ///
    /// `page` points to the `struct page` of a page frame.
    #[inline(always)]
    pub unsafe fn from_raw(page: *mut bindings::page) -> Self {
        // SAFETY: The caller's promise; nor is it null. INVARIANT: Likewise.
        Self(unsafe { NonNull::new_unchecked(page) })
    }

    /// The page `pages` frames further on.
    ///
    /// # Safety
    ///
    /// It belongs to the same allocation.
    #[inline(always)]
    pub unsafe fn add(self, pages: usize) -> Self {
        // SAFETY: The `struct page`s of an allocation lie side by side. INVARIANT: Likewise.
        Self(unsafe { self.0.add(pages) })
    }

    /// The word of the page's reference; `None` where the table does not reach.
    #[inline(always)]
    pub fn slot(self) -> Option<Slot> {
        // INVARIANT: `word()` gives only words of the table.
        arch::word(self.0.as_ptr()).map(Slot)
    }
}

/// The word of a page's reference.
///
/// # Invariants
///
/// Points to a word of the table, which is never freed.
#[derive(Clone, Copy)]
pub struct Slot(*mut u32);

impl Slot {
    /// What is stored.
    #[inline(always)]
    pub fn get(self) -> Reference {
        // SAFETY: By the type's invariant. Others may write it meanwhile, when the page is freed,
        // but a volatile read of an aligned word does not tear.
        Reference::from_word(unsafe { self.0.read_volatile() })
    }

    /// Stores a reference.
    #[inline(always)]
    pub fn set(self, reference: Reference) {
        // SAFETY: As in `get()`.
        unsafe { self.0.write_volatile(reference.word()) }
    }
}

/// A number that is settled during boot, while one CPU runs, and only read from then on.
struct BootConstant(UnsafeCell<usize>);

// SAFETY: It is written before there is another CPU or task that could read it.
unsafe impl Sync for BootConstant {}

impl BootConstant {
    const fn new(number: usize) -> Self {
        Self(UnsafeCell::new(number))
    }

    /// Reads it: an ordinary operand of whatever instruction needs it.
    #[inline(always)]
    fn get(&self) -> usize {
        // SAFETY: Nobody writes any more, or this is the one CPU that does.
        unsafe { *self.0.get() }
    }

    /// Settles it.
    ///
    /// # Safety
    ///
    /// Called during boot, while one CPU runs.
    unsafe fn set(&self, number: usize) {
        // SAFETY: Nobody reads meanwhile, by the caller's promise.
        unsafe { *self.0.get() = number }
    }
}

/// Makes the table, and returns its size in bytes, or `None` where memblock has not that much.
///
/// # Safety
///
/// Called during boot, while one CPU runs and memory still comes from memblock.
#[link_section = ".init.text"]
pub unsafe fn make_table() -> Option<usize> {
    // SAFETY: By the caller's promise, `max_pfn` is known.
    let frames = unsafe { bindings::alloctag_nr_pfns() };
    // SAFETY: By the caller's promise, memblock is in charge.
    let table = NonNull::new(unsafe { bindings::alloctag_page_table_alloc(frames) })?;
    // SAFETY: `table` has a zeroed word for every page frame and is never freed; one CPU runs.
    unsafe { arch::publish(table, frames) };
    Some(frames * size_of::<u32>())
}
