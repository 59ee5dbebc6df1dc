// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Some bits of a word that others own the rest of, and a handle in them.
//!
//! A page's flags have bits to spare, how many depends on the configuration. A page's reference has no slack, so the
//! bare handle is all that they need to hold.

use super::{handle::Handle, reference::Reference};

/// Bits that follow each other in a word.
///
/// # Invariants
///
/// Shift and width together do not exceed the word's bits, and the width is at most [`Handle::BITS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    shift: u32,
    width: u32,
}

impl Field {
    /// The field that begins at bit `shift`, where `spare` bits are nobody's; none or less are no field.
    pub const fn new(shift: i32, spare: i32) -> Self {
        // INVARIANT: An empty field, or the part of the spare bits that lies in the word and that a handle can fill.
        if shift < 0 || spare <= 0 || shift >= usize::BITS as i32 {
            return Self { shift: 0, width: 0 };
        }
        let shift = shift as u32;
        let room = usize::BITS - shift;
        let spare = spare as u32;
        let spare = if spare < room { spare } else { room };
        let width = if spare < Handle::BITS {
            spare
        } else {
            Handle::BITS
        };
        Self { shift, width }
    }

    /// How many different handles fit, those that name no account included.
    pub const fn capacity(self) -> usize {
        1 << self.width
    }

    /// The field's bits, at the low end.
    const fn mask(self) -> usize {
        self.capacity() - 1
    }

    /// The reference in a word.
    #[inline(always)]
    pub const fn get(self, word: usize) -> Reference {
        Reference::new(Handle::from_word((word >> self.shift & self.mask()) as u32))
    }

    /// The bits to flip in `word` so that it holds `reference` and is otherwise as before. Since nobody else changes the
    /// field, they stay the right ones while others change the rest of the word.
    #[inline(always)]
    pub const fn difference(self, word: usize, reference: Reference) -> usize {
        let wanted = (reference.handle().index() & self.mask()) << self.shift;
        (word ^ wanted) & self.mask() << self.shift
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_field))]
mod tests {
    use super::*;

    #[test]
    fn a_field_holds_as_many_handles_as_its_bits_tell_apart() {
        // First bit, spare bits, capacity.
        let table = [
            (24, 38, 1 << Handle::BITS),
            (24, 19, 1 << 19),
            (24, 13, 1 << 13),
            (63, 1, 2),
            (60, 19, 1 << 4),
            (24, 0, 1),
            (24, -3, 1),
            (-2, 5, 1),
            (64, 5, 1),
        ];
        for (shift, spare, capacity) in table {
            assert_eq!(Field::new(shift, spare).capacity(), capacity);
        }
    }

    #[test]
    fn what_is_put_in_comes_out_and_the_rest_stays() {
        let field = Field::new(24, 13);
        let others = [0, usize::MAX, 0x8000_0000_0000_0001, 0x0123_4567_89ab_cdef];
        for word in others {
            for number in [0, 1, Handle::FIRST, 4321, (1 << 13) - 1] {
                let reference = Reference::new(Handle::from_word(number));
                let after = word ^ field.difference(word, reference);
                assert_eq!(field.get(after), reference);
                assert_eq!((after ^ word) & !(0x1fff << 24), 0);
            }
        }
    }

    #[test]
    fn the_bits_to_flip_survive_changes_of_others() {
        let field = Field::new(40, 19);
        let reference = Reference::new(Handle::from_word(777));
        let flip = field.difference(0xff, reference);
        assert_eq!(field.get(0x00ff_ff00 ^ flip), reference);
    }

    #[test]
    fn no_field_changes_nothing() {
        let field = Field::new(24, 0);
        let reference = Reference::new(Handle::from_word(Handle::FIRST));
        assert_eq!(field.difference(usize::MAX, reference), 0);
        assert_eq!(field.get(usize::MAX), Reference::NONE);
    }
}
