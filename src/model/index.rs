// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! An object's number in its slab, by one multiplication.

/// The number of the object that an offset is in, counted downwards from -1.
///
/// The offset is one more than the distance in bytes from the slab's start to the object, past what debugging has in front of
/// it; that is half of what an object takes, at most. The factor is 2^32 / size, rounded up and negative, and the shift rounds
/// down. The product is never a whole number, since the offset is more than the distance of the object's start and less than
/// that of the next one, by 1 / size at least. It is too much by offset / 2^32 of an object: by less than a thousandth of one
/// with slabs of at most 2^22 bytes, by less than an eighth with the largest that there can be where pages are of 64 KiB, 2^29
/// bytes.
#[inline(always)]
pub const fn down(offset: usize, factor: usize) -> isize {
    (offset.wrapping_mul(factor) as isize) >> 32
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_index))]
mod tests {
    use super::*;

    /// How many fit. Not by `/`: objtool does not know that what that calls, where the divisor is zero, does not return.
    fn fit(slab: usize, size: usize) -> usize {
        slab.checked_div(size).unwrap_or_default()
    }

    /// As `kmem_cache_open()` computes it; see `scripts/edits/slab.edits`.
    fn factor(size: usize) -> usize {
        (fit((1 << 32) - 1, size) + 1).wrapping_neg()
    }

    /// Whether the object is found by all addresses that it can have.
    fn is_found(size: usize, number: usize) -> bool {
        let start = number * size;
        [start + 1, start + 9, start + size / 2 + 1]
            .iter()
            .all(|&offset| down(offset, factor(size)) == !(number as isize))
    }

    #[test]
    fn every_object_of_a_small_slab_is_found() {
        const SLAB: usize = 1 << 15;
        for size in (16..=SLAB).step_by(8) {
            for number in 0..fit(SLAB, size) {
                assert!(is_found(size, number));
            }
        }
    }

    #[test]
    fn the_last_objects_of_the_largest_slabs_are_found() {
        // Of pages of 4, 16 and 64 KiB, at MAX_PAGE_ORDER.
        for slab in [4 << 20, 32 << 20, 512 << 20] {
            // What struct slab can count at most.
            for size in [
                16,
                24,
                40,
                96,
                192,
                1000,
                4088,
                4096,
                8200,
                65544,
                1 << 20,
                slab / 3,
                slab,
            ] {
                let objects = fit(slab, size).min((1 << 15) - 1);
                assert!((objects - objects.min(9)..objects).all(|number| is_found(size, number)));
            }
            // However many there are.
            for size in [16, 24, 40, 1000, 65544] {
                assert!(is_found(size, fit(slab, size) - 1));
            }
        }
    }
}
