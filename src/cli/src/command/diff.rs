// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag diff`: what differs between two profiles.

mod args;
mod asked;
mod contexts;
mod entry;
mod fail;
mod measures;
mod sort;
mod table;

use std::io::Write;
use std::path::PathBuf;

use serde_json::json;

use super::left_out::{self, Limits};
use super::ruling::Rulings;
use super::{read_sharing, Context};
use crate::args::input::input;
use crate::args::output::Judging;
use crate::compare::{changes, different_boots, Change, Confidence, Kind};
use crate::error::{Error, Outcome, Result};
use crate::model::{Measure, Names, Profile};
use crate::query::Mixed;
use crate::recording;
use crate::render::json::{head, Head};
use crate::render::style::Ink;
use crate::render::Layout;
use crate::source::{Input, Request};
use crate::subsystem::Subsystems;
use crate::view::Group;
pub use args::DiffArgs;
use asked::Asked;
use entry::{differs, gather, Entry};
use fail::{Compared, TOTAL};
use sort::sort;
use table::{for_people, for_programs, Told};

/// Facts about a site that are numbers, besides those that only some kernels count.
const NUMBERS: [&str; 5] = ["delta", "percent", "calls", "before", "after"];

/// Runs the command.
///
/// # Errors
///
/// If a profile cannot be read, an expression makes no sense or the output cannot be written.
pub fn run(args: &DiffArgs, context: &mut Context<'_>) -> Result<Outcome> {
    let stdin = |file: Option<&PathBuf>| input(file.map(PathBuf::as_path)) == Input::Stdin;
    if stdin(Some(&args.before)) && stdin(args.after.as_ref()) {
        return Err(Error::Usage("only one of the profiles can come from standard input".into()));
    }
    if args.contexts || !args.by.is_empty() {
        return contexts::run(args, context);
    }
    let words: [(&str, &[&str]); 2] =
        [("kind", &Kind::ALL.map(Kind::name)), ("match", &Confidence::ALL.map(Confidence::name))];
    let numbers: Vec<&str> = NUMBERS.into_iter().chain(measures::all().map(Measure::name)).collect();
    let subsystems = args.filter.subsystems()?;
    let parse = |text: &String| {
        Mixed::parse(text, &words, &numbers, &subsystems).map_err(|error| Error::expression("--where", text, error))
    };
    let condition = args.filter.condition.as_ref().map(parse).transpose()?;
    let checks = args.fail_if.checks(&words, &[&numbers[..], &[TOTAL]].concat(), Some(&subsystems))?;
    // Nothing is read for a condition that could never hold.
    checks.iter().try_for_each(|check| fail::group(check, args.group).map(drop))?;
    args.output.needs(&checks)?;
    let mut names = Names::new();
    let live = Request::live(&context.global.procfs);
    let before = Request { input: input(Some(&args.before)), ..live.clone() };
    let mut before = read_sharing(&before, &mut names, context)?;
    let after = args.after.as_deref().map(|after| recording::beside(&args.before, after));
    let after = Request { input: input(after.as_deref()), ..live };
    let mut after = read_sharing(&after, &mut names, context)?;
    let asked = Asked::of(args, condition.as_ref(), &checks);
    asked.require(&before.profile, &after.profile)?;
    measures::match_up(&mut before.profile, &mut after.profile);
    let time_ms = measures::time_ms(&before.profile, &after.profile);
    note_doubts(&before.profile, &after.profile, context);

    let mut changes = changes(&before.profile, &after.profile, args.exact);
    changes.retain(|change| {
        let row = change.row();
        (args.include_backing || row.backing().is_none())
            && condition
                .as_ref()
                .is_none_or(|condition| condition.holds(row, &subsystems, |field| entry::fact(field, change, time_ms)))
    });
    let total = changes.iter().map(Change::delta).sum();
    let compared = Compared { changes: &changes, total, group: args.group, subsystems: &subsystems, time_ms };
    let rulings = fail::rule(&checks, &compared)?;
    let comparison = Comparison {
        before: &before.profile,
        after: &after.profile,
        changes: &changes,
        total,
        subsystems: &subsystems,
        rulings: &rulings,
        asked: &asked.shown,
        asks_for_kind: condition.as_ref().is_some_and(|condition| condition.compares("kind")),
        time_ms,
    };
    let written = match args.output.format {
        Judging::Junit => rulings.write_junit("alloctag diff", context.out).map_err(Error::from),
        _ => comparison.write(args, context),
    };
    rulings.note(context);
    before.outcome.and(after.outcome).and(rulings.outcome()).once(written)
}

