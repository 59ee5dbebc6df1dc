// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Exports contexts.

use super::args::{ExportArgs, ExportFormat};
use crate::command::told::{condition, Told};
use crate::command::{describe, Context};
use crate::error::{Error, Outcome, Result};
use crate::export::{folded, pprof};
use crate::render::json::head;
use crate::render::units::count;
use crate::render::{Format, Layout};
use crate::sink;
use crate::subsystem::Subsystems;
use crate::view::contexts::{ContextView, Part};

/// Whether contexts can be written so.
pub(super) fn can_write(format: ExportFormat) -> bool {
    !matches!(format, ExportFormat::Openmetrics | ExportFormat::Parquet)
}

/// That the options go with contexts.
///
/// # Errors
///
/// A usage error if they do not.
pub(super) fn check(args: &ExportArgs) -> Result<()> {
    if args.contexts && !can_write(args.format) {
        let problem = "--contexts: metrics and tables of many machines are of call sites; folded, pprof, json and csv of contexts";
        return Err(Error::Usage(problem.to_owned()));
    }
    if args.contexts && args.group.is_some() {
        return Err(Error::Usage("--group: `alloctag contexts --by` adds contexts up".to_owned()));
    }
    Ok(())
}

/// Writes them.
///
/// # Errors
///
/// If options do not go together, or the output cannot be written.
pub(super) fn write(
    args: &ExportArgs,
    told: &Told,
    subsystems: &Subsystems,
    context: &mut Context<'_>,
) -> Result<Outcome> {
    let view = ContextView {
        condition: condition(args.rows.filter.condition.as_deref(), subsystems)?,
        limit: args.limit,
        min: args.min,
        zeros: true,
        include_backing: args.rows.include_backing,
        ..ContextView::default()
    };
    let contexts = told.contexts();
    let selection = view.apply(contexts, subsystems);
    // The largest, if not all.
    let chosen = || selection.groups.iter().flat_map(|group| &group.all).copied();
    let meta = &told.profile.meta;
    let mut negative = 0;
    sink::write(args.sink.file(), context.out, |out| {
        let format = match args.format {
            ExportFormat::Folded => return folded::write_contexts(chosen(), out).map(|left_out| negative = left_out),
            ExportFormat::Pprof => {
                return pprof::write_contexts(chosen(), contexts.period(), meta, subsystems, out);
            }
            ExportFormat::Ndjson => Format::Ndjson,
            ExportFormat::Csv => Format::Csv,
            ExportFormat::Tsv => Format::Tsv,
            ExportFormat::Json | ExportFormat::Openmetrics | ExportFormat::Parquet => Format::Json,
        };
        let mut about = head("alloctag.export.contexts/1");
        describe(&mut about, &told.profile);
        if format == Format::Ndjson {
            writeln!(out, "{}", serde_json::Value::Object(about.clone()))?;
        }
        let numbers = Part::all().filter(|part| !matches!(part, Part::Key(_) | Part::Average | Part::Contexts));
        let parts: Vec<Part> = numbers.chain(selection.by.iter().copied().map(Part::Key)).collect();
        selection.table(&parts).write(&Layout { format, ..Layout::default() }, &about, out)
    })?;
    if negative > 0 {
        context.note(format_args!("left out {} below zero: folded stacks cannot say that", count(negative, "stack")));
    }
    Ok(told.outcome)
}
