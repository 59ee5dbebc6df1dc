// SPDX-License-Identifier: GPL-2.0-only

//! A page, and its reference.

use super::{flags, table};
use crate::{model::reference::Reference, platform::boot_constant::BootConstant};
use core::ptr::NonNull;
use kernel::bindings;

/// A page that the buddy allocator gave out or takes back.
///
/// # Invariants
///
/// Points to the `struct page` of a page frame whose memory is online, or about to be.
#[derive(Clone, Copy)]
pub struct Page(NonNull<bindings::page>);

impl Page {
    /// Names a page.
    ///
    /// # Safety
    ///
    /// `page` points to the `struct page` of a page frame whose memory is online, or about to be.
    #[inline(always)]
    pub unsafe fn from_raw(page: *mut bindings::page) -> Self {
        // SAFETY: The caller's promise; nor is it null. INVARIANT: Likewise.
        Self(unsafe { NonNull::new_unchecked(page) })
    }

    /// Names the first page of a folio, unless the folio lies in the memory of a device, which the buddy allocator never had:
    /// folios migrate there and back, and are split there.
    ///
    /// # Safety
    ///
    /// The caller owns the folio.
    pub unsafe fn of_folio(folio: *mut bindings::page) -> Option<Self> {
        // SAFETY: By the caller's promise, it does not change its zone.
        let is_of_device =
            cfg!(CONFIG_ZONE_DEVICE) && unsafe { bindings::alloctag_is_device_page(folio) };
        // SAFETY: What else is in use is online.
        (!is_of_device).then(|| unsafe { Self::from_raw(folio) })
    }

    /// Its number.
    #[cfg(CONFIG_ALLOCTAG_EVENTS)]
    pub fn number(self) -> usize {
        // SAFETY: It is a page.
        unsafe { bindings::alloctag_page_number(self.0.as_ptr()) }
    }

    /// The node of its memory.
    #[inline(always)]
    pub fn node(self) -> u16 {
        if cfg!(not(CONFIG_NUMA)) {
            return 0;
        }
        // SAFETY: By the type's invariant.
        unsafe { bindings::alloctag_page_node(self.0.as_ptr()) as u16 }
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

    /// The same as far as the table reaches, which it does for all pages or for none.
    #[inline(always)]
    pub fn slot_in_table(self) -> Option<Slot> {
        // INVARIANT: `word()` gives only words of the table, that of a page that is online, by the type's invariant.
        table::word(self.0.as_ptr()).map(Slot::Word)
    }

    /// The same where there is no table.
    #[inline(always)]
    pub fn slot_elsewhere(self) -> Option<Slot> {
        // INVARIANT: Of a page.
        (COMPRESSED.get() != 0).then(|| Slot::Flags(flags::word(self.0.as_ptr())))
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

/// Whether references are among the flags of pages. There is no table then.
#[link_section = ".data..ro_after_init"]
pub(super) static COMPRESSED: BootConstant = BootConstant::new(0);

/// How many handles the flags of a page can tell apart.
pub const HANDLES_IN_FLAGS: usize = flags::FIELD.capacity();
