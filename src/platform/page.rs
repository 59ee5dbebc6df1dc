// SPDX-License-Identifier: GPL-2.0-only

//! Where the reference of a page lies.
//!
//! In a flat table of four bytes for every page frame that there is at boot; in the spare bits of
//! the page's flags, if the boot parameter says `compressed`; in a piece of table of its section, if
//! the page was plugged in later. What is not in the table is out of line.

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
mod flags;
#[cfg_attr(not(CONFIG_MEMORY_HOTPLUG), path = "page/unplugged.rs")]
mod plugged;

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

    /// Where the page's reference lies; `None` where it has none.
    #[inline]
    pub fn slot(self) -> Option<Slot> {
        self.slot_in_table().or_else(|| self.slot_elsewhere())
    }

    /// The same as far as the table reaches, which it does for nearly all pages or for none.
    #[inline(always)]
    pub fn slot_in_table(self) -> Option<Slot> {
        // INVARIANT: `word()` gives only words of the table.
        arch::word(self.0.as_ptr()).map(Slot::Word)
    }

    /// The same for a page that the table does not reach.
    #[inline(always)]
    pub fn slot_elsewhere(self) -> Option<Slot> {
        if COMPRESSED.get() != 0 {
            // INVARIANT: Of a page.
            return Some(Slot::Flags(flags::word(self.0.as_ptr())));
        }
        // INVARIANT: `word()` gives only words of pieces of table.
        plugged::word(self.0.as_ptr()).map(Slot::Word)
    }
}

/// Where a page's reference lies.
///
/// # Invariants
///
/// Points to a word of a table that stays as long as the page is online, or to a page's flags.
#[derive(Clone, Copy)]
pub enum Slot {
    /// In a table.
    Word(*mut u32),
    /// Among the page's flags.
    Flags(*mut usize),
}

impl Slot {
    /// What is stored.
    #[inline(always)]
    pub fn get(self) -> Reference {
        match self {
            // SAFETY: By the type's invariant. Others may write it meanwhile, when the page is freed,
            // but a volatile read of an aligned word does not tear.
            Self::Word(word) => Reference::from_word(unsafe { word.read_volatile() }),
            // SAFETY: By the type's invariant.
            Self::Flags(word) => unsafe { flags::get(word) },
        }
    }

    /// Stores a reference.
    #[inline(always)]
    pub fn set(self, reference: Reference) {
        match self {
            // SAFETY: As in `get()`.
            Self::Word(word) => unsafe { word.write_volatile(reference.word()) },
            // SAFETY: By the type's invariant.
            Self::Flags(word) => unsafe { flags::set(word, reference) },
        }
    }
}

/// A number that is settled during boot, while one CPU runs, and only read from then on. Statics of
/// the type are in `.data..ro_after_init`.
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

/// Whether references are among the flags of pages. There is no table then.
#[link_section = ".data..ro_after_init"]
static COMPRESSED: BootConstant = BootConstant::new(0);

/// For how many page frames the table has words.
#[link_section = ".data..ro_after_init"]
static FRAMES: BootConstant = BootConstant::new(0);

/// How many handles the flags of a page can tell apart.
pub const HANDLES_IN_FLAGS: usize = flags::FIELD.capacity();

/// Keeps references among the flags of pages from now on.
///
/// # Safety
///
/// Called during boot, while one CPU runs, and no handle is [`HANDLES_IN_FLAGS`] or more.
#[link_section = ".init.text"]
pub unsafe fn compress() {
    // SAFETY: One CPU runs, by the caller's promise.
    unsafe { COMPRESSED.set(1) };
    plugged::init();
}

/// Makes the table, and returns its size in bytes, or `None` where memblock has not that much.
///
/// # Safety
///
/// Called during boot, once, while one CPU runs and memory still comes from memblock.
#[link_section = ".init.text"]
pub unsafe fn make_table() -> Option<usize> {
    // SAFETY: By the caller's promise, `max_pfn` is known.
    let frames = unsafe { bindings::alloctag_nr_pfns() };
    // SAFETY: By the caller's promise, memblock is in charge.
    let table = NonNull::new(unsafe { bindings::alloctag_page_table_alloc(frames) })?;
    // SAFETY: `table` has a zeroed word for every page frame and is never freed; one CPU runs.
    unsafe {
        FRAMES.set(frames);
        arch::publish(table, frames);
    }
    plugged::init();
    Some(frames * size_of::<u32>())
}
