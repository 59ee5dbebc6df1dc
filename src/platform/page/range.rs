// SPDX-License-Identifier: GPL-2.0-only

//! A word for every page frame that there can be, in one range of virtual memory.
//!
//! Behind the range are pages where behind the page frames is memory, of the same node: so holes cost nothing, and yet a
//! word is found by arithmetic. All `struct page`s lie in one array in virtual memory, and each is sixteen times as long
//! as a word; a page's word is found from its `struct page`'s address by a shift and an addition, with no page frame
//! number in between. Where a `struct page` is longer than usual, it is found by a division.
//!
//! Every page frame that the buddy allocator is ever given has its word by then. Those of boot get theirs from memblock,
//! before it has any; those that come later, in `plugged.rs`, before they are online. What else has a `struct page` is
//! the memory of devices, which has none, and holes.
//!
//! C part: `range.c`.

#[cfg(CONFIG_MEMORY_HOTPLUG)]
use super::words;
use crate::model::extent::{self, Frames, HUGE_PAGE, PAGE};
use crate::platform::boot_constant::BootConstant;
use core::{
    mem::size_of,
    ops::Range,
    ptr::{null_mut, with_exposed_provenance_mut},
};
use kernel::{bindings, ffi::c_int};
#[cfg(CONFIG_MEMORY_HOTPLUG)]
use kernel::{error::to_result, prelude::*};

/// How many times longer a `struct page` is than a word.
const RATIO: usize = size_of::<bindings::page>() / extent::WORD;

/// Whether the ratio divides distances between `struct page`s, and not their addresses. So it is with one of 80 bytes: where
/// the last CPU of a page does not fit its flags, beside KASAN's tag.
const HAS_ORIGIN: bool = !RATIO.is_power_of_two();

const _: () = assert!(size_of::<bindings::page>() % extent::WORD == 0);
const _: () = assert!(PAGE == super::PAGE_SIZE);
const _: () = assert!(HUGE_PAGE == 1 << bindings::ALLOCTAG_PMD_SHIFT);

/// Where words are.
#[link_section = ".data..ro_after_init"]
static TABLE: Table = Table {
    start: BootConstant::new(0),
    origin: BootConstant::new(0),
    bias: BootConstant::new(0),
    limit: BootConstant::new(0),
};

/// Side by side, so that an address leads to all of them.
struct Table {
    /// Where the word of page frame 0 is, or would be: the range begins with that of the first one that there can be.
    start: BootConstant,

    /// Where the `struct page` of page frame 0 is, or would be, if it [has to be known](HAS_ORIGIN).
    origin: BootConstant,

    /// Where the word of a page frame would be whose `struct page` is at address 0, or at `origin`.
    bias: BootConstant,

    /// The address behind the last `struct page` that may have a word; 0 before there is one that has.
    limit: BootConstant,
}

/// The word of a page that the buddy allocator gives out, unless there is no range.
#[inline(always)]
pub(super) fn word(page: *mut bindings::page) -> Option<*mut u32> {
    let page = page.addr();
    if page >= TABLE.limit.get() {
        return None;
    }
    let origin = if HAS_ORIGIN { TABLE.origin.get() } else { 0 };
    Some((page.wrapping_sub(origin) / RATIO).wrapping_add(TABLE.bias.get()) as *mut u32)
}

/// Makes the range with words for all memory that there is, and returns how many bytes of memory that took, or `None`
/// where memblock has not that much.
///
/// # Safety
///
/// Called during boot, once, while one CPU runs and memory still comes from memblock.
#[link_section = ".init.text"]
pub(super) unsafe fn make() -> Option<usize> {
    // SAFETY: By the caller's promise.
    let (frames, before) = unsafe { (reach(), bindings::memblock_reserved_size()) };
    let whole = extent::around(&frames);
    // SAFETY: Likewise: `vmalloc_init()` is still to come.
    let start = unsafe { bindings::alloctag_range_reserve(whole.len()) - whole.start };
    // SAFETY: One CPU runs.
    unsafe { TABLE.start.set(start) };
    let mut at = -1;
    // SAFETY: By the caller's promise, memblock is in charge; here and below.
    let mut held = unsafe { next_frames(&mut at) };
    while let Some(frames) = held {
        // SAFETY: See above.
        held = unsafe { next_frames(&mut at) };
        match held.as_ref().and_then(|next| frames.join(next)) {
            Some(both) => held = Some(both),
            // SAFETY: See above.
            None => unsafe { populate(&frames)? },
        }
    }
    // SAFETY: The kernel's layout is settled long before.
    let vmemmap = unsafe { bindings::alloctag_range_vmemmap() };
    let limit = vmemmap + frames.end * size_of::<bindings::page>();
    let origin = if HAS_ORIGIN { vmemmap } else { 0 };
    // SAFETY: One CPU runs, by the caller's promise.
    unsafe {
        TABLE.origin.set(origin);
        TABLE
            .bias
            .set(start.wrapping_sub((vmemmap - origin) / RATIO));
        TABLE.limit.set(limit);
    }
    // SAFETY: By the caller's promise.
    Some((unsafe { bindings::memblock_reserved_size() } - before) as usize)
}

/// The page frames that there can be: what the direct map reaches.
///
/// # Safety
///
/// Called during boot, when the kernel's layout is settled.
#[link_section = ".init.text"]
unsafe fn reach() -> Range<usize> {
    // SAFETY: By the caller's promise.
    unsafe { bindings::alloctag_range_begin()..bindings::alloctag_range_end() }
}

