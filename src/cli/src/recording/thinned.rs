// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Some of many: what is told of a long recording rests on profiles evenly spaced in it.

/// Profiles that are looked at, at most: to tell a leak every pair of them gives a slope for every site, some 115,000 a
/// site. Of a longer recording every second one is taken, or every third, and so on.
pub const LIMIT: usize = 480;

/// Some of many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thinned<T> {
    /// Those that are looked at, in their order.
    pub taken: Vec<T>,
    /// How many there are.
    pub whole: usize,
    /// One in so many is taken.
    pub stride: usize,
}

impl<T> Thinned<T> {
    /// At most [`LIMIT`] of `all`. Counted from the end, so that the last one is among them.
    pub fn of(all: Vec<T>) -> Thinned<T> {
        let whole = all.len();
        let stride = whole.div_ceil(LIMIT).max(1);
        let taken = all.into_iter().skip(skipped(whole, stride)).step_by(stride).collect();
        Thinned { taken, whole, stride }
    }

    /// The place of each of them among all.
    pub fn places(&self) -> impl Iterator<Item = usize> {
        (skipped(self.whole, self.stride)..self.whole).step_by(self.stride)
    }

    /// What the user is to know about it.
    pub fn note(&self) -> Option<String> {
        (self.stride > 1).then(|| format!("of {} profiles, one in {} is looked at", self.whole, self.stride))
    }
}

/// How many stand in front of the first that is taken.
fn skipped(whole: usize, stride: usize) -> usize {
    whole.saturating_sub(1) % stride
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_is_always_taken_and_never_too_many_are() {
        for (whole, taken, stride, first) in [
            (0usize, 0, 1, None),
            (1, 1, 1, Some(0)),
            (480, 480, 1, Some(0)),
            (481, 241, 2, Some(0)),
            (482, 241, 2, Some(1)),
            (960, 480, 2, Some(1)),
            (10_000, 477, 21, Some(3)),
        ] {
            let thinned = Thinned::of((0..whole).collect());
            assert_eq!((thinned.taken.len(), thinned.stride, thinned.taken.first().copied()), (taken, stride, first));
            assert_eq!(thinned.taken.last().copied(), whole.checked_sub(1));
            assert_eq!(thinned.places().collect::<Vec<_>>(), thinned.taken);
            assert_eq!(thinned.note().is_some(), stride > 1);
        }
    }
}
