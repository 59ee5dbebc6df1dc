// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Reads a profile for a command, and says what is doubtful about it.

use std::path::PathBuf;

use serde_json::json;

use super::Context;
use crate::args::rows::RowsArgs;
use crate::error::{Error, Outcome, Result};
use crate::model::{Measure, Names, Origin, Profile, Row, Whole};
use crate::query::Where;
use crate::recording;
use crate::render::json::Head;
use crate::render::units;
use crate::source::{self, file, Input, Request};
use crate::subsystem::Subsystems;
use crate::time::Clock;
use crate::view::tree::{By, Node};

/// A profile, and how well it could be read.
#[derive(Debug)]
pub struct Reading {
    /// The profile.
    pub profile: Profile,
    /// [`Outcome::Partial`] if rows could not be read.
    pub outcome: Outcome,
}

/// Reads a profile, of a recording the one that is meant, and notes on standard error what the user should know about it.
///
/// # Errors
///
/// If nothing can be read.
pub fn read(request: &Request, context: &Context<'_>) -> Result<Reading> {
    read_sharing(request, &mut Names::new(), context)
}

/// The same for one of several profiles that share their names.
///
/// # Errors
///
/// If nothing can be read.
pub fn read_sharing(request: &Request, names: &mut Names, context: &Context<'_>) -> Result<Reading> {
    let profile = source::read(&meant(request, &context.clock)?, names)?;
    let outcome = note_caveats(&profile, context);
    Ok(Reading { profile, outcome })
}

/// The request for the file that is meant: of a recording the snapshot that there is now, by `clock`.
///
/// # Errors
///
/// If there is no such recording, no such moment, or no snapshot of it.
pub fn meant(request: &Request, clock: &Clock) -> Result<Request> {
    let input = match &request.input {
        Input::File(path) => Input::File(recording::choose(path, clock)?),
        other => other.clone(),
    };
    Ok(Request { input, ..request.clone() })
}

/// That the kernel of `profile` counts what a condition or an order goes by.
///
/// # Errors
///
/// What it does not count.
pub fn require(profile: &Profile, measures: impl IntoIterator<Item = Measure>) -> Result<()> {
    let failed = |problem: std::fmt::Arguments<'_>| Err(Error::failed(&profile.meta.origin, problem));
    for measure in measures {
        let number = measure.needs();
        if !profile.rows().is_empty() && !profile.counts(number) {
            return failed(format_args!(
                "tells nothing about {}, which only kernels with {} count, and not the text of allocinfo",
                number.name(),
                number.about().option()
            ));
        }
        if measure == Measure::Rate && profile.meta.uptime_ms.is_none() {
            return failed(format_args!("gives no rate: it does not tell how long after the boot it was read"));
        }
    }
    Ok(())
}

/// That it is known how long allocations took or lived.
///
/// # Errors
///
/// If nothing is.
pub fn require_times(profile: &Profile) -> Result<()> {
    if profile.timings.is_empty() {
        let problem = "has no stalls, latency or lifetimes, which only kernels with CONFIG_ALLOCTAG_STALLS measure";
        return Err(Error::failed(&profile.meta.origin, problem));
    }
    Ok(())
}

/// The files that `paths` mean, in the order of the times in them; where that is not the order in which they are named, it notes so.
///
/// # Errors
///
/// If a directory cannot be read or is no recording.
pub fn by_time(paths: &[PathBuf], context: &Context<'_>) -> Result<Vec<PathBuf>> {
    let (files, moved) = recording::by_time(paths, &context.clock)?;
    if moved > 0 {
        let behind = units::count(moved, "file");
        context.note(format_args!("sorted by the times in the files: {behind} came behind a later one"));
    }
    Ok(files)
}

/// Notes what the user should know about a profile.
pub fn note_caveats(profile: &Profile, context: &Context<'_>) -> Outcome {
    for caveat in caveats(profile) {
        context.note(format_args!("{}: {caveat}", profile.meta.origin));
    }
    outcome(profile)
}

/// What is doubtful about many profiles, a recording's for instance: each thing is noted once.
#[derive(Debug, Default)]
pub struct Doubts {
    /// Each with the first profile that it is about, and how many others there are.
    noted: Vec<(String, Origin, usize)>,
}

impl Doubts {
    /// Adds those about a profile. [`Outcome::Partial`] if rows of it could not be read.
    pub fn about(&mut self, profile: &Profile) -> Outcome {
        self.add(caveats(profile), profile)
    }

    /// Adds what of a profile could not be read.
    pub fn about_unreadable(&mut self, profile: &Profile) -> Outcome {
        self.add(unreadable(profile), profile)
    }

    fn add(&mut self, caveats: Vec<String>, profile: &Profile) -> Outcome {
        for caveat in caveats {
            match self.noted.iter_mut().find(|(known, ..)| *known == caveat) {
                // The running kernel stays the same one.
                Some((_, origin, others)) => *others += usize::from(*origin != profile.meta.origin),
                None => self.noted.push((caveat, profile.meta.origin.clone(), 0)),
            }
        }
        outcome(profile)
    }

