// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag sweep`: runs a command once for each call site that it touches, with that one failing.

mod args;
mod progress;
mod verdicts;

use super::Context;
use crate::args::output::Judging;
use crate::error::{Error, Outcome, Result};
use crate::interrupt::Interrupt;
use crate::render::units::count;
use crate::source::surroundings;
use crate::subsystem::Subsystems;
use crate::sweep::journal::{self, Journal, Past};
use crate::sweep::kernel::Kernel;
use crate::sweep::session::{End, Session};
use crate::sweep::settings::{Part, Settings};
pub use args::SweepArgs;
use progress::Progress;
use verdicts::Verdicts;

/// Runs the command.
///
/// # Errors
///
/// If COMMAND does not work with nothing failing, the kernel has no call site fail, or what was done cannot be kept.
pub fn run(args: &SweepArgs, context: &mut Context<'_>) -> Result<Outcome> {
    if !args.report.is_empty() {
        let pasts: Vec<Past> = args.report.iter().map(|directory| journal::read(directory)).collect::<Result<_>>()?;
        let lack = lack(&pasts);
        if let Some(lack) = &lack {
            context.note(lack);
        }
        return told(&pasts, lack.is_none(), args, context);
    }
    let subsystems: Subsystems = args.filter.subsystems()?;
    let condition = args.filter.condition(&subsystems)?;
    let settings = args.settings()?;
    let procfs = context.global.procfs.clone();
    let kernel = Kernel::new(&settings, &procfs, Interrupt::catch_all()?)?;
    let boot = surroundings::boot_id(&procfs)
        .ok_or_else(|| Error::failed(procfs.join("sys/kernel/random/boot_id").display(), "cannot be read"))?;
    let mut journal = Journal::open(args.output_directory.as_deref(), &settings, &boot, args.relay)?;
    let mut progress = Progress::new();
    let wants = |row: &_| condition.as_ref().is_none_or(|condition| condition.matches(row, &subsystems));
    let end = Session::new(&settings, kernel, &mut journal).run(wants, &mut progress);
    progress.end();
    let end = end?;
    note(&end, args, journal.past(), context);
    if args.relay {
        return Ok(outcome(std::slice::from_ref(journal.past()), end == End::Done));
    }
    told(std::slice::from_ref(journal.past()), end == End::Done, args, context)
}

/// What several directories lack of one sweep that is at its end.
fn lack(pasts: &[Past]) -> Option<String> {
    let undone = pasts.iter().filter(|past| !past.done).count();
    if undone > 0 {
        return Some(format!("{} not at its end", count(undone, "sweep")));
    }
    let whole = |past: &Past| past.settings().map(|settings| Settings { part: Part::WHOLE, ..settings.clone() });
    let mut all = pasts.iter().map(whole);
    let first = all.next().flatten();
    if all.any(|settings| settings != first) {
        return Some("these are of different sweeps".to_owned());
    }
    let mut parts: Vec<Part> = pasts.iter().filter_map(|past| past.settings().map(|settings| settings.part)).collect();
    parts.sort_unstable();
    (!Part::are_all(&parts)).then(|| {
        let parts: Vec<String> = parts.iter().map(Part::to_string).collect();
        format!("not all parts of the sweep are here, but {}", parts.join(", "))
    })
}

/// Says why it is not at its end, and how to go on.
fn note(end: &End, args: &SweepArgs, past: &Past, context: &Context<'_>) {
    let why = match end {
        End::Done => return,
        End::Spent => "the last trial has left the kernel in a bad state; boot it anew".to_owned(),
        End::Stopped => "stopped".to_owned(),
        End::Refused { trials, reason } => format!("{} could not be made: {reason}", count(*trials, "trial")),
    };
    let plan = past.plan.as_deref().unwrap_or_default();
    let tried = plan.iter().filter(|site| past.ended.iter().any(|(trial, _)| trial.site == **site)).count();
    let how = match &args.output_directory {
        Some(_) => "the same command goes on from here",
        None => "with -o DIR, the same command would go on from here",
    };
    context.note(format_args!("{why} ({tried} of {} tried); {how}", count(plan.len(), "call site")));
}

/// Writes the table.
fn told(pasts: &[Past], is_done: bool, args: &SweepArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let verdicts = Verdicts::of(pasts, args.all);
    let written = match args.output.format {
        Judging::Junit => verdicts.write_junit(context.out),
        _ => verdicts.write(&args.output.resolve(context.style), context.out),
    };
    outcome(pasts, is_done).once(written)
}

fn outcome(pasts: &[Past], is_done: bool) -> Outcome {
    let mut all = pasts.iter().flat_map(|past| &past.ended);
    if all.any(|(_, found)| found.verdict().is_defect()) {
        Outcome::ConditionMet
    } else if is_done {
        Outcome::Done
    } else {
        Outcome::Partial
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::found::Verdict;

    #[test]
    fn the_help_names_all_verdicts() {
        for verdict in Verdict::ALL {
            assert!(args::HELP.contains(verdict.name()), "{}", verdict.name());
        }
    }

    #[test]
    fn a_command_becomes_settings() {
        let Settings { nth, timeout_ms, .. } =
            args::tests::of(&["--nth", "3", "--timeout", "2m", "--", "x"]).settings().unwrap();
        assert_eq!((nth, timeout_ms), (3, 120_000));
    }
}
