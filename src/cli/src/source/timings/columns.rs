// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What stands in front of the call sites of such a text.

use crate::model::Timed;

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    /// How many.
    Count,
    /// How long altogether.
    Ns,
    /// The shortest.
    Min,
    /// The longest.
    Max,
    /// What was waited for.
    Cause,
    /// The buckets.
    Histogram,
    /// How many live.
    Alive,
    /// How many could not be looked at.
    Lost,
    /// The buckets of how old those are that live.
    Ages,
    /// One that a later kernel has and this code does not know.
    Other,
}

/// Those of all kinds, and the names of all of them.
const COMMON: [Column; 5] = [Column::Count, Column::Ns, Column::Min, Column::Max, Column::Histogram];
const NAMES: [(Column, &str); 9] = [
    (Column::Count, "count"),
    (Column::Ns, "ns"),
    (Column::Min, "min_ns"),
    (Column::Max, "max_ns"),
    (Column::Cause, "cause"),
    (Column::Histogram, "histogram"),
    (Column::Alive, "alive"),
    (Column::Lost, "lost"),
    (Column::Ages, "ages"),
];

/// The word over the call sites.
const TAG: &str = "tag";

/// What stands in front of every call site, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Columns(pub(super) Vec<Column>);

impl Columns {
    /// Those that a line such as `# count ns ... tag` names; `None` if one is missing or is there twice.
    pub(super) fn named(timed: Timed, line: &str) -> Option<Columns> {
        let names = line.strip_prefix('#')?.trim_ascii().strip_suffix(TAG)?;
        let of = |name: &str| NAMES.iter().find(|known| known.1 == name).map_or(Column::Other, |known| known.0);
        // What others have is none of its own.
        let own = |column: Column| needed(timed).find(|needed| *needed == column).unwrap_or(Column::Other);
        let columns: Vec<Column> = names.split_ascii_whitespace().map(of).map(own).collect();
        let count = |wanted: Column| columns.iter().filter(|&&column| column == wanted).count();
        needed(timed).all(|column| count(column) == 1).then_some(Columns(columns))
    }
}

fn needed(timed: Timed) -> impl Iterator<Item = Column> {
    let own: &[Column] = match timed {
        Timed::Stalls => &[Column::Cause],
        Timed::Latency => &[],
        Timed::Lifetimes => &[Column::Alive, Column::Lost, Column::Ages],
    };
    COMMON.into_iter().chain(own.iter().copied())
}

/// The columns as the kernel orders them, for a line that names them.
pub(super) fn written(timed: Timed) -> &'static str {
    match timed {
        Timed::Stalls => "count ns min_ns max_ns cause histogram tag",
        Timed::Latency => "count ns min_ns max_ns histogram tag",
        Timed::Lifetimes => "count ns min_ns max_ns alive lost histogram ages tag",
    }
}

/// How such a text begins.
pub(super) fn title(timed: Timed) -> String {
    format!("{} - version:", timed.name())
}
