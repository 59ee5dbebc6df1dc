// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Reads the profiles over which leaks are looked for.

use std::time::Instant;

use super::args::LeakArgs;
use crate::args::input::input;
use crate::command::reading::Doubts;
use crate::command::{by_time, Context};
use crate::error::{Error, Outcome, Result};
use crate::interrupt::Interrupt;
use crate::model::{Contexts, Names, Profile};
use crate::recording::Thinned;
use crate::render::units::count;
use crate::source::{self, contexts, Request};
use crate::trend::History;

/// What was read.
pub(super) struct Samples {
    pub(super) history: History,
    /// The contexts of the first profile.
    pub(super) before: Contexts,
    /// The last profile, with its contexts.
    pub(super) last: Profile,
    /// [`Outcome::Partial`] if something could not be read.
    pub(super) outcome: Outcome,
}

/// Reads what `args` names.
pub(super) fn collect(args: &LeakArgs, context: &Context<'_>) -> Result<Samples> {
    let mut reader = Reader {
        history: History::new(args.every.map(|every| every.as_secs_f64())),
        before: None,
        last: None,
        outcome: Outcome::Done,
        doubts: Doubts::default(),
    };
    if args.files.is_empty() {
        watch(args, context, &mut reader)?;
    } else {
        replay(args, context, &mut reader)?;
    }
    reader.doubts.tell(context);
    let tally = *reader.history.tally();
    for (number, what) in [
        (tally.torn, "left out, as modules came or went while they were read"),
        (tally.off, "left out, as profiling was off; histories are cut there"),
        (tally.disordered, "left out, as they are not later than the one before"),
    ] {
        if number > 0 {
            context.note(format_args!("{} {what}", count(number, "profile")));
        }
    }
    match reader.last {
        Some(last) => Ok(Samples {
            history: reader.history,
            before: reader.before.unwrap_or_default(),
            last,
            outcome: reader.outcome,
        }),
        None => Err(Error::Failed("none of these profiles can be used; `alloctag check` tells why".into())),
    }
}

struct Reader {
    history: History,
    before: Option<Contexts>,
    last: Option<Profile>,
    outcome: Outcome,
    doubts: Doubts,
}

impl Reader {
    /// Takes the profile at a place of the series.
    fn take(&mut self, profile: Profile, place: usize) -> Result<()> {
        self.outcome = self.outcome.and(self.doubts.about_unreadable(&profile));
        let before = self.history.tally().taken;
        self.history.push(&profile, place).map_err(|_| {
            Error::failed(&profile.meta.origin, "does not say when it was read; --every says how far apart they are")
        })?;
        if self.history.tally().taken > before {
            self.before.get_or_insert_with(|| profile.contexts.clone());
            self.last = Some(profile);
        }
        Ok(())
    }

    /// Whether contexts are still to be looked at for the first time: those of a profile that is left out do not count.
    fn lacks_contexts(&self) -> bool {
        self.before.is_none()
    }

    fn leave_out(&mut self, error: &Error, context: &Context<'_>) {
        context.note(format_args!("left out: {error}"));
        self.outcome = Outcome::Partial;
    }
}

fn watch(args: &LeakArgs, context: &Context<'_>, reader: &mut Reader) -> Result<()> {
    let request = Request::live(&context.global.procfs);
    let mut names = Names::new();
    let interrupt = Interrupt::catch_all()?;
    let start = Instant::now();
    for (place, tick) in (0..).enumerate() {
        let due = args.interval.saturating_mul(tick);
        if due > args.time {
            break;
        }
        if interrupt.comes_within(due.saturating_sub(start.elapsed()))? {
            break;
        }
        // Contexts are looked at in the beginning and in the end.
        let request = Request { contexts: reader.lacks_contexts(), ..request.clone() };
        match source::read(&request, &mut names) {
            Ok(profile) => reader.take(profile, place)?,
            Err(error) if tick == 0 => return Err(error),
            // Hours of readings are not given up for one that memory was too short for.
            Err(error) => reader.leave_out(&error, context),
        }
    }
    if let Some(last) = reader.last.as_mut() {
        match contexts::read_any(&request.procfs, &mut names) {
            Ok(live) => last.contexts = live.map(|live| live.contexts).unwrap_or_default(),
            Err(error) => context.note(error),
        }
    }
    Ok(())
}

fn replay(args: &LeakArgs, context: &Context<'_>, reader: &mut Reader) -> Result<()> {
    let files = Thinned::of(by_time(&args.files, context)?);
    if let Some(note) = files.note() {
        context.note(note);
    }
    let mut names = Names::new();
    for (place, file) in files.places().zip(&files.taken) {
        let request = Request { input: input(Some(file)), ..Request::live(&context.global.procfs) };
        match source::read(&request, &mut names) {
            Ok(profile) => reader.take(profile, place)?,
            Err(error) => reader.leave_out(&error, context),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Builder, Meta};

    #[test]
    fn contexts_are_looked_at_until_a_profile_can_be_used() {
        let mut names = Names::new();
        let mut profile = |torn| {
            let meta = Meta { torn, uptime_ms: Some(1), ..Meta::default() };
            Builder::new(&mut names).finish(meta)
        };
        let mut reader = Reader {
            history: History::new(None),
            before: None,
            last: None,
            outcome: Outcome::Done,
            doubts: Doubts::default(),
        };
        for (torn, lacks) in [(true, true), (false, false), (true, false)] {
            reader.take(profile(torn), 0).unwrap();
            assert_eq!(reader.lacks_contexts(), lacks);
        }
    }
}
