// SPDX-License-Identifier: GPL-2.0-only

//! What rules together want of a call site.

use crate::{
    model::{
        line::{Arming, Calls},
        rule::{Letters, Rule},
        text::Row,
    },
    registry::wanted::Wanted,
};

/// Where our own files are.
const OWN: &[u8] = b"mm/alloctag/";

/// The function that makes vectors of references.
const VECTORS: &[u8] = b"alloc_slab_obj_exts";

/// Whether it is our own memory, which never fails.
fn is_own(row: &Row<'_>) -> bool {
    row.file.starts_with(OWN) || row.file == b"mm/slub.c" && row.function == VECTORS
}

/// What is wanted of a call site: for each letter, that of the last rule that says something of it. The rules come with the last
/// one first.
pub(super) fn wanted<'a>(
    rules: impl Iterator<Item = (Rule<'a>, Wanted)> + Clone,
    row: &Row<'_>,
) -> Wanted {
    let last_of = |letter| {
        let says =
            |(rule, _): &(Rule<'_>, Wanted)| rule.decides(letter).is_some() && rule.matches(row);
        rules.clone().find(says)
    };
    let last = |letter| last_of(letter).map_or(Wanted::NOTHING, |(_, wanted)| wanted);
    let has_events = |(rule, _): &(Rule<'_>, Wanted)| rule.decides(Letters::EVENTS) == Some(true);
    let arming = if is_own(row) {
        Arming::NEVER
    } else {
        last(Letters::FAULTS).calls.arming
    };
    Wanted {
        choice: last(Letters::CONTEXTS).choice,
        following: last(Letters::LIFETIMES).following,
        calls: Calls {
            arming,
            is_timed: last(Letters::LATENCY).calls.is_timed,
        },
        // Where no rule asks for any, all have those that no rule takes away.
        is_marked: match last_of(Letters::EVENTS) {
            Some(last) => has_events(&last),
            None => !rules.clone().any(|rule| has_events(&rule)),
        },
    }
}
