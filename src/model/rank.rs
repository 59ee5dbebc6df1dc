// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The biggest of many, without sorting them.

/// The `N` biggest items by size, biggest first; among equals, those that came first.
///
/// # Invariants
///
/// The first `count` places are taken, in falling order of size.
pub struct Top<T, const N: usize> {
    places: [(i64, T); N],
    count: usize,
}

impl<T: Copy, const N: usize> Top<T, N> {
    /// Nothing yet; `blank` fills the places that are not taken.
    pub fn new(blank: T) -> Self {
        // INVARIANT: No place is taken.
        Self {
            places: [(0, blank); N],
            count: 0,
        }
    }

    /// Considers one item.
    pub fn offer(&mut self, size: i64, item: T) {
        let mut carried = (size, item);
        // INVARIANT: What is smaller than the new one moves back by a place, in its order.
        for place in self.places.iter_mut().take(self.count) {
            if carried.0 > place.0 {
                core::mem::swap(place, &mut carried);
            }
        }
        if let Some(free) = self.places.get_mut(self.count) {
            *free = carried;
            self.count += 1;
        }
    }

    /// What is left, biggest first.
    pub fn items(&self) -> &[(i64, T)] {
        self.places.get(..self.count).unwrap_or_default()
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_rank))]
mod tests {
    use super::*;

    #[test]
    fn the_biggest_stay_in_order() {
        let mut top = Top::<usize, 3>::new(0);
        for (item, size) in [5, 1, 9, 7, 3, 8].into_iter().enumerate() {
            top.offer(size, item);
        }
        assert!(top.items() == [(9, 2), (8, 5), (7, 3)]);
    }

    #[test]
    fn fewer_items_than_places_are_all_kept() {
        let mut top = Top::<usize, 3>::new(0);
        assert!(top.items().is_empty());
        top.offer(-1, 10);
        top.offer(0, 11);
        assert!(top.items() == [(0, 11), (-1, 10)]);
    }

    #[test]
    fn among_equals_the_first_wins() {
        let mut top = Top::<usize, 2>::new(0);
        for item in 0..5 {
            top.offer(4, item);
        }
        assert!(top.items() == [(4, 0), (4, 1)]);
    }
}