/// The next memory that memblock knows; `at` is -1 before the first.
///
/// # Safety
///
/// Called during boot, while memblock is in charge.
#[link_section = ".init.text"]
unsafe fn next_frames(at: &mut c_int) -> Option<Frames> {
    let (mut start, mut end, mut node) = (0, 0, 0);
    // SAFETY: By the caller's promise.
    unsafe {
        bindings::__next_mem_pfn_range(
            at,
            bindings::ALLOCTAG_ALL_NODES as c_int,
            &mut start,
            &mut end,
            &mut node,
        )
    };
    // What the direct map cannot reach is left out, as mminit_validate_memmodel_limits() does.
    // SAFETY: By the caller's promise.
    let reach = unsafe { reach() };
    let within = |number: usize| number.max(reach.start).min(reach.end);
    let numbers = within(start)..within(end);
    (*at >= 0).then_some(Frames { numbers, node })
}

/// Gives words to memory, huge pages of them where it fills these, or returns `None` where memblock has not that much.
///
/// # Safety
///
/// As for [`make()`]; the range is reserved.
#[link_section = ".init.text"]
unsafe fn populate(frames: &Frames) -> Option<()> {
    let pages = extent::pages(&frames.numbers);
    let mut huge = extent::huge_pages(&frames.numbers);
    // SAFETY: The CPU's features are known.
    if !unsafe { bindings::alloctag_range_has_huge_pages() } {
        huge = pages.end..pages.end;
    }
    let at = |offset| TABLE.start.get() + offset;
    // SAFETY: By the caller's promise. Nothing is there yet but what base pages have in common with those of other memory,
    // for which nothing is made again. Huge pages have nothing in common with any.
    let errors = unsafe {
        [
            bindings::vmemmap_populate_basepages(
                at(pages.start),
                at(huge.start),
                frames.node,
                null_mut(),
            ),
            bindings::vmemmap_populate_hugepages(
                at(huge.start),
                at(huge.end),
                frames.node,
                null_mut(),
            ),
            bindings::vmemmap_populate_basepages(
                at(huge.end),
                at(pages.end),
                frames.node,
                null_mut(),
            ),
        ]
    };
    if errors != [0; 3] {
        return None;
    }
    let words = with_exposed_provenance_mut::<u8>(at(pages.start));
    // SAFETY: There are pages now, whose words nobody has written yet: the buddy allocator has no memory.
    unsafe { words.write_bytes(0, pages.len()) };
    Some(())
}

/// Gives words to memory that comes, of its node's memory.
///
/// # Errors
///
/// `ENOMEM`: some of the memory may have its words then, until it goes.
#[cfg(CONFIG_MEMORY_HOTPLUG)]
pub(super) fn come(frames: &Range<usize>, node: c_int) -> Result {
    extent::pages(frames).step_by(PAGE).try_for_each(|page| {
        // SAFETY: It lies in the range, since the memory is in the direct map.
        to_result(unsafe { bindings::alloctag_range_map(TABLE.start.get() + page, node) })
    })
}

/// Takes the words of memory that has gone, or has not come, but for pages of them that stay. Where it had
/// them in a huge page, these go with the last memory that has.
#[cfg(CONFIG_MEMORY_HOTPLUG)]
pub(super) fn go(frames: &Range<usize>) {
    let all = extent::pages(frames);
    let mut next = all.start;
    while next < all.end {
        let huge = extent::huge_page_of(next);
        let start = TABLE.start.get() + next;
        next = all.end.min(huge.end);
        // SAFETY: It lies in the range.
        if !unsafe { bindings::alloctag_range_is_huge(start) } {
            // SAFETY: Likewise, and none of its memory is online.
            unsafe { unmap(start..TABLE.start.get() + next) };
            continue;
        }
        let others = extent::frames(&huge);
        let pages = TABLE.start.get() + huge.start..TABLE.start.get() + huge.end;
        // SAFETY: Just numbers, of frames that may be none; and a huge page is there as a whole.
        let is_in_use = unsafe {
            bindings::alloctag_is_online(others.start, others.end) || stay(pages.clone())
        };
        if !is_in_use {
            // SAFETY: It lies in the range, and none of its memory is online.
            unsafe { bindings::alloctag_range_unmap(pages.start, pages.end) };
        }
    }
}

/// Takes those of these pages of words that do not stay, as far as they are there.
///
/// # Safety
///
/// They lie in the range, none is huge, and none of their memory is online.
#[cfg(CONFIG_MEMORY_HOTPLUG)]
unsafe fn unmap(pages: Range<usize>) {
    let mut start = pages.start;
    for page in pages.clone().step_by(PAGE) {
        // SAFETY: By the caller's promise; it is looked at if it is there.
        if unsafe { bindings::alloctag_range_is_mapped(page) && stay(page..page + PAGE) } {
            // SAFETY: By the caller's promise.
            unsafe { bindings::alloctag_range_unmap(start, page) };
            start = page + PAGE;
        }
    }
    // SAFETY: By the caller's promise.
    unsafe { bindings::alloctag_range_unmap(start, pages.end) };
}

/// Whether some of these words say that they stay.
///
/// # Safety
///
/// There are pages behind these addresses, which stay meanwhile.
#[cfg(CONFIG_MEMORY_HOTPLUG)]
unsafe fn stay(addresses: Range<usize>) -> bool {
    let words = with_exposed_provenance_mut::<u32>(addresses.start);
    // SAFETY: By the caller's promise.
    unsafe { words::stay(words, addresses.len() / extent::WORD) }
}
