// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What became of contexts.

use serde_json::json;

use super::args::DiffArgs;
use crate::args::input::input;
use crate::args::output::Judging;
use crate::command::left_out::{self, Limits};
use crate::command::told::{condition, read_contexts};
use crate::command::{below, Context};
use crate::compare::different_boots;
use crate::error::{Error, Outcome, Result};
use crate::recording;
use crate::render::fit::End;
use crate::render::json::head;
use crate::render::style::Ink;
use crate::render::units::count;
use crate::render::{Cell, Column, Format, Table};
use crate::source::Request;
use crate::view::contexts::ContextView;
use crate::view::{changes, ContextChange, Key};

const COLUMNS: [Column; 5] = [
    Column::right("delta", "DELTA"),
    Column::right("before", "BEFORE").spare(3),
    Column::right("after", "AFTER").spare(2),
    Column::right("calls", "CALLS").spare(4),
    Column::right("allocs", "ALLOCS").spare(1),
];

/// Compares the contexts of two profiles.
///
/// # Errors
///
/// If options do not go together, one of them has no contexts, or the output cannot be written.
pub(super) fn run(args: &DiffArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let Judging::Table(format) = args.output.format else { return Err(not_of_contexts("--format junit")) };
    if !args.fail_if.fail_if.is_empty() {
        return Err(not_of_contexts("--fail-if"));
    }
    if !args.sort.is_empty() {
        return Err(not_of_contexts("--sort"));
    }
    let subsystems = args.filter.subsystems()?;
    let condition = condition(args.filter.condition.as_deref(), &subsystems)?;
    let live = Request::live(&context.global.procfs);
    let before = read_contexts(&Request { input: input(Some(&args.before)), ..live.clone() }, false, context)?;
    let after = args.after.as_deref().map(|after| recording::beside(&args.before, after));
    let after = read_contexts(&Request { input: input(after.as_deref()), ..live }, false, context)?;
    let by = if args.by.is_empty() {
        shared(&[Key::of_all(before.contexts()), Key::of_all(after.contexts())])
    } else {
        args.by.clone()
    };
    let view =
        ContextView { condition, by, zeros: true, include_backing: args.include_backing, ..ContextView::default() };
    let (old, new) = (view.apply(before.contexts(), &subsystems), view.apply(after.contexts(), &subsystems));
    let anew = different_boots(&before.profile.meta, &after.profile.meta);
    let mut changes = changes(&old, &new, anew);
    let total: i64 = changes.iter().map(ContextChange::delta).sum();
    let all = changes.len();
    changes.retain(|change| change.delta() != 0 || change.calls() != 0);
    let different = changes.len();
    changes.retain(|change| args.min.is_none_or(|min| change.delta().unsigned_abs() >= min.unsigned_abs()));
    changes.truncate(args.limit.unwrap_or(usize::MAX));

    let layout = args.output.resolve(context.style);
    let below = format == Format::Table;
    let keys: Vec<(usize, Key)> =
        view.by.iter().copied().enumerate().filter(|(_, key)| !below || *key != Key::Stack).collect();
    let told = |place: usize| changes.iter().any(|change| change.value(place).is_some());
    let keys: Vec<(usize, Key)> =
        keys.into_iter().filter(|(place, _)| !args.by.is_empty() || !format.is_for_people() || told(*place)).collect();
    let columns = keys.iter().map(|(_, key)| Column::left(key.name(), key.title()).cut(End::Front));
    let table = Table {
        columns: COLUMNS.into_iter().chain(columns).collect(),
        rows: changes.iter().map(|change| cells(change, &keys)).collect(),
    };
    if below {
        let stacks = view.by.contains(&Key::Stack);
        let shown =
            |change: &ContextChange<'_>| if stacks { below::stack(&change.context().stack) } else { Vec::new() };
        let stacks = changes.iter().map(shown);
        below::write(&table, stacks, &layout, context.out)?;
    } else {
        let mut head = head("alloctag.diff.contexts/1");
        head.insert("before".into(), json!(before.profile.meta));
        head.insert("after".into(), json!(after.profile.meta));
        head.insert("by".into(), json!(view.by.iter().map(|key| key.name()).collect::<Vec<_>>()));
        head.insert("delta".into(), total.into());
        table.write(&layout, &head, context.out)?;
    }
    let sum = format!("{} in {}", layout.units.format(total), count(all, "context"));
    layout.remark(Ink::Head, &sum, context.out)?;
    let limits = Limits { limit: args.limit, min: args.min };
    left_out::write((0, ""), different - changes.len(), limits, &layout, context.out)?;
    Ok(before.outcome.and(after.outcome))
}

fn not_of_contexts(option: &str) -> Error {
    Error::Usage(format!("{option}: it is about call sites, not about their contexts"))
}

/// What both are told apart by. An age is another one at another moment.
fn shared(keys: &[Vec<Key>; 2]) -> Vec<Key> {
    let [old, new] = keys;
    let mut all: Vec<Key> = Key::all().filter(|key| old.contains(key) || new.contains(key)).collect();
    for key in old.iter().chain(new) {
        // What a later kernel has besides.
        if !all.contains(key) {
            all.push(*key);
        }
    }
    all.retain(|key| key.name() != "age");
    all
}

fn cells<'c>(change: &ContextChange<'c>, keys: &[(usize, Key)]) -> Vec<Cell<'c>> {
    let numbers = [
        Cell::Change(change.delta()),
        Cell::Bytes(change.before()),
        Cell::Bytes(change.after()),
        Cell::Count(change.calls()),
        Cell::Count(change.allocs()),
    ];
    let key = |(place, key): &(usize, Key)| match key {
        Key::Stack => Cell::List(change.context().stack.iter().map(|frame| frame.as_str()).collect()),
        _ => change.value(*place).map_or(Cell::Empty, Cell::Text),
    };
    numbers.into_iter().chain(keys.iter().map(key)).collect()
}