    /// Notes them on standard error.
    pub fn tell(self, context: &Context<'_>) {
        for (caveat, origin, others) in self.noted {
            match others {
                0 => context.note(format_args!("{origin}: {caveat}")),
                _ => context.note(format_args!("{origin} and {}: {caveat}", units::count(others, "other"))),
            }
        }
    }
}

fn outcome(profile: &Profile) -> Outcome {
    if profile.unreadable().count + profile.contexts.unreadable().count + profile.timings.unreadable().count > 0 {
        Outcome::Partial
    } else {
        Outcome::Done
    }
}

/// A part of a profile.
#[derive(Debug)]
pub struct Chosen {
    /// The whole.
    pub reading: Reading,
    /// What subsystems there are.
    pub subsystems: Subsystems,
    condition: Option<Where>,
    /// Whether pages that only back other rows are part of it.
    pub include_backing: bool,
}

impl Chosen {
    /// Reads what `args` ask for.
    ///
    /// # Errors
    ///
    /// If options make no sense or nothing can be read.
    pub fn read(args: &RowsArgs, context: &Context<'_>) -> Result<Chosen> {
        let subsystems = args.filter.subsystems()?;
        let condition = args.filter.condition(&subsystems)?;
        let reading = read(&args.input.resolve(&context.global, condition.as_ref()), context)?;
        require(&reading.profile, condition.iter().flat_map(Where::measures))?;
        Ok(Chosen { reading, subsystems, condition, include_backing: args.include_backing })
    }

    /// What `args` ask for of a profile that has been read.
    ///
    /// # Errors
    ///
    /// If options make no sense.
    pub fn of(args: &RowsArgs, reading: Reading) -> Result<Chosen> {
        let subsystems = args.filter.subsystems()?;
        let condition = args.filter.condition(&subsystems)?;
        require(&reading.profile, condition.iter().flat_map(Where::measures))?;
        Ok(Chosen { reading, subsystems, condition, include_backing: args.include_backing })
    }

    fn rows(&self) -> impl Iterator<Item = &Row> {
        let wanted =
            |row: &&Row| self.condition.as_ref().is_none_or(|condition| condition.matches(row, &self.subsystems));
        self.reading.profile.rows().iter().filter(wanted)
    }

    /// The sums of the rows that fulfil the condition.
    pub fn whole(&self) -> Whole {
        Whole::of(self.rows())
    }

    /// Its rows as a tree, sorted.
    pub fn tree(&self, by: By) -> Node {
        let rows = self.rows().filter(|row| self.include_backing || row.backing().is_none());
        let mut root = Node::grow(rows, by, &self.subsystems);
        root.sort();
        root
    }
}

/// What of a profile could not be read, and what of its file is none of it.
pub fn unreadable(profile: &Profile) -> Vec<String> {
    let mut caveats = Vec::new();
    let unreadable = profile.unreadable();
    if unreadable.count > 0 {
        let first = unreadable.first.as_deref().unwrap_or_default();
        caveats
            .push(format!("left out {} that cannot be read (first: {first})", units::count(unreadable.count, "row")));
    }
    let unreadable = profile.contexts.unreadable();
    if unreadable.count > 0 {
        let left_out = units::count(unreadable.count, "context");
        let first = unreadable.first.as_deref().unwrap_or_default();
        caveats.push(format!("left out {left_out} that cannot be read (first: {first})"));
    }
    let unreadable = profile.timings.unreadable();
    if unreadable.count > 0 {
        let left_out = units::count(unreadable.count, "line");
        let first = unreadable.first.as_deref().unwrap_or_default();
        caveats.push(format!("left out {left_out} of times that cannot be read (first: {first})"));
    }
    caveats.extend(file::ignored(&profile.meta));
    caveats
}

/// What is doubtful about a profile as a whole.
fn caveats(profile: &Profile) -> Vec<String> {
    let mut caveats = unreadable(profile);
    if profile.meta.torn {
        caveats.push("modules came or went while it was being read; rows may be missing or counted twice".to_owned());
    }
    let live = matches!(profile.meta.origin, Origin::Live(_));
    if profile.meta.profiling.enabled == Some(false) {
        let caveat = if live {
            "profiling is off, so these numbers are old; `alloctag ctl on` turns it on"
        } else {
            "profiling was off, so these numbers were old"
        };
        caveats.push(caveat.to_owned());
    }
    let clipped = profile.rows().iter().filter(|row| row.clipped).count();
    if clipped > 0 {
        let rows = units::count(clipped, "row");
        let remedy = if live { "; --source text shows them whole" } else { "" };
        caveats.push(format!("names in {rows} have lost their beginning{remedy}"));
    }
    caveats
}

/// Adds to a JSON head what a profile is and how it was read.
pub fn describe(head: &mut Head, profile: &Profile) {
    head.insert("meta".into(), json!(profile.meta));
    head.insert("unreadable".into(), json!(profile.unreadable()));
}