/// Says why a comparison may be less than it seems.
fn note_doubts(before: &Profile, after: &Profile, context: &Context<'_>) {
    let (a, b) = (&before.meta, &after.meta);
    let release = |profile: &Profile| profile.meta.uname.as_ref().map(|uname| uname.release.clone());
    match (release(before), release(after)) {
        (Some(a), Some(b)) if a != b => context.note(format_args!("these are different kernels, {a} and {b}")),
        _ if different_boots(a, b) => {
            context.note("these are different boots: counts began anew");
        }
        _ if matches!((a.uptime_ms, b.uptime_ms), (Some(a), Some(b)) if b < a) => {
            context.note("the first profile is the later one");
        }
        _ => {}
    }
}

/// What there is to show.
struct Comparison<'p> {
    before: &'p Profile,
    after: &'p Profile,
    changes: &'p [Change<'p>],
    total: i64,
    subsystems: &'p Subsystems,
    rulings: &'p Rulings,
    asked: &'p [Measure],
    asks_for_kind: bool,
    time_ms: Option<u64>,
}

/// How many sites of a kind there are, and the bytes that they added.
type Count = (Kind, usize, i64);

impl Comparison<'_> {
    fn write(&self, args: &DiffArgs, context: &mut Context<'_>) -> Result<()> {
        let layout = args.output.resolve(context.style);
        let (mut entries, unchanged) = gather(self.changes, args.group, self.subsystems, self.asked);
        let different = entries.len();
        entries.retain(|entry| args.min.is_none_or(|min| entry.delta().unsigned_abs() >= min.unsigned_abs()));
        sort(&mut entries, &args.sort);
        entries.truncate(args.limit.unwrap_or(usize::MAX));
        let counts = self.counts();
        let told = |measures| Told { measures, time_ms: self.time_ms };
        let table = match layout.format {
            format if format.is_for_people() => for_people(&entries, args.group, &told(self.asked)),
            _ => for_programs(&entries, args.group, self.subsystems, self.rulings, &told(&self.counted())),
        };
        table.write(&layout, &self.about(args.group, &counts), context.out)?;
        self.footer(&counts, &entries, args.group, &layout, context.out)?;
        // Who asks for what became of sites may be asking for those.
        let unchanged = if self.asks_for_kind { unchanged } else { 0 };
        let unchanged = (unchanged, "that have not changed");
        let limits = Limits { limit: args.limit, min: args.min };
        Ok(left_out::write(unchanged, different - entries.len(), limits, &layout, context.out)?)
    }

    /// What programs are told of what only some kernels count.
    fn counted(&self) -> Vec<Measure> {
        measures::all().filter(|measure| self.after.counts(measure.needs())).collect()
    }

    fn counts(&self) -> Vec<Count> {
        let count = |&kind: &Kind| {
            let of_kind = || self.changes.iter().filter(|change| change.kind() == kind);
            (kind, of_kind().count(), of_kind().map(Change::delta).sum())
        };
        Kind::ALL.iter().map(count).collect()
    }

    fn about(&self, group: Group, counts: &[Count]) -> Head {
        let mut head = head("alloctag.diff/1");
        let profile = |profile: &Profile| json!({"meta": profile.meta, "unreadable": profile.unreadable()});
        head.insert("before".into(), profile(self.before));
        head.insert("after".into(), profile(self.after));
        head.insert("group".into(), group.to_string().into());
        head.insert("total".into(), self.total.into());
        let kinds =
            counts.iter().map(|(kind, sites, delta)| (kind.name().to_owned(), json!({"sites": sites, "delta": delta})));
        head.insert("kinds".into(), serde_json::Value::Object(kinds.collect()));
        self.rulings.describe(&mut head);
        head
    }

    /// The lines under the table.
    fn footer(
        &self,
        counts: &[Count],
        entries: &[Entry<'_>],
        group: Group,
        layout: &Layout,
        out: &mut dyn Write,
    ) -> Result<()> {
        let signed = |bytes: i64| format!("{}{}", if bytes > 0 { "+" } else { "" }, layout.units.format(bytes));
        // Of those with as many bytes as before only some differ at all.
        let is_listed = |change: &&Change<'_>| change.kind() == Kind::Same && differs(change, self.asked);
        let same = self.changes.iter().filter(is_listed).count();
        let parts: Vec<String> = counts
            .iter()
            .map(|&(kind, sites, delta)| (kind, if kind == Kind::Same { same } else { sites }, delta))
            .filter(|(_, sites, _)| *sites > 0)
            .map(|(kind, sites, delta)| format!("{sites} {} ({})", kind.name(), signed(delta)))
            .collect();
        let parts = if parts.is_empty() { "no site differs".to_owned() } else { parts.join(", ") };
        layout.remark(Ink::Head, &format!("{} in all: {parts}", signed(self.total)), out)?;
        let moved: usize = entries.iter().map(|entry| entry.moved).sum();
        if moved > 0 {
            let sure = if group == Group::Site { ", as sure as MATCH says" } else { "; -g site says how sure" };
            layout.remark(Ink::Faint, &format!("matched although the line has moved: {moved}{sure}"), out)?;
        }
        Ok(())
    }
}
