// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag summary`: one page about a profile.

mod doubts;
mod growth;
mod json;
mod memory;
mod page;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::{read_sharing, Context, Reading};
use crate::args::input::{input, InputArgs};
use crate::args::output::UnitArgs;
use crate::error::{Error, Outcome, Result};
use crate::model::{Names, Profile};
use crate::recording;
use crate::render::json::Head;
use crate::render::Layout;
use crate::source::{Input, Request};
use crate::subsystem::Subsystems;
use crate::time::span;
use page::Page;

/// Options of `summary`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  alloctag summary                      the running kernel
  alloctag summary --interval 10s       and what grew within ten seconds
  alloctag summary new.txt --since old.txt
  alloctag summary /var/lib/alloctag --since @-1h
  alloctag summary -n 10 --si saved.txt
  alloctag summary --format json        the same for a program")]
pub struct SummaryArgs {
    /// What to read.
    #[command(flatten)]
    pub input: InputArgs,
    /// A TOML table of subsystems that goes before the built-in one
    #[arg(long, value_name = "FILE", help_heading = "Selection")]
    pub subsystems: Option<PathBuf>,
    /// Show N lines in each list
    #[arg(short = 'n', long, value_name = "N", default_value = "5", help_heading = "Selection")]
    pub limit: usize,
    /// Show what grew since FILE was saved; @first or @-1h alone is of the same recording
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub since: Option<PathBuf>,
    /// Read the running kernel twice, TIME apart, and show what grew
    #[arg(long, value_name = "TIME", value_parser = span::interval, conflicts_with = "since", help_heading = "Input")]
    pub interval: Option<Duration>,
    /// How to write it
    #[arg(long, value_name = "FORMAT", default_value = "page", help_heading = "Output")]
    pub format: Form,
    /// The units.
    #[command(flatten)]
    pub units: UnitArgs,
}

/// How the summary is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For people.
    Page,
    /// One JSON object.
    Json,
}

/// Runs the command.
///
/// # Errors
///
/// If nothing can be read or the output cannot be written.
pub fn run(args: &SummaryArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let subsystems = Subsystems::load(args.subsystems.as_deref())?;
    let request = args.input.resolve(&context.global, None);
    let mut names = Names::new();
    let before = earlier(args, &request, &mut names, context)?;
    let reading = read_sharing(&request, &mut names, context)?;
    let page = Page {
        profile: &reading.profile,
        subsystems: &subsystems,
        limit: args.limit,
        layout: Layout { units: args.units.resolve(), style: context.style, ..Layout::default() },
        clock: &context.clock,
    };
    let (before, outcome) = before.map_or((None, Outcome::Done), |before| (Some(before.profile), before.outcome));
    match args.format {
        Form::Page => write(&page, before.as_ref(), context.out)?,
        Form::Json => json::write(&page, before.as_ref(), context.out)?,
    }
    Ok(outcome.and(reading.outcome))
}

/// The profile that growth is measured from.
fn earlier(args: &SummaryArgs, request: &Request, names: &mut Names, context: &Context<'_>) -> Result<Option<Reading>> {
    if let Some(interval) = args.interval {
        if request.input != Input::Live {
            return Err(Error::Usage("--interval: only the running kernel can be read twice".into()));
        }
        let before = read_sharing(request, names, context)?;
        std::thread::sleep(interval);
        return Ok(Some(before));
    }
    let Some(file) = &args.since else { return Ok(None) };
    let of = args.input.file.as_ref().or(args.input.path.as_ref());
    let file = of.map_or_else(|| file.clone(), |of| recording::beside(of, file));
    let request = Request { input: input(Some(&file)), ..request.clone() };
    read_sharing(&request, names, context).map(Some)
}

fn write(page: &Page<'_>, before: Option<&Profile>, out: &mut dyn Write) -> io::Result<()> {
    page.title(out)?;
    memory::write(page, out)?;
    for list in page.lists() {
        page.heading(list.title, out)?;
        page.with_list(list, |table| table.write(&page.layout, &Head::new(), out))?;
    }
    if let Some(before) = before {
        growth::write(page, before, out)?;
    }
    doubts::write(page, out)
}
