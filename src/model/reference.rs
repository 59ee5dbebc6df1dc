// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The four bytes in which an object keeps its account.
//!
//! This file alone decides what they hold. A per-CPU area keeps the bare handle. A slab object keeps its slack, the bytes
//! it got beyond those it asked for, in the bits that the handle leaves, so that live requested bytes follow from live
//! objects. Pages keep their order there: what is freed while nothing is counted leaves its reference behind, so that
//! the pages where it lies may be more by the time they are freed again, and no more must be taken from an account than
//! was charged to it.

use super::handle::Handle;

/// What an object's four bytes say.
///
/// # Invariants
///
/// The low [`Handle::BITS`] bits are the handle, the others the slack in bytes or the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference(u32);

impl Reference {
    /// Nothing was counted.
    pub const NONE: Self = Self(0);

    /// The most slack that fits, in bytes: that of one byte in an object of 8 KiB, the largest that kmalloc() takes
    /// from a slab where pages are of 4 KiB, and as much again for what debugging adds. More of it is said on a scale.
    pub const SLACK_MAX: usize = (1 << (u32::BITS - Handle::BITS)) - 1;

    /// How far above its value in bytes slack stands in a reference.
    pub const SLACK_SHIFT: u32 = Handle::BITS;

    /// How many bits an order takes. A gigantic page of the architectures that have the biggest ones is of order 22.
    pub const ORDER_BITS: u32 = 5;

    /// Stands for an order that could not be stored: above all that there are.
    pub const ANY_ORDER: u32 = (1 << Self::ORDER_BITS) - 1;

    /// The reference that was stored as a word.
    #[inline(always)]
    pub const fn from_word(word: u32) -> Self {
        // INVARIANT: Any word is a handle and something beside it.
        Self(word)
    }

    /// The word to store.
    #[inline(always)]
    pub const fn word(self) -> u32 {
        self.0
    }

    /// The reference of something that has no slack and no order: a per-CPU area.
    #[inline(always)]
    pub const fn new(handle: Handle) -> Self {
        // INVARIANT: A handle fits its bits, and nothing is left in the others.
        Self(handle.get())
    }

    /// So much slack in the bits where a word has it. Beyond [`Self::SLACK_MAX`], as padding can be where a cache is aligned to
    /// more than that, whole multiples of what follows it are missing.
    #[inline(always)]
    pub const fn slack_bits_of(slack: usize) -> u32 {
        (slack as u32) << Self::SLACK_SHIFT
    }

    /// The reference of a slab object whose slack is in the bits where a word has it.
    #[inline(always)]
    pub const fn with_slack_bits(handle: Handle, slack: u32) -> Self {
        // INVARIANT: They leave the handle's bits clear.
        Self(handle.get() | slack)
    }

    /// The slack in the bits where the word has it, and nothing in the others.
    #[inline(always)]
    pub const fn slack_bits(self) -> u32 {
        self.0 & !Handle::MASK
    }

    /// The reference of `2^order` pages.
    #[inline(always)]
    pub const fn of_pages(handle: Handle, order: u32) -> Self {
        // INVARIANT: The shift leaves the handle's bits clear.
        Self(handle.get() | order << Handle::BITS)
    }

    /// The account.
    #[inline(always)]
    pub const fn handle(self) -> Handle {
        Handle::from_word(self.0)
    }

    /// The order of the pages that were charged, at most that of those that there are: `2^limit`.
    #[inline(always)]
    pub const fn order(self, limit: u32) -> u32 {
        let order = self.0 >> Handle::BITS;
        if order < limit {
            order
        } else {
            limit
        }
    }

    /// The order of the pages that were charged, 0 where it could not be stored.
    pub const fn charged_order(self) -> u32 {
        let order = self.0 >> Handle::BITS;
        if order < Self::ANY_ORDER {
            order
        } else {
            0
        }
    }

    /// The reference of each part that was charged, once the pages are split into parts of `2^order` of an account.
    pub const fn split(self, handle: Handle, order: u32) -> Self {
        Self::of_pages(handle, self.order(order))
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_reference))]
mod tests {
    use super::*;

    #[test]
    fn a_reference_keeps_the_handle_beside_any_slack() {
        // Object size, requested size, slack that is kept.
        let table = [
            (64, 64, 0),
            (64, 57, 7),
            (8192, 4097, 4095),
            (8192, 1, 8191),
            (16384, 16384, 0),
        ];
        for (size, requested, slack) in table {
            for number in [Handle::FIRST, Handle::MASK] {
                let handle = Handle::from_word(number);
                let slack_bits = Reference::slack_bits_of(size - requested);
                let reference = Reference::with_slack_bits(handle, slack_bits);
                assert_eq!(reference.handle(), handle);
                assert_eq!(reference.slack_bits(), slack << Reference::SLACK_SHIFT);
                assert_eq!(Reference::from_word(reference.word()), reference);
            }
        }
    }

    #[test]
    fn a_zeroed_word_is_no_reference() {
        assert_eq!(Reference::from_word(0), Reference::NONE);
        assert!(!Reference::NONE.handle().is_counted());
    }

    #[test]
    fn no_more_pages_are_taken_off_than_were_charged_nor_than_there_are() {
        // Order when charged, order now, order to take off.
        let table = [
            (0, 0, 0),
            (0, 9, 0),
            (9, 0, 0),
            (9, 9, 9),
            (18, 18, 18),
            (Reference::ANY_ORDER, 0, 0),
            (Reference::ANY_ORDER, 22, 22),
        ];
        for (charged, now, taken) in table {
            for number in [Handle::FIRST, Handle::MASK] {
                let handle = Handle::from_word(number);
                let reference = Reference::of_pages(handle, charged);
                assert_eq!(reference.handle(), handle);
                assert_eq!(reference.order(now), taken);
            }
        }
    }

    #[test]
    fn pages_that_go_with_their_memory_are_as_many_as_were_charged() {
        let handle = Handle::from_word(Handle::FIRST);
        // Order when charged, order to take off.
        for (charged, taken) in [(0, 0), (9, 9), (22, 22), (Reference::ANY_ORDER, 0)] {
            let reference = Reference::of_pages(handle, charged);
            assert_eq!(reference.charged_order(), taken);
        }
    }

    #[test]
    fn a_part_of_pages_is_charged_no_more_than_the_whole_was() {
        let (handle, other) = (Handle::from_word(1234), Handle::from_word(1235));
        // Order when charged, order of the parts, order that a part was charged.
        for (charged, parts, part) in [(9, 0, 0), (9, 8, 8), (0, 2, 0), (2, 2, 2)] {
            assert_eq!(
                Reference::of_pages(handle, charged).split(other, parts),
                Reference::of_pages(other, part)
            );
        }
    }

    #[test]
    fn what_has_no_slack_is_the_bare_handle() {
        let handle = Handle::from_word(1234);
        assert_eq!(Reference::new(handle).word(), 1234);
        assert_eq!(Reference::new(handle).slack_bits(), 0);
    }
}
