// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What only some kernels count, between two profiles.

use crate::model::{Measure, Number, Profile};

/// What can be told of a change. (A share of what was added is no waste.)
pub(super) fn all() -> impl Iterator<Item = Measure> {
    Measure::all().filter(|measure| *measure != Measure::Waste)
}

/// The one of that name.
pub(super) fn named(name: &str) -> Option<Measure> {
    Measure::named(name).filter(|measure| *measure != Measure::Waste)
}

/// Forgets what one of them does not tell: it cannot be compared. What is new in the other is not new in the kernel.
pub(super) fn match_up(before: &mut Profile, after: &mut Profile) {
    let told_by_one: Vec<_> = Number::all().filter(|&number| before.counts(number) != after.counts(number)).collect();
    for number in told_by_one {
        before.forget(number);
        after.forget(number);
    }
}

/// Milliseconds from the one to the other, of one boot; `None` if that is not known.
pub(super) fn time_ms(before: &Profile, after: &Profile) -> Option<u64> {
    let (before, after) = (&before.meta, &after.meta);
    let same = before.boot_id.is_some() && before.boot_id == after.boot_id;
    after.uptime_ms?.checked_sub(before.uptime_ms?).filter(|_| same)
}
