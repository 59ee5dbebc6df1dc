// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! How the references of a cache's objects say their slack.

use super::reference::Reference;

/// What is left out: bytes that all objects of the cache have, and those that make no whole unit.
///
/// Where pages are large kmalloc() takes objects from slabs that have more slack than fits beside a handle; and debugging
/// adds to all objects. Both have objects of the largest caches alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Bytes of slack that every object of the cache has, and that no reference says.
    unsaid: usize,
    /// References count units of `2^shift` bytes.
    shift: u32,
}

impl Scale {
    /// All of the slack is said, to the byte.
    pub const EXACT: Self = Self::new(0, 0);

    /// That of a cache whose objects all have `unsaid` bytes of slack, where the rest is said in units of `2^shift` bytes.
    #[inline(always)]
    pub const fn new(unsaid: usize, shift: u32) -> Self {
        Self { unsaid, shift }
    }

    /// The slack of an object of `size` bytes, of which `requested` were asked for, in the bits where its reference has it.
    #[inline(always)]
    pub const fn said(self, size: usize, requested: usize) -> u32 {
        let slack = (size - self.unsaid).wrapping_sub(requested);
        Reference::slack_bits_of(slack >> self.shift)
    }

    /// Slack as counters have it, in the bits above the handle: what a reference says, and what it does not.
    #[inline(always)]
    pub const fn counted(self, said: u32) -> usize {
        ((said as usize) << self.shift) + (self.unsaid << Reference::SLACK_SHIFT)
    }

    /// The same in bytes.
    pub const fn bytes(self, said: u32) -> usize {
        self.counted(said) >> Reference::SLACK_SHIFT
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_scale))]
mod tests {
    use super::*;

    #[test]
    fn slack_is_known_to_the_unit() {
        // Bytes that are unsaid, shift, object, request, slack that is known.
        let table = [
            (0, 0, 64, 57, 7),
            (0, 0, 8192, 1, 8191),
            (128, 0, 8192 + 128, 4097, 4095 + 128),
            (0, 1, 32768, 32767, 0),
            (0, 1, 32768, 16385, 16382),
            (0, 1, 32768, 1, 32766),
            (0, 3, 131072, 65537, 65528),
            (256, 3, 131072 + 256, 1, 131064 + 256),
        ];
        for (unsaid, shift, size, requested, known) in table {
            let scale = Scale::new(unsaid, shift);
            assert_eq!(scale.bytes(scale.said(size, requested)), known);
        }
    }

    #[test]
    fn what_is_exact_is_counted_as_it_is_said() {
        let said = Scale::EXACT.said(96, 65);
        assert_eq!(Scale::EXACT.counted(said), said as usize);
        assert_eq!(said, 31 << Reference::SLACK_SHIFT);
    }
}
