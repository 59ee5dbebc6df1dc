// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Sets two profiles against each other.
//!
//! [`matching`] finds which site of the one is which of the other; a [`Change`] is what became of it.

mod matching;

pub use matching::{pairs, Confidence, Matched};

use crate::model::{Meta, Numbers, Profile, Row, Together};

/// What became of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It holds something and held nothing, or was not there.
    New,
    /// It held something and holds nothing, or is not there.
    Gone,
    /// It holds more bytes.
    Grown,
    /// It holds fewer bytes.
    Shrunk,
    /// It holds as many bytes.
    Same,
}

impl Kind {
    /// All, in the order in which they are counted up.
    pub const ALL: [Kind; 5] = [Kind::New, Kind::Gone, Kind::Grown, Kind::Shrunk, Kind::Same];

    /// What became of something that held so many bytes before and after.
    pub fn of(bytes: (i64, i64)) -> Kind {
        match bytes {
            (0, 0) => Kind::Same,
            (0, _) => Kind::New,
            (_, 0) => Kind::Gone,
            (before, after) if after > before => Kind::Grown,
            (before, after) if after < before => Kind::Shrunk,
            _ => Kind::Same,
        }
    }

    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            Kind::New => "new",
            Kind::Gone => "gone",
            Kind::Grown => "grown",
            Kind::Shrunk => "shrunk",
            Kind::Same => "same",
        }
    }
}

/// A site in two profiles. At least one of them has it.
#[derive(Clone, Copy, Debug)]
pub struct Change<'p> {
    /// Its row in the earlier profile.
    pub before: Option<&'p Row>,
    /// Its row in the later profile.
    pub after: Option<&'p Row>,
    /// How sure it is that both rows are the same site; `None` if there is only one.
    pub confidence: Option<Confidence>,
    /// Whether all counts began anew in between: the profiles are of different boots.
    pub anew: bool,
}

impl<'p> Change<'p> {
    /// Bytes before and after.
    pub fn bytes(&self) -> (i64, i64) {
        (self.before.map_or(0, |row| row.bytes), self.after.map_or(0, |row| row.bytes))
    }

    /// Allocations before and after.
    pub fn calls(&self) -> (i64, i64) {
        (self.before.map_or(0, |row| row.calls), self.after.map_or(0, |row| row.calls))
    }

    /// Bytes that were added.
    pub fn delta(&self) -> i64 {
        let (before, after) = self.bytes();
        // Each is less than 2^62.
        after - before
    }

    /// Allocations that were added.
    pub fn delta_calls(&self) -> i64 {
        let (before, after) = self.calls();
        after - before
    }

    /// What was added to the numbers that only some kernels count.
    pub fn numbers(&self) -> Numbers {
        match (self.before, self.after) {
            (Some(before), Some(after)) => after.numbers.since(&before.numbers, self.anew),
            (None, after) => after.map(|row| row.numbers.clone()).unwrap_or_default(),
            // With a module the kernel forgets what it did.
            (Some(before), None) => {
                let known = before.numbers.known().filter(|(number, _)| number.about().together == Together::Sum);
                known.map(|(number, value)| (number, if number.about().grows() { 0 } else { -value })).collect()
            }
        }
    }

    /// The later row, or the earlier one where there is no other.
    pub fn row(&self) -> &'p Row {
        self.after.or(self.before).expect("one of the profiles has the site")
    }

    /// What became of it.
    pub fn kind(&self) -> Kind {
        Kind::of(self.bytes())
    }
}

/// Whether two profiles are known to be of different boots, from which on everything is counted anew.
pub fn different_boots(before: &Meta, after: &Meta) -> bool {
    matches!((&before.boot_id, &after.boot_id), (Some(before), Some(after)) if before != after)
}

/// What became of every site that one of the profiles has, the largest changes first.
///
/// With `exact`, sites whose line has moved are taken for others.
pub fn changes<'p>(before: &'p Profile, after: &'p Profile, exact: bool) -> Vec<Change<'p>> {
    let (old, new): (Vec<&Row>, Vec<&Row>) = (before.rows().iter().collect(), after.rows().iter().collect());
    let mut changes = Vec::with_capacity(new.len());
    let anew = different_boots(&before.meta, &after.meta);
    let (mut old_left, mut new_left) = (vec![true; old.len()], vec![true; new.len()]);
    for Matched { before, after, confidence } in pairs(&old, &new) {
        if exact && confidence != Confidence::Exact {
            continue;
        }
        (old_left[before], new_left[after]) = (false, false);
        let (before, after) = (Some(old[before]), Some(new[after]));
        changes.push(Change { before, after, confidence: Some(confidence), anew });
    }
    let alone =
        |rows: Vec<&'p Row>, left: Vec<bool>| rows.into_iter().zip(left).filter(|(_, left)| *left).map(|(row, _)| row);
    changes.extend(alone(old, old_left).map(|row| Change { before: Some(row), after: None, confidence: None, anew }));
    changes.extend(alone(new, new_left).map(|row| Change { before: None, after: Some(row), confidence: None, anew }));
    changes.sort_by(|a, b| {
        let magnitude = |change: &Change<'_>| (change.delta().unsigned_abs(), change.delta_calls().unsigned_abs());
        magnitude(b).cmp(&magnitude(a)).then_with(|| a.row().site.cmp(&b.row().site))
    });
    changes
}
