// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `export --format parquet`: one profile, or all snapshots of a recording, row group by row group.

use super::args::ExportArgs;
use super::select::sites;
use crate::command::{require, Context, Doubts};
use crate::error::{Error, Outcome, Result};
use crate::export::parquet::{counted, Writer};
use crate::model::{Names, Profile};
use crate::recording;
use crate::sink;
use crate::source::{self, Input, Request};
use crate::subsystem::Subsystems;
use crate::view::View;

/// Writes what `args` ask for.
///
/// # Errors
///
/// If nothing can be read, or the output cannot be written.
pub(super) fn write(
    args: &ExportArgs,
    view: &View,
    subsystems: &Subsystems,
    context: &mut Context<'_>,
) -> Result<Outcome> {
    let mut requests = Requests::of(args, view, context)?;
    let (mut names, mut doubts, mut outcome) = (Names::new(), Doubts::default(), Outcome::Done);
    // What the last one counts, the others count, too, unless a kernel was exchanged in between: then the first knows.
    let first = requests.first(&mut names, context)?;
    require(&first, view.measures())?;
    let mut counts = counted(&first);
    if let Some(last) = requests.list.last() {
        let known = source::read(last, &mut names).map(|profile| counted(&profile)).unwrap_or_default();
        counts.extend(known.into_iter().filter(|key| !counts.contains(key)).collect::<Vec<_>>());
    }
    let mut problem = None;
    sink::write(args.sink.file(), context.out, |out| {
        let mut writer = Writer::new(counts, out)?;
        outcome = outcome.and(doubts.about(&first));
        writer.add(&first.meta, &sites(&first, view, subsystems), subsystems)?;
        drop(first);
        for request in &requests.list {
            match source::read(request, &mut names) {
                Ok(profile) => {
                    outcome = outcome.and(doubts.about(&profile));
                    writer.add(&profile.meta, &sites(&profile, view, subsystems), subsystems)?;
                }
                Err(error) => {
                    problem.get_or_insert(error);
                    outcome = outcome.and(Outcome::Partial);
                }
            }
        }
        writer.finish()
    })?;
    doubts.tell(context);
    if let Some(problem) = problem {
        context.note(format_args!("left out: {problem}"));
    }
    Ok(outcome)
}

/// What is still to be read.
struct Requests {
    list: Vec<Request>,
}

impl Requests {
    fn of(args: &ExportArgs, view: &View, context: &Context<'_>) -> Result<Requests> {
        let request = args.rows.input.resolve(&context.global, view.condition.as_ref());
        let files = match &request.input {
            Input::File(path) if args.all => recording::files(std::slice::from_ref(path), &context.clock)?,
            Input::File(path) => vec![recording::choose(path, &context.clock)?],
            _ if args.all => return Err(Error::Usage("--all: name a recording".to_owned())),
            _ => return Ok(Requests { list: vec![request] }),
        };
        let list = files.into_iter().map(|file| Request { input: Input::File(file), ..request.clone() });
        Ok(Requests { list: list.collect() })
    }

    /// The first one that can be read; those before it are told of.
    fn first(&mut self, names: &mut Names, context: &Context<'_>) -> Result<Profile> {
        let mut list = std::mem::take(&mut self.list).into_iter();
        while let Some(request) = list.next() {
            match source::read(&request, names) {
                Ok(profile) => {
                    self.list = list.collect();
                    return Ok(profile);
                }
                Err(error) if list.len() == 0 => return Err(error),
                Err(error) => context.note(format_args!("left out: {error}")),
            }
        }
        Err(Error::Failed("there is nothing to read".to_owned()))
    }
}
