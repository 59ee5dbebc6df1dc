// SPDX-License-Identifier: GPL-2.0-only

//! `/sys/kernel/debug/alloctag/lifetimes`: how long lived what chosen call sites have allocated, and how old is what lives.

use super::{
    debugfs::Operations,
    histograms::{open, operations, Lines},
};
use crate::{
    detail::lifetimes::{at, Of},
    model::{
        lifetimes,
        stalls::SHARED,
        text::{Full, Text},
    },
    platform::histograms::LIFETIMES,
    registry,
};
use kernel::bindings;

/// The lines.
enum Lifetimes {}

impl Lines for Lifetimes {
    const HEADER: &'static [u8] = lifetimes::HEADER;

    fn has(place: usize) -> bool {
        LIFETIMES.at(place).is_some()
    }

    fn show(place: usize, text: &mut Text<'_>) -> Result<(), Full> {
        // Whose account it is stays so from before the numbers are read.
        let sections = registry::read();
        match at(place) {
            Some(Of::Shared(shared)) if !shared.is_empty() => {
                lifetimes::line(text, &shared, &SHARED)
            }
            Some(Of::Own(account, own)) if !own.is_empty() => match sections.row_of(account) {
                Some(row) => lifetimes::line(text, &own, &row),
                // It has gone, and nobody has its account yet.
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn walk() -> &'static bindings::seq_operations {
        static WALK: bindings::seq_operations = operations::<Lifetimes>();
        &WALK
    }
}

/// What the file can do.
pub(super) static FILE: Operations = Operations::seq(open::<Lifetimes>);
