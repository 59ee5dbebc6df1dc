// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The contexts of one line: who called, and for whom.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::scene::Scene;
use crate::model::{Context, Site};
use crate::printable::printable;
use crate::render::units::count;
use crate::top::line::Line;

/// What is said of them, the largest first, and whether a line is a context's own; nothing if there are none.
pub(super) fn lines(line: &Line, scene: &Scene<'_>) -> Vec<(String, bool)> {
    let sites: HashSet<&Site> = line.tracks.iter().map(|&track| scene.history.site(track)).collect();
    let mut contexts: Vec<&Context> =
        scene.contexts.list().iter().filter(|context| sites.contains(&context.row.site)).collect();
    if contexts.is_empty() {
        return Vec::new();
    }
    contexts.sort_by_key(|context| (Reverse(context.row.bytes), context.number));
    let mut lines = vec![(format!("from where, for whom: {}", count(contexts.len(), "context")), true)];
    for context in contexts {
        let row = &context.row;
        let calls = count(u64::try_from(row.calls).unwrap_or(0), "call");
        let mut text = format!("{} in {calls}", scene.state.units.format(row.bytes));
        for pair in context.keys() {
            text.push_str(&format!("  {}", printable(&pair.to_string())));
        }
        if sites.len() > 1 {
            text.push_str(&format!("  {}", printable(&row.site.to_string())));
        }
        lines.push((text, true));
        lines.extend(context.stack.iter().map(|frame| (format!("    {}", printable(frame.as_str())), false)));
    }
    lines
}
