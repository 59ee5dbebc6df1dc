// SPDX-License-Identifier: GPL-2.0-only

//! `/sys/kernel/debug/alloctag/latency`: how long allocations of chosen call sites took.

use super::{
    debugfs::Operations,
    histograms::{open, operations, Lines},
};
use crate::{
    model::{
        latency,
        stalls::SHARED,
        text::{Full, Text},
    },
    platform::histograms::{Place, LATENCY},
    registry,
};
use kernel::bindings;

/// The lines.
enum Latency {}

impl Lines for Latency {
    const HEADER: &'static [u8] = latency::HEADER;

    fn has(place: usize) -> bool {
        LATENCY.at(place).is_some()
    }

    fn show(place: usize, text: &mut Text<'_>) -> Result<(), Full> {
        // Whose account it is stays so from before the numbers are read.
        let sections = registry::read();
        match LATENCY.at(place) {
            Some(Place::Shared(_, histogram)) => latency::line(text, &histogram, &SHARED),
            Some(Place::Own(account, _, histogram)) => match sections.row_of(account) {
                Some(row) => latency::line(text, &histogram, &row),
                // It has gone, and nobody has its account yet.
                None => Ok(()),
            },
            Some(Place::Empty) | None => Ok(()),
        }
    }

    fn walk() -> &'static bindings::seq_operations {
        static WALK: bindings::seq_operations = operations::<Latency>();
        &WALK
    }
}

/// What the file can do.
pub(super) static FILE: Operations = Operations::seq(open::<Latency>);
