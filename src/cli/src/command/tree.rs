// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag tree`: the profile rolled up by directory, module or subsystem.

pub(in crate::command) mod draw;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::{backing, describe, Chosen, Context};
use crate::args::choice::Choosing;
use crate::args::output::UnitArgs;
use crate::args::rows::RowsArgs;
use crate::args::view::size;
use crate::error::{Outcome, Result};
use crate::model::Measure;
use crate::render::json::head;
use crate::render::style::Ink;
use crate::view::tree::By;

/// Options of `tree`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alloctag tree                             by directory, what holds at least half a percent
  alloctag tree --by subsystem -d 1         subsystems alone
  alloctag tree -w 'file~^drivers/' -m 0    everything below drivers/
  alloctag tree --by subsystem -f slack,waste   who wastes how much, if the kernel counts it
  alloctag tree --format json saved.txt     the whole tree of a saved profile, for a program")]
pub struct TreeArgs {
    /// Which rows of what.
    #[command(flatten)]
    pub rows: RowsArgs,
    /// What the branches are
    #[arg(long, value_name = "KIND", default_value = "dir", help_heading = "Selection")]
    pub by: By,
    /// Show so many levels
    #[arg(short, long, value_name = "N", help_heading = "Selection")]
    pub depth: Option<usize>,
    /// Show at most N branches of each
    #[arg(short = 'n', long, value_name = "N", help_heading = "Selection")]
    pub limit: Option<usize>,
    /// Show branches of at least SIZE bytes; half a percent of the total without
    #[arg(short, long, value_name = "SIZE", value_parser = size, allow_hyphen_values = true, help_heading = "Selection")]
    pub min: Option<i64>,
    /// Show these, too, of kernels that count them: slack requested waste allocs frees allocated failed injected stalls stall_ns stall_max_ns rate
    #[arg(short, long, value_name = "FIELD[,FIELD]", value_delimiter = ',', value_parser = Choosing::<Measure>::new(), hide_possible_values = true, help_heading = "Output")]
    pub fields: Vec<Measure>,
    /// How to write
    #[arg(long, value_name = "FORMAT", default_value = "table", help_heading = "Output")]
    pub format: TreeFormat,
    /// The units.
    #[command(flatten)]
    pub units: UnitArgs,
}

/// How a tree is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TreeFormat {
    /// Indented lines for people.
    Table,
    /// One nested JSON object.
    Json,
}

/// Runs the command.
///
/// # Errors
///
/// If nothing can be read or the output cannot be written.
pub fn run(args: &TreeArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let chosen = Chosen::read(&args.rows, context)?;
    let mut root = chosen.tree(args.by);
    // A program can fold and prune for itself, unless it asks for it.
    let for_people = args.format == TreeFormat::Table;
    if for_people {
        root.fold();
    }
    let min = args.min.or_else(|| for_people.then(|| (root.bytes / 200).max(1)));
    root.prune(&|node, rank| min.is_none_or(|min| node.bytes >= min) && args.limit.is_none_or(|limit| rank < limit));
    if let Some(depth) = args.depth {
        root.prune_below(depth);
    }
    match args.format {
        TreeFormat::Table => {
            let units = args.units.resolve();
            let time_ms = chosen.reading.profile.meta.uptime_ms;
            draw::draw(
                &root,
                &draw::Measures { list: &args.fields, time_ms, things: "SITES" },
                units,
                context.style,
                context.out,
            )?;
            for line in backing::left_out(&chosen.whole(), chosen.include_backing, units) {
                writeln!(context.out, "{}", context.style.paint(Ink::Faint, line))?;
            }
        }
        TreeFormat::Json => {
            let mut document = head("alloctag.tree/1");
            describe(&mut document, &chosen.reading.profile);
            document.insert("by".into(), json!(args.by.to_possible_value().map(|value| value.get_name().to_owned())));
            backing::describe(&mut document, &chosen.whole(), chosen.include_backing);
            document.insert("tree".into(), json!(root));
            writeln!(context.out, "{}", json!(document))?;
        }
    }
    Ok(chosen.reading.outcome)
}
