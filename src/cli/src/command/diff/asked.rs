// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What orders and conditions ask for that only some kernels count.

use super::args::DiffArgs;
use super::measures::{named, time_ms};
use super::sort::SortKey;
use crate::args::fail_if::Check;
use crate::command::require;
use crate::error::{Error, Result};
use crate::model::{Measure, Profile};
use crate::query::Mixed;

/// What the user asks for by orders and conditions.
pub(super) struct Asked {
    /// What is shown to people for it.
    pub(super) shown: Vec<Measure>,
    /// All of it.
    compared: Vec<Measure>,
}

impl Asked {
    pub(super) fn of(args: &DiffArgs, condition: Option<&Mixed>, checks: &[Check]) -> Asked {
        let sorted = args.sort.iter().filter_map(SortKey::measure);
        let compared = checks.iter().flat_map(|check| check.condition.compared()).filter_map(|field| named(field));
        let shown: Vec<Measure> = sorted.chain(compared).collect();
        let compared = shown.iter().copied().chain(condition.into_iter().flat_map(Mixed::measures)).collect();
        let first = |place: usize| !shown[..place].contains(&shown[place]);
        let shown = (0..shown.len()).filter(|&place| first(place)).map(|place| shown[place]).collect();
        Asked { shown, compared }
    }

    /// That both profiles tell it.
    ///
    /// # Errors
    ///
    /// What one of them does not.
    pub(super) fn require(&self, before: &Profile, after: &Profile) -> Result<()> {
        // Of a rate the kernel's number is wanted, and how long each was counted is no matter.
        let counted = self.compared.iter().map(|measure| Measure::Counted(measure.needs()));
        [before, after].into_iter().try_for_each(|profile| require(profile, counted.clone()))?;
        if !self.compared.contains(&Measure::Rate) || time_ms(before, after).is_some() {
            return Ok(());
        }
        Err(Error::failed(
            &after.meta.origin,
            "gives no rate: it is not told how long after the other one, and in one boot, it was read",
        ))
    }
}
