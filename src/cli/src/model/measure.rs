// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What can be told of a call site where the kernel counts more than live bytes and calls.

use std::str::FromStr;

use super::number::{Number, Unit, TABLE};
use super::Numbers;

/// One of the kernel's numbers, or what follows from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// As the kernel says it.
    Counted(Number),
    /// Live bytes that somebody asked for.
    Requested,
    /// The slack's share of the live bytes.
    Waste,
    /// Allocations a second, on average since boot.
    Rate,
}

/// What a measure is taken of.
#[derive(Clone, Copy, Debug)]
pub struct Measured<'m> {
    /// Live bytes.
    pub bytes: i64,
    /// What else was counted.
    pub numbers: &'m Numbers,
    /// For how long, in milliseconds, if that is known.
    pub time_ms: Option<u64>,
}

/// What was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// Memory.
    Bytes(i64),
    /// A number of times, or of times a second.
    Times(i64),
    /// Nanoseconds.
    Time(i64),
    /// Hundredths.
    Percent(f64),
}

/// What follows from the kernel's numbers, with its name and its head.
const DERIVED: [(Measure, &str, &str); 3] = [
    (Measure::Requested, "requested", "REQUESTED"),
    (Measure::Waste, "waste", "WASTE%"),
    (Measure::Rate, "rate", "ALLOCS/s"),
];

impl Measure {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Measure> {
        TABLE.iter().map(|about| Measure::Counted(about.number)).chain(DERIVED.iter().map(|derived| derived.0))
    }

    /// Its name in options and machine formats.
    pub fn name(self) -> &'static str {
        self.names().0
    }

    /// The head of its column.
    pub fn title(self) -> &'static str {
        self.names().1
    }

    /// The measure of that name. `waste%` is written as its head shows it, too.
    pub fn named(name: &str) -> Option<Measure> {
        let name = if name == "waste%" { "waste" } else { name };
        Measure::all().find(|measure| measure.name() == name)
    }

    /// Without which of the kernel's numbers it is not known.
    pub fn needs(self) -> Number {
        match self {
            Measure::Counted(number) => number,
            Measure::Requested | Measure::Waste => Number::Slack,
            Measure::Rate => Number::Allocs,
        }
    }

    /// Whether it only grows, so that it may be of more interest by how much in a second.
    pub fn pace(self) -> Option<&'static str> {
        match self {
            Measure::Counted(number) => number.about().pace,
            _ => None,
        }
    }

    /// Whether it is a number of nanoseconds.
    pub fn is_time(self) -> bool {
        matches!(self, Measure::Counted(number) if number.about().unit == Unit::Nanoseconds)
    }

    /// Takes it; `None` if what it needs is not known.
    pub fn of(self, measured: &Measured<'_>) -> Option<Amount> {
        let value = measured.numbers.get(self.needs())?;
        Some(match self {
            Measure::Counted(number) => match number.about().unit {
                Unit::Bytes => Amount::Bytes(value),
                Unit::Times => Amount::Times(value),
                Unit::Nanoseconds => Amount::Time(value),
            },
            // Both are bounded.
            Measure::Requested => Amount::Bytes(measured.bytes - value),
            // CAST: sizes beyond 2^53 lose bits that no percentage shows. Multiplied first, so that what is whole stays so.
            Measure::Waste if measured.bytes > 0 => Amount::Percent(value as f64 * 100.0 / measured.bytes as f64),
            Measure::Waste => return None,
            Measure::Rate => Amount::Times(per_second(value, measured.time_ms?)?),
        })
    }

    fn names(self) -> (&'static str, &'static str) {
        match self {
            Measure::Counted(number) => (number.about().name, number.about().title),
            derived => {
                let found = DERIVED.iter().find(|entry| entry.0 == derived).expect("every measure has a name");
                (found.1, found.2)
            }
        }
    }
}

impl FromStr for Measure {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Measure::named(text).ok_or_else(|| {
            let names: Vec<_> = Measure::all().map(Measure::name).collect();
            format!("`{text}` is nothing that is counted; there are {}", names.join(", "))
        })
    }
}

impl Amount {
    /// A number to order it by.
    pub fn real(self) -> f64 {
        match self {
            // CAST: sizes beyond 2^53 that differ in less than that are as good as equal.
            Amount::Bytes(number) | Amount::Times(number) | Amount::Time(number) => number as f64,
            Amount::Percent(percent) => percent,
        }
    }

    /// A whole number: hundredths are cut to whole ones.
    pub fn whole(self) -> i64 {
        match self {
            Amount::Bytes(number) | Amount::Times(number) | Amount::Time(number) => number,
            // CAST: a percentage, cut to whole ones.
            Amount::Percent(percent) => percent as i64,
        }
    }
}

/// So many in so many milliseconds, a second; `None` if no time has passed.
pub fn per_second(number: i64, time_ms: u64) -> Option<i64> {
    let time_ms = i128::from(time_ms);
    i64::try_from((i128::from(number) * 1000).checked_div(time_ms)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_follow_from_the_numbers_or_are_not_known() {
        let numbers = Numbers::NONE.with(Number::Slack, 1024).with(Number::Allocs, 30);
        let measured = Measured { bytes: 4096, numbers: &numbers, time_ms: Some(10_000) };
        let empty = Measured { bytes: 0, ..measured };
        let young = Measured { time_ms: Some(0), ..measured };
        let text = Measured { numbers: &Numbers::NONE, ..measured };
        for (name, of, expected) in [
            ("slack", measured, Some(Amount::Bytes(1024))),
            ("requested", measured, Some(Amount::Bytes(3072))),
            ("waste", measured, Some(Amount::Percent(25.0))),
            ("waste%", empty, None),
            ("allocs", measured, Some(Amount::Times(30))),
            ("rate", measured, Some(Amount::Times(3))),
            ("rate", young, None),
            ("failed", measured, None),
            ("requested", text, None),
        ] {
            assert_eq!(Measure::named(name).unwrap().of(&of), expected, "{name}");
        }
    }

    #[test]
    fn every_measure_is_found_by_its_name() {
        for measure in Measure::all() {
            assert_eq!(Measure::named(measure.name()), Some(measure));
        }
        assert!("bytes".parse::<Measure>().unwrap_err().ends_with(
            "there are slack, allocs, frees, allocated, failed, injected, stalls, stall_ns, \
                       stall_max_ns, requested, waste, rate"
        ));
    }
}
