// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Where leaks come from, and for whom: the contexts of call sites that leak.

use std::cmp::Reverse;
use std::io::{self, Write};

use serde_json::{json, Map, Value};

use super::samples::Samples;
use crate::model::{Context, Contexts, Meta, Origin, Row};
use crate::printable::printable;
use crate::render::human::cut;
use crate::render::style::Ink;
use crate::render::units::count;
use crate::render::Layout;

/// Contexts shown of each leak, those that grow most.
const SHOWN: usize = 3;

/// The contexts at first and at last.
pub(super) struct Origins {
    before: Contexts,
    now: Contexts,
    /// Whether the running kernel could tell them apart.
    can_watch: bool,
}

impl Origins {
    /// Those of what was read, which is left without.
    pub(super) fn of(samples: &mut Samples) -> Origins {
        let can_watch = is_alloctags(&samples.last.meta);
        Origins {
            before: std::mem::take(&mut samples.before),
            now: std::mem::take(&mut samples.last.contexts),
            can_watch,
        }
    }

    /// The contexts of a call site with what each has grown by, those first that have grown most.
    fn of_site(&self, row: &Row) -> Vec<(&Context, i64)> {
        let old = |context: &Context| of(&self.before, row).into_iter().find(|old| old.is_same(context));
        // Differences of what a builder has bounded fit.
        let growth = |context: &Context| context.row.bytes - old(context).map_or(0, |old| old.row.bytes);
        let mut contexts: Vec<_> = of(&self.now, row).into_iter().map(|context| (context, growth(context))).collect();
        contexts.retain(|(context, growth)| *growth > 0 || !context.is_idle());
        contexts.sort_by_key(|(context, growth)| (Reverse(*growth), Reverse(context.row.bytes), context.number));
        contexts
    }

    /// Writes of each leak where it comes from, or how to find that out.
    pub(super) fn write(&self, leaks: &[&Row], layout: &Layout, out: &mut dyn Write) -> io::Result<()> {
        for row in leaks {
            let site = printable(&row.site.to_string()).into_owned();
            let contexts = self.of_site(row);
            if contexts.is_empty() {
                if let Some(rule) = rule(row).filter(|_| self.can_watch) {
                    layout.remark(Ink::Faint, &format!("who calls {site}: alloctag watch '{rule}'"), out)?;
                }
                continue;
            }
            layout.remark(Ink::Alarm, &format!("this leak comes from here: {site}"), out)?;
            for (context, growth) in contexts.iter().take(SHOWN) {
                self.one(context, *growth, layout, out)?;
            }
            if contexts.len() > SHOWN {
                let rest = count(contexts.len() - SHOWN, "other context");
                layout.remark(
                    Ink::Faint,
                    &format!("  and {rest}: alloctag contexts -w func={}", row.site.func),
                    out,
                )?;
            }
        }
        Ok(())
    }

    fn one(&self, context: &Context, growth: i64, layout: &Layout, out: &mut dyn Write) -> io::Result<()> {
        let units = layout.units;
        let sign = if growth < 0 { "" } else { "+" };
        let calls = count(u64::try_from(context.row.calls).unwrap_or(0), "call");
        let mut line = format!("  {sign}{}, now {} in {calls}", units.format(growth), units.format(context.row.bytes));
        for pair in context.keys() {
            line.push_str(&format!(" {}", printable(&pair.to_string())));
        }
        writeln!(out, "{}", cut(&line, layout.style))?;
        for frame in &context.stack {
            writeln!(out, "{}", cut(&format!("      {}", printable(frame.as_str())), layout.style))?;
        }
        Ok(())
    }

    /// The same for programs: all contexts of each.
    pub(super) fn json(&self, leaks: &[&Row]) -> Value {
        let one = |row: &Row, context: &Context, growth: i64| {
            let keys: Map<String, Value> =
                context.keys().iter().map(|pair| (pair.key.to_string(), pair.value.as_str().into())).collect();
            json!({"site": row.site.to_string(), "growth": growth, "bytes": context.row.bytes, "calls": context.row.calls,
                "keys": keys, "stack": context.stack})
        };
        let of_row = |row: &&Row| {
            self.of_site(row).into_iter().map(|(context, growth)| one(row, context, growth)).collect::<Vec<_>>()
        };
        leaks.iter().flat_map(of_row).collect()
    }
}

/// The contexts of a call site.
fn of<'c>(contexts: &'c Contexts, row: &Row) -> Vec<&'c Context> {
    contexts.list().iter().filter(|context| context.row.site == row.site).collect()
}

/// Whether a profile is of a running kernel that tells contexts apart: no other counts what it could not count.
fn is_alloctags(meta: &Meta) -> bool {
    matches!(meta.origin, Origin::Live(_)) && meta.profiling.uncounted.is_some()
}

/// A rule that chooses a call site, if its names are plain.
fn rule(row: &Row) -> Option<String> {
    let site = &row.site;
    let place = match &site.module {
        Some(module) => format!("module {module}"),
        None => format!("file {}", site.path()),
    };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b" _-./".contains(&byte);
    Some(format!("{place} func {} +c by=stack", site.func))
        .filter(|rule| rule.strip_suffix("+c by=stack").is_some_and(|names| names.bytes().all(plain)))
}
