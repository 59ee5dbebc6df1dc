// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag fault`: runs a command whose chosen call sites are given nothing.

use std::collections::HashMap;
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use alloctag_core::model::rule::Faults;
use clap::builder::RangedU64ValueParser;
use clap::Args;

use super::Context;
use crate::error::{describe, Error, Outcome, Result};
use crate::fault;
use crate::interrupt::Interrupt;
use crate::model::{Names, Number, Profile, Site};
use crate::render::units::count;
use crate::rule::{names_sites, Rules};
use crate::source::control::Control;

/// Options of `fault`.
#[derive(Args, Debug)]
#[command(after_help = "\
RULE names call sites as for `alloctag watch`, by any of `file GLOB`, `func GLOB`, `module GLOB`, `line A[-B]`, or all of them by \
`*`. Only COMMAND and what it starts fail there; nothing is armed any more when this ends, however it does. The exit status is \
COMMAND's. The kernel's log has the stack of each fault, as far as /sys/kernel/debug/fail_alloctag/verbose says so.

Examples:
  alloctag fault func alloc_fs_context -- mount -t tmpfs none /mnt  what mount says of ENOMEM
  alloctag fault 'func ext4_*' --skip 2 -- mount /dev/ram0 /mnt     the third one, once
  alloctag fault module xfs --times 0 --probability 1 -- make test  one in a hundred")]
pub struct FaultArgs {
    /// Call sites
    #[arg(value_name = "RULE", required = true)]
    pub rule: Vec<String>,
    /// Fail so often at most, all of them together; 0 for no bound
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = times())]
    pub times: u32,
    /// Let the first N allocations be
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = times())]
    pub skip: u32,
    /// Fail in so many of 100 cases
    #[arg(long, value_name = "P", default_value_t = 100, value_parser = RangedU64ValueParser::<u32>::new().range(1..=100))]
    pub probability: u32,
    /// The command, with its arguments
    #[arg(value_name = "COMMAND", last = true, required = true)]
    pub command: Vec<OsString>,
}

/// Runs the command.
///
/// # Errors
///
/// If the rule makes no sense, the kernel does not take it, or the command cannot be run.
pub fn run(args: &FaultArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let rule = rule(args)?;
    let procfs = &context.global.procfs;
    let mut names = Names::new();
    let before = injected(&fault::read(procfs, &mut names)?);
    fault::require_profiling(procfs)?;
    // ^C is for COMMAND as well: it ends by that, and this tells what has failed.
    let _interrupt = Interrupt::catch()?;
    let owned = Control::of(procfs).own(&rule)?;
    let ended = fault::marked(procfs, &args.command).and_then(|mut command| command.status());
    // Before the rule goes: as long as it is there, so is what modules have counted that have gone.
    let after = fault::read(procfs, &mut names);
    drop(owned);
    let status = ended.map_err(|error| Error::failed("alloctag", describe(&error)))?;
    match after {
        Ok(after) => tell(&before, &injected(&after), context),
        // The status is COMMAND's all the same.
        Err(error) => context.note(format_args!("what has failed is not known: {error}")),
    }
    Ok(Outcome::Ended(code(status)))
}

/// As many times as a rule can have.
fn times() -> RangedU64ValueParser<u32> {
    RangedU64ValueParser::new().range(..=u64::from(Faults::MOST))
}

/// What the kernel is asked for.
fn rule(args: &FaultArgs) -> Result<Rules> {
    let sites = args.rule.join(" ");
    let mistaken = |problem: String| Error::expression("RULE", &sites, problem);
    names_sites(&sites).map_err(mistaken)?;
    let mut text = format!("{sites} +f task-filter=Y");
    for (name, value, unsaid) in
        [("times", args.times, 0), ("skip", args.skip, 0), ("probability", args.probability, 100)]
    {
        if value != unsaid {
            text.push_str(&format!(" {name}={value}"));
        }
    }
    Rules::parse(&text).map_err(mistaken)
}

/// How often call sites were made to fail so far.
fn injected(profile: &Profile) -> HashMap<Site, i64> {
    let faults = profile.rows().iter().filter_map(|row| Some((row.site.clone(), row.numbers.get(Number::Injected)?)));
    faults.filter(|(_, faults)| *faults > 0).collect()
}

/// Its exit status as a shell has it.
fn code(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| Some(128 + status.signal()?));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

fn tell(before: &HashMap<Site, i64>, after: &HashMap<Site, i64>, context: &Context<'_>) {
    let more = |(site, faults): (&Site, &i64)| {
        let more = faults - before.get(site).copied().unwrap_or(0);
        (more > 0).then(|| (more.unsigned_abs(), site.to_string()))
    };
    let mut found: Vec<_> = after.iter().filter_map(more).collect();
    found.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    if found.is_empty() {
        context.note("nothing has failed: no such call site has allocated for the command, or not so often");
    }
    for (faults, site) in found {
        context.note(format_args!("{} at {site}", count(faults, "fault")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(rule: &str, times: u32, skip: u32, probability: u32) -> Result<Rules> {
        let rule = rule.split(' ').map(str::to_owned).collect();
        self::rule(&FaultArgs { rule, times, skip, probability, command: vec!["true".into()] })
    }

    #[test]
    fn options_become_those_of_the_rule() {
        for (times, skip, probability, expected) in [
            (1, 0, 100, "func f +f task-filter=Y times=1"),
            (0, 0, 100, "func f +f task-filter=Y"),
            (2, 3, 4, "func f +f task-filter=Y times=2 skip=3 probability=4"),
        ] {
            assert_eq!(asked("func f", times, skip, probability).unwrap().text(), expected);
        }
    }

    #[test]
    fn what_is_no_rule_or_more_than_one_is_refused() {
        for (rule, expected) in [
            ("func", "a value must follow"),
            ("func f +c by=pid", "without letters"),
            ("func f +f", "without letters"),
            ("func f; *", "by one rule"),
            ("# func f", "by one rule"),
            ("line x", "not a range of lines"),
        ] {
            let error = asked(rule, 1, 0, 100).unwrap_err();
            assert_eq!(error.status(), 2);
            assert!(error.to_string().contains(expected), "{rule}: {error}");
        }
    }

    #[test]
    fn a_command_ends_as_a_shell_says_it() {
        for (wait, expected) in [(0, 0), (3 << 8, 3), (9, 137), (127 << 8, 127)] {
            assert_eq!(code(ExitStatus::from_raw(wait)), expected);
        }
    }
}
