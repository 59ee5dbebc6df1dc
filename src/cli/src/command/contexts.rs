// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag contexts`: what chosen call sites have, by where it comes from and for whom.

mod args;

use clap::ValueEnum;
use serde_json::json;

use super::below;
use super::left_out::{self, Limits};
use super::told::{condition, read_contexts, Told};
use super::tree::draw;
use super::{describe, Context};
use crate::args::input::input;
use crate::error::{Error, Outcome, Result};
use crate::render::json::{head, Head};
use crate::render::style::Ink;
use crate::render::units::count;
use crate::render::{Format, Layout};
use crate::source::Request;
use crate::subsystem::Subsystems;
use crate::view::contexts::{ContextSelection, ContextView, Part};
use crate::view::stacks::{grow, Top};
use crate::view::Key;

pub use args::ContextsArgs;

/// Runs the command.
///
/// # Errors
///
/// If options do not go together, nothing can be read, or the output cannot be written.
pub fn run(args: &ContextsArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let is_tree = args.tree || args.invert;
    let format = args.output.format;
    if is_tree && !matches!(format, Format::Table | Format::Json) {
        let name = format.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        return Err(Error::Usage(format!("--format {name}: a tree is written as table or json")));
    }
    let subsystems = Subsystems::load(args.subsystems.as_deref())?;
    let view = ContextView {
        condition: condition(args.condition.as_deref(), &subsystems)?,
        by: args.by.clone(),
        sort: args.sort.clone(),
        limit: args.limit,
        min: args.min,
        zeros: args.zeros,
        include_backing: args.include_backing,
    };
    if let Some(missing) = view.sort.iter().find_map(|order| missing(order.part, &view.by)) {
        return Err(Error::Usage(format!("--sort {missing}: it is not among what --by adds up by")));
    }
    let request = Request { input: input(args.file.as_deref()), ..Request::live(&context.global.procfs) };
    let told = read_contexts(&request, args.cumulative, context)?;
    if is_tree {
        tree(args, &view, &told, &subsystems, context)?;
    } else {
        list(args, &view, &told, &subsystems, context)?;
    }
    Ok(told.outcome)
}

/// The name of a key that groups do not have.
fn missing(part: Part, by: &[Key]) -> Option<&'static str> {
    match part {
        Part::Key(key) if !by.is_empty() && !by.contains(&key) => Some(key.name()),
        _ => None,
    }
}

fn list(
    args: &ContextsArgs,
    view: &ContextView,
    told: &Told,
    subsystems: &Subsystems,
    context: &mut Context<'_>,
) -> Result<()> {
    let selection = view.apply(told.contexts(), subsystems);
    let layout = args.output.resolve(context.style);
    let parts = parts(view, &selection, layout.format);
    let table = selection.table(&parts);
    let head = about(told, &selection);
    if layout.format == Format::Table && selection.by.contains(&Key::Stack) {
        let stacks = selection.groups.iter().map(|group| below::stack(&group.first.stack));
        below::write(&table, stacks, &layout, context.out)?;
    } else {
        table.write(&layout, &head, context.out)?;
    }
    footer(args, &selection, &layout, context)
}

/// The columns: for people what tells the groups apart, and of the numbers those that are looked at; for programs all.
fn parts(view: &ContextView, selection: &ContextSelection<'_>, format: Format) -> Vec<Part> {
    let counted = Part::all().filter(|part| matches!(part, Part::Measure(_)));
    let mut parts = vec![Part::Bytes, Part::Calls];
    if format.is_for_people() {
        let is_allocs = |part: &Part| part.name() == "allocs";
        let sorted: Vec<Part> = view.sort.iter().map(|order| order.part).collect();
        parts.extend(counted.filter(|part| is_allocs(part) || sorted.contains(part)));
        parts.extend(sorted.contains(&Part::Average).then_some(Part::Average));
        let merged = selection.groups.iter().any(|group| group.totals.sites > 1);
        parts.extend(merged.then_some(Part::Contexts));
    } else {
        parts.push(Part::Contexts);
        parts.extend(counted);
    }
    let shown = |key: Key| match format {
        // Stacks stand below their line.
        Format::Table if key == Key::Stack => false,
        _ if format.is_for_people() && view.by.is_empty() => selection.tells(key),
        _ => true,
    };
    parts.extend(selection.by.iter().copied().filter(|key| shown(*key)).map(Part::Key));
    parts
}

