// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What a kernel may count for a call site beside its live bytes and calls.
//!
//! [`TABLE`] is the one place that knows of each: where the kernel says it, what it is called, in which unit it is. Readers,
//! snapshots, columns, conditions and exports go through the table, so that one more number is one more line of it.

/// One of these numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Number {
    /// Of the live bytes, those that nobody asked for.
    Slack,
    /// How often the site has allocated.
    Allocs,
    /// How often that was freed: the allocations less these are the live ones.
    Frees,
    /// Bytes that it has ever allocated.
    Allocated,
    /// How often it was given nothing.
    Failed,
    /// How often of these because a rule said so.
    Injected,
    /// How often it had to wait for what it was given.
    Stalls,
    /// For how long altogether.
    StallNs,
    /// For how long at most.
    StallMaxNs,
}

/// What a number is a number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Memory.
    Bytes,
    /// Allocations, frees, failures.
    Times,
    /// Nanoseconds.
    Nanoseconds,
}

/// What several call sites have together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Together {
    /// The sum.
    Sum,
    /// The most of any.
    Most,
}

/// What there is to know about a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// Which one.
    pub number: Number,
    /// Its name: in options, in machine formats, in the head of the kernel's own table.
    pub name: &'static str,
    /// The head of its column.
    pub title: &'static str,
    /// Its place among the fields of `<linux/alloctag.h>`: bit 0 are the live bytes, bit 1 the live calls.
    pub bit: u32,
    /// Its unit.
    pub unit: Unit,
    /// What several call sites have of it.
    pub together: Together,
    /// The head of what it grows by in a second; `None` if it may fall. What grows does so from the boot on, or from the loading
    /// of the module.
    pub pace: Option<&'static str>,
    /// What metrics call it.
    pub metric: &'static str,
    /// What it is, in a sentence.
    pub meaning: &'static str,
}

/// How many there are.
pub const COUNT: usize = 9;

/// All of them, each at the place of its [`Number`].
pub const TABLE: [About; COUNT] = [
    About {
        number: Number::Slack,
        name: "slack",
        title: "SLACK",
        bit: 2,
        unit: Unit::Bytes,
        together: Together::Sum,
        pace: None,
        metric: "slack",
        meaning: "Memory in use that nobody asked for, by the code that allocated it.",
    },
    About {
        number: Number::Allocs,
        name: "allocs",
        title: "ALLOCS",
        bit: 3,
        unit: Unit::Times,
        together: Together::Sum,
        pace: Some("ALLOCS/s"),
        metric: "allocations",
        meaning: "Allocations since boot, by the code that made them.",
    },
    About {
        number: Number::Frees,
        name: "frees",
        title: "FREES",
        bit: 4,
        unit: Unit::Times,
        together: Together::Sum,
        pace: Some("FREES/s"),
        metric: "frees",
        meaning: "Frees since boot, by the code that had allocated.",
    },
    About {
        number: Number::Allocated,
        name: "allocated",
        title: "ALLOCATED",
        bit: 5,
        unit: Unit::Bytes,
        together: Together::Sum,
        pace: Some("ALLOCATED/s"),
        metric: "allocated",
        meaning: "Memory allocated since boot, freed or not, by the code that allocated it.",
    },
    About {
        number: Number::Failed,
        name: "failed",
        title: "FAILED",
        bit: 6,
        unit: Unit::Times,
        together: Together::Sum,
        pace: Some("FAILED/s"),
        metric: "failures",
        meaning: "Allocations since boot that failed, by the code that asked for them.",
    },
    About {
        number: Number::Injected,
        name: "injected",
        title: "INJECTED",
        bit: 7,
        unit: Unit::Times,
        together: Together::Sum,
        pace: Some("INJECTED/s"),
        metric: "injected_failures",
        meaning: "Allocations since boot that failed because a rule said so, by the code that asked for them.",
    },
    About {
        number: Number::Stalls,
        name: "stalls",
        title: "STALLS",
        bit: 8,
        unit: Unit::Times,
        together: Together::Sum,
        pace: Some("STALLS/s"),
        metric: "stalls",
        meaning: "Allocations since boot that had to wait, by the code that asked for them.",
    },
    About {
        number: Number::StallNs,
        name: "stall_ns",
        title: "STALLED",
        bit: 9,
        unit: Unit::Nanoseconds,
        together: Together::Sum,
        pace: Some("STALLED/s"),
        metric: "stall",
        meaning: "Time since boot that allocations had to wait, by the code that asked for them.",
    },
    About {
        number: Number::StallMaxNs,
        name: "stall_max_ns",
        title: "LONGEST",
        bit: 10,
        unit: Unit::Nanoseconds,
        together: Together::Most,
        pace: None,
        metric: "longest_stall",
        meaning: "The longest time since boot that an allocation had to wait, by the code that asked for it.",
    },
];

impl About {
    /// Whether it only grows.
    pub fn grows(&self) -> bool {
        self.pace.is_some()
    }

    /// The kernel's option without which it is not counted.
    pub fn option(&self) -> &'static str {
        match self.number {
            Number::Injected => "CONFIG_ALLOCTAG_FAULTS",
            Number::Stalls | Number::StallNs | Number::StallMaxNs => "CONFIG_ALLOCTAG_STALLS",
            _ => "CONFIG_ALLOCTAG_STATS",
        }
    }
}

impl Number {
    /// All of them, in the kernel's order.
    pub fn all() -> impl DoubleEndedIterator<Item = Number> {
        TABLE.iter().map(|about| about.number)
    }

    /// What there is to know about it.
    pub fn about(self) -> &'static About {
        &TABLE[self.place()]
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.about().name
    }

    /// The number of that name.
    pub fn named(name: &str) -> Option<Number> {
        TABLE.iter().find(|about| about.name == name).map(|about| about.number)
    }

    /// Its place in the table.
    pub(super) const fn place(self) -> usize {
        // CAST: variants are numbered from 0.
        self as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_at_its_place_and_has_a_name_and_a_bit_of_its_own() {
        for (place, about) in TABLE.iter().enumerate() {
            assert_eq!((about.number.place(), Number::named(about.name)), (place, Some(about.number)));
            assert!(TABLE[..place].iter().all(|other| other.bit < about.bit), "{}", about.name);
        }
        assert_eq!(Number::named("colour"), None);
    }
}
