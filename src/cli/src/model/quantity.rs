// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What can be told of times.

use super::{Amount, Histogram, Timed, Timing};

/// One number about how long something took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// How often; of lifetimes, how many were freed.
    Count,
    /// How long altogether.
    Total,
    /// How long on average.
    Mean,
    /// The shortest.
    Min,
    /// What half of them took at most.
    P50,
    /// What 90 of a hundred took at most.
    P90,
    /// What 99 of a hundred took at most.
    P99,
    /// The longest.
    Max,
    /// Of lifetimes, how many live.
    Alive,
    /// Their share of those that were freed and those that live: what never comes back has all.
    Kept,
    /// How old half of those that live are at most.
    Age,
    /// Of lifetimes, how many that were drawn could not be looked at.
    Lost,
}

/// All of them, with their names and heads.
const TABLE: [(Quantity, &str, &str); 12] = [
    (Quantity::Count, "count", "COUNT"),
    (Quantity::Total, "ns", "TOTAL"),
    (Quantity::Mean, "mean_ns", "MEAN"),
    (Quantity::Min, "min_ns", "MIN"),
    (Quantity::P50, "p50_ns", "P50"),
    (Quantity::P90, "p90_ns", "P90"),
    (Quantity::P99, "p99_ns", "P99"),
    (Quantity::Max, "max_ns", "MAX"),
    (Quantity::Alive, "alive", "ALIVE"),
    (Quantity::Kept, "kept", "KEPT"),
    (Quantity::Age, "age_ns", "AGE"),
    (Quantity::Lost, "lost", "LOST"),
];

impl Quantity {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Quantity> {
        TABLE.iter().map(|entry| entry.0)
    }

    /// Those that there are of that.
    pub fn of_all(timed: Timed) -> impl Iterator<Item = Quantity> {
        Quantity::all().filter(move |quantity| timed == Timed::Lifetimes || !quantity.is_of_lifetimes())
    }

    /// Its name in options and machine formats.
    pub fn name(self) -> &'static str {
        self.names().0
    }

    /// Its name without the unit, as people may write it.
    pub fn word(self) -> &'static str {
        match self {
            Quantity::Total => "total",
            other => other.name().trim_end_matches("_ns"),
        }
    }

    /// The head of its column.
    pub fn title(self) -> &'static str {
        self.names().1
    }

    /// The one of that name, with its unit or without.
    pub fn named(name: &str) -> Option<Quantity> {
        Quantity::all().find(|quantity| quantity.name() == name || quantity.word() == name)
    }

    /// Whether it is a time.
    pub fn is_time(self) -> bool {
        !matches!(self, Quantity::Count | Quantity::Alive | Quantity::Kept | Quantity::Lost)
    }

    /// Whether it is a number of hundredths.
    pub fn is_share(self) -> bool {
        self == Quantity::Kept
    }

    /// Whether only lifetimes have it.
    pub fn is_of_lifetimes(self) -> bool {
        matches!(self, Quantity::Alive | Quantity::Kept | Quantity::Age | Quantity::Lost)
    }

    /// Takes it; `None` if there is nothing to take it of.
    pub fn of(self, timing: &Timing) -> Option<Amount> {
        let (times, ages) = (&timing.times, &timing.ages);
        let least = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let time = |ns: Option<u64>| ns.map(|ns| Amount::Time(least(ns)));
        let quantile = |histogram: &Histogram, percent| time(histogram.quantile(percent));
        match self {
            Quantity::Count => Some(Amount::Times(least(times.count()))),
            Quantity::Total => time(Some(times.ns())),
            Quantity::Mean => time(times.mean_ns()),
            Quantity::Min => time(times.min_ns()),
            Quantity::P50 => quantile(times, 50),
            Quantity::P90 => quantile(times, 90),
            Quantity::P99 => quantile(times, 99),
            Quantity::Max => time(times.max_ns()),
            Quantity::Alive => Some(Amount::Times(least(ages.count()))),
            Quantity::Kept => {
                let all = u128::from(times.count()) + u128::from(ages.count());
                // CAST: numbers beyond 2^53 lose bits that no percentage shows.
                (all > 0).then(|| Amount::Percent(ages.count() as f64 * 100.0 / all as f64))
            }
            Quantity::Age => quantile(ages, 50),
            Quantity::Lost => Some(Amount::Times(least(timing.lost))),
        }
    }

    fn names(self) -> (&'static str, &'static str) {
        let found = TABLE.iter().find(|entry| entry.0 == self).expect("every quantity has a name");
        (found.1, found.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_quantity_is_found_by_its_name_and_by_its_word() {
        for quantity in Quantity::all() {
            assert_eq!(Quantity::named(quantity.name()), Some(quantity));
            assert_eq!(Quantity::named(quantity.word()), Some(quantity));
        }
        assert_eq!(Quantity::named("p75"), None);
        assert_eq!(Quantity::of_all(Timed::Stalls).count() + 4, Quantity::of_all(Timed::Lifetimes).count());
    }
}
