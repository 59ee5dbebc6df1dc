// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Keeps sums within what can be added up and subtracted.

use super::Sample;

/// The bound on the sum of the magnitudes of a profile's sizes, in bytes, and of its live allocations: 2^62 - 1. Other numbers, many
/// of which only grow, stay within it one by one, as do their sums.
///
/// Half of what an `i64` holds, so that the difference of two profiles fits too.
pub const MAGNITUDE_LIMIT: u64 = (1 << 62) - 1;

/// Why a row was not taken: with it, sums would not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

impl Refused {
    /// That in words, to follow the row's place.
    pub fn reason(self) -> &'static str {
        "its size or count is beyond what any machine has"
    }
}

/// The sums of the magnitudes of all that was taken.
///
/// # Invariants
///
/// None is above [`MAGNITUDE_LIMIT`].
#[derive(Debug, Default)]
pub(super) struct Magnitudes {
    bytes: u64,
    calls: u64,
}

impl Magnitudes {
    /// Takes in a row.
    ///
    /// # Errors
    ///
    /// [`Refused`] if a sum would pass the limit; nothing is taken in then.
    pub(super) fn admit(&mut self, sample: &Sample<'_>) -> Result<(), Refused> {
        let within = |sum: u64, value: i64| {
            sum.checked_add(value.unsigned_abs()).filter(|&sum| sum <= MAGNITUDE_LIMIT).ok_or(Refused)
        };
        let bytes = within(self.bytes, sample.bytes)?;
        let calls = within(self.calls, sample.calls)?;
        (self.bytes, self.calls) = (bytes, calls);
        Ok(())
    }
}
