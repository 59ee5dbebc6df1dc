// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Some bits of a word that others own the rest of, and the reference of pages in them.
//!
//! A page's flags have bits to spare, how many depends on the configuration. Where they are too few for the order, too,
//! they hold the bare handle.

use super::{handle::Handle, reference::Reference};

/// Bits that follow each other in a word.
///
/// # Invariants
///
/// Shift and width together do not exceed the word's bits, and the width is [`Field::WHOLE`] or at most
/// [`Handle::BITS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    shift: u32,
    width: u32,
}

impl Field {
    /// The bits of a handle and an order.
    const WHOLE: u32 = Handle::BITS + Reference::ORDER_BITS;

    /// The field that begins at bit `shift`, where `spare` bits are nobody's; none or less are no field.
    pub const fn new(shift: i32, spare: i32) -> Self {
        // INVARIANT: An empty field, or the part of the spare bits that lies in the word and that a reference, or else a
        // handle, can fill.
        if shift < 0 || spare <= 0 || shift >= usize::BITS as i32 {
            return Self { shift: 0, width: 0 };
        }
        let shift = shift as u32;
        let room = usize::BITS - shift;
        let spare = spare as u32;
        let spare = if spare < room { spare } else { room };
        let width = if spare >= Self::WHOLE {
            Self::WHOLE
        } else if spare > Handle::BITS {
            Handle::BITS
        } else {
            spare
        };
        Self { shift, width }
    }

    /// How many different handles fit, those that name no account included.
    pub const fn capacity(self) -> usize {
        if self.holds_order() {
            1 << Handle::BITS
        } else {
            1 << self.width
        }
    }

    /// Whether there is room for an order.
    const fn holds_order(self) -> bool {
        self.width == Self::WHOLE
    }

    /// The field's bits, at the low end.
    const fn mask(self) -> usize {
        (1 << self.width) - 1
    }

    /// The reference in a word, of [`Reference::ANY_ORDER`] where there is no room for one.
    #[inline(always)]
    pub const fn get(self, word: usize) -> Reference {
        let bits = (word >> self.shift & self.mask()) as u32;
        if self.holds_order() {
            Reference::from_word(bits)
        } else {
            Reference::of_pages(Handle::from_word(bits), Reference::ANY_ORDER)
        }
    }

    /// The bits to flip in `word` so that it holds `reference` and is otherwise as before. Since nobody else changes the
    /// field, they stay the right ones while others change the rest of the word.
    #[inline(always)]
    pub const fn difference(self, word: usize, reference: Reference) -> usize {
        let wanted = (reference.word() as usize & self.mask()) << self.shift;
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
            (24, 23, 1 << Handle::BITS),
            (24, 22, 1 << Handle::BITS),
            (24, 18, 1 << 18),
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
        // Spare bits, the field's bits, the order that comes out of 9.
        let table = [
            (13, 0x1fff, Reference::ANY_ORDER),
            (22, 0x3_ffff, Reference::ANY_ORDER),
            (23, 0x7f_ffff, 9),
            (40, 0x7f_ffff, 9),
        ];
        let others = [0, usize::MAX, 0x8000_0000_0000_0001, 0x0123_4567_89ab_cdef];
        for (spare, bits, order) in table {
            let field = Field::new(24, spare);
            for word in others {
                for number in [0, 1, Handle::FIRST, 4321, (1 << 13) - 1] {
                    let handle = Handle::from_word(number);
                    let put = Reference::of_pages(handle, 9);
                    let after = word ^ field.difference(word, put);
                    assert_eq!(field.get(after), Reference::of_pages(handle, order));
                    assert_eq!((after ^ word) & !(bits << 24), 0);
                }
            }
        }
    }

    #[test]
    fn the_bits_to_flip_survive_changes_of_others() {
        let field = Field::new(40, 19);
        let reference = Reference::new(Handle::from_word(777));
        let flip = field.difference(0xff, reference);
        assert_eq!(field.get(0x00ff_ff00 ^ flip).handle(), reference.handle());
    }

    #[test]
    fn no_field_changes_nothing() {
        let field = Field::new(24, 0);
        let reference = Reference::new(Handle::from_word(Handle::FIRST));
        assert_eq!(field.difference(usize::MAX, reference), 0);
        assert!(!field.get(usize::MAX).handle().is_counted());
    }
}
