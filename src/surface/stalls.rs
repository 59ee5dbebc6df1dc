// SPDX-License-Identifier: GPL-2.0-only

//! `/sys/kernel/debug/alloctag/stalls`: how long allocations waited, and for what.

use super::{
    debugfs::Operations,
    histograms::{open, operations, Lines},
};
use crate::{
    model::{
        stall::Cause,
        stalls::{self, SHARED},
        text::{Full, Text},
    },
    platform::histograms::{Place, STALLS},
    registry,
};
use kernel::bindings;

/// The lines.
enum Stalls {}

impl Lines for Stalls {
    const HEADER: &'static [u8] = stalls::HEADER;

    fn has(place: usize) -> bool {
        STALLS.at(place).is_some()
    }

    fn show(place: usize, text: &mut Text<'_>) -> Result<(), Full> {
        // Whose account it is stays so from before the numbers are read.
        let sections = registry::read();
        match STALLS.at(place) {
            Some(Place::Shared(cause, histogram)) => {
                stalls::line(text, Cause::of(cause as u32), &histogram, &SHARED)
            }
            Some(Place::Own(account, cause, histogram)) => match sections.row_of(account) {
                Some(row) => stalls::line(text, Cause::of(cause as u32), &histogram, &row),
                // It has gone, and nobody has its account yet.
                None => Ok(()),
            },
            Some(Place::Empty) | None => Ok(()),
        }
    }

    fn walk() -> &'static bindings::seq_operations {
        static WALK: bindings::seq_operations = operations::<Stalls>();
        &WALK
    }
}

/// What the file can do.
pub(super) static FILE: Operations = Operations::seq(open::<Stalls>);
