// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Says of pages that only back other rows whether they are counted. One rule for all commands: not unless asked for.

use serde_json::{json, Value};

use crate::model::{Backing, Whole};
use crate::render::json::Head;
use crate::render::Units;

/// For people, a line for each kind that was left out of `whole`.
pub(super) fn left_out(whole: &Whole, included: bool, units: Units) -> Vec<String> {
    let held = |kind: &Backing| !included && whole.backing(*kind).calls != 0;
    let line = |kind: Backing| {
        let bytes = units.format(whole.backing(kind).bytes);
        format!("not in the total: {bytes} of pages for {}, which have rows of their own", kind.holds())
    };
    Backing::ALL.into_iter().filter(held).map(line).collect()
}

/// For programs: what there is of each kind, and whether it is among the rows.
pub(super) fn describe(head: &mut Head, whole: &Whole, included: bool) {
    let kinds = Backing::ALL.map(|kind| json!({"of": kind, "total": whole.backing(kind)}));
    head.insert("backing".into(), Value::from(kinds.to_vec()));
    head.insert("backing_included".into(), included.into());
}
