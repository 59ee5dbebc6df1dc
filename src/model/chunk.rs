// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Chunks: accounts beyond those of the dense rows, so many at a time.
//!
//! The handles of a chunk's accounts differ in their low bits alone, so a handle tells which chunk it is of.

use super::handle::Handle;

/// How many bits of a handle say which account of its chunk it is. With five counters of eight bytes for each the per-CPU
/// area of a chunk has 10 KiB, of at most 32 that the kernel's per-CPU allocator gives.
pub const ORDER: u32 = 8;

/// How many accounts a chunk has.
pub const ACCOUNTS: usize = 1 << ORDER;

/// How many chunks the handles can tell apart, those included in whose place are dense rows.
pub const NUMBERS: usize = 1 << (Handle::BITS - ORDER);

/// Which chunk it is.
///
/// # Invariants
///
/// Below [`NUMBERS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number(usize);

impl Number {
    /// That of the chunk with this account.
    #[inline(always)]
    pub const fn of(handle: Handle) -> Self {
        // INVARIANT: A handle has no more bits.
        Self(handle.index() >> ORDER)
    }

    /// The `index`th of all chunks whose accounts are behind so many handles; `None` where handles do not go so far.
    pub const fn behind(handles: usize, index: usize) -> Option<Self> {
        let number = handles.div_ceil(ACCOUNTS).saturating_add(index);
        if number >= NUMBERS {
            return None;
        }
        // INVARIANT: By the test above.
        Some(Self(number))
    }

    /// The number as such.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0
    }

    /// Its first account.
    pub const fn first(self) -> Handle {
        Handle::from_word((self.0 << ORDER) as u32)
    }
}

/// An account's place in its chunk.
pub const fn place(handle: Handle) -> usize {
    handle.index() % ACCOUNTS
}

/// The first of `wanted` places that follow each other of which none is there. Behind the last there are no more than up
/// to `most`, and none of them is there.
pub fn gap(there: impl Iterator<Item = bool>, wanted: usize, most: usize) -> Option<usize> {
    let (mut first, mut end) = (0, 0);
    for is_there in there.take(most) {
        end += 1;
        if is_there {
            first = end;
        } else if end - first == wanted {
            return Some(first);
        }
    }
    (most.checked_sub(first)? >= wanted).then_some(first)
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_chunk))]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_begins_behind_the_dense_rows_and_ends_with_the_handles() {
        // Handles of dense rows, which chunk behind them, its first handle.
        let table = [
            (0, 0, Some(0)),
            (1, 0, Some(256)),
            (256, 0, Some(256)),
            (257, 1, Some(768)),
            (7000, 3, Some(7936)),
            (Handle::MASK as usize + 1, 0, None),
            (0, NUMBERS - 1, Some(Handle::MASK as usize - 255)),
            (0, NUMBERS, None),
            (0, usize::MAX, None),
        ];
        for (handles, index, first) in table {
            let number = Number::behind(handles, index);
            assert_eq!(number.map(|number| number.first().index()), first);
        }
    }

    #[test]
    fn every_account_is_of_the_chunk_that_has_its_first() {
        for number in [0, 255, 256, 511, Handle::MASK] {
            let handle = Handle::from_word(number);
            let first = Number::of(handle).first();
            assert_eq!(first.index() + place(handle), handle.index());
            assert!(Number::of(handle).index() < NUMBERS);
        }
    }

    #[test]
    fn a_gap_is_the_first_that_is_wide_enough() {
        // What is there, how many are wanted of at most how many, where they are.
        let table: [(&[bool], usize, usize, Option<usize>); 8] = [
            (&[], 1, 1, Some(0)),
            (&[], 2, 1, None),
            (&[true, false, true], 1, 3, Some(1)),
            (&[true, false, true], 2, 5, Some(3)),
            (&[true, false, true], 2, 4, None),
            (&[true, false, false], 3, 9, Some(1)),
            (&[true, false, false], 3, 3, None),
            (&[true], 1, 1, None),
        ];
        for (there, wanted, most, first) in table {
            assert_eq!(gap(there.iter().copied(), wanted, most), first);
        }
    }
}