fn about(told: &Told, selection: &ContextSelection<'_>) -> Head {
    let mut head = head("alloctag.contexts/1");
    describe(&mut head, &told.profile);
    head.insert("unreadable".into(), json!(told.contexts().unreadable()));
    head.insert("by".into(), json!(selection.by.iter().map(|key| key.name()).collect::<Vec<_>>()));
    head.insert(
        "total".into(),
        json!({"bytes": selection.totals.bytes, "calls": selection.totals.calls, "contexts": selection.totals.sites}),
    );
    head.insert("backing".into(), json!(selection.backing.bytes));
    head.insert("estimates".into(), json!(selection.estimates));
    head.insert("omitted".into(), json!({"empty": selection.empty, "cut": selection.cut}));
    head
}

fn footer(
    args: &ContextsArgs,
    selection: &ContextSelection<'_>,
    layout: &Layout,
    context: &mut Context<'_>,
) -> Result<()> {
    let what = if args.cumulative { " allocated so far" } else { "" };
    let contexts = count(selection.totals.sites, "context");
    let line = format!("{} in {contexts}{what}", layout.units.format(selection.totals.bytes));
    layout.remark(Ink::Head, &line, context.out)?;
    if selection.estimates > 0 {
        let line = match selection.estimates {
            all if all == selection.totals.sites => "estimated by samples".to_owned(),
            some => format!("{some} of them estimated by samples"),
        };
        layout.remark(Ink::Faint, &line, context.out)?;
    }
    if selection.backing.bytes != 0 {
        let size = layout.units.format(selection.backing.bytes);
        let line = format!("not in the total: {size} of pages in which other call sites' memory lies");
        layout.remark(Ink::Faint, &line, context.out)?;
    }
    let limits = Limits { limit: args.limit, min: args.min };
    Ok(left_out::write((selection.empty, "that hold nothing"), selection.cut, limits, layout, context.out)?)
}

fn tree(
    args: &ContextsArgs,
    view: &ContextView,
    told: &Told,
    subsystems: &Subsystems,
    context: &mut Context<'_>,
) -> Result<()> {
    let by = if args.by.is_empty() { &[Key::Stack][..] } else { &args.by };
    let top = if args.invert { Top::Site } else { Top::Root };
    let mut root = grow(view.chosen(told.contexts(), subsystems), by, top, subsystems);
    root.sort();
    let for_people = args.output.format == Format::Table;
    let min = args.min.or_else(|| for_people.then(|| (root.bytes / 200).max(1)));
    root.prune(&|node, rank| min.is_none_or(|min| node.bytes >= min) && args.limit.is_none_or(|limit| rank < limit));
    if let Some(depth) = args.depth {
        root.prune_below(depth);
    }
    if for_people {
        let units = args.output.units.resolve();
        let measures = draw::Measures { list: &[], time_ms: None, things: "CONTEXTS" };
        draw::draw(&root, &measures, units, context.style, context.out)?;
    } else {
        let mut document = head("alloctag.contexts.tree/1");
        describe(&mut document, &told.profile);
        document.insert("by".into(), json!(by.iter().map(|key| key.name()).collect::<Vec<_>>()));
        document.insert("top".into(), if args.invert { "site" } else { "root" }.into());
        document.insert("tree".into(), json!(root));
        writeln!(context.out, "{}", json!(document))?;
    }
    Ok(())
}
