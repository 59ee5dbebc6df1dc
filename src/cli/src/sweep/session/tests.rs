// SPDX-License-Identifier: GPL-2.0-only OR MIT

use std::collections::BTreeMap;

use super::*;
use crate::model::{Builder, Meta, Names, Numbers, Profile, Sample};
use crate::sweep::found::Verdict;
use crate::sweep::settings::Part;

/// A kernel with four call sites, of which one may be made to fail.
#[derive(Default)]
struct Pretended {
    /// What is held by each, and how often it has allocated.
    sites: BTreeMap<&'static str, (i64, i64)>,
    /// How often each was made to fail.
    faults: BTreeMap<String, i64>,
    /// What comes of it if a call site fails, by its name.
    behaviour: BTreeMap<&'static str, Behaviour>,
    log: Vec<String>,
    has_cached: bool,
    /// What the next run leaves behind until all is quiet.
    passing: i64,
    /// The same, until one has waited.
    slow: i64,
    /// How the cleanup ends.
    cleanup: Option<Ending>,
    /// Does not come to rest any more after this run.
    stuck_after: Option<u32>,
    /// What is said in each run, and at the end of the last one, once.
    murmur: Option<&'static str>,
    late: Option<(u32, &'static str)>,
    /// The same, when all is quiet before it.
    late_before: Option<(u32, &'static str)>,
    /// One of them is in a module that is there while the command runs.
    is_modular: bool,
    runs: u32,
    tries: u32,
    /// Is interrupted at this run.
    stops_at: Option<u32>,
    ending: Option<Ending>,
}

#[derive(Clone, Copy)]
enum Behaviour {
    Leaks,
    Caches,
    Oopses,
    TwiceOnly,
    /// Does not end the first time, or ever.
    Waits,
    Hangs,
    /// Gives back late.
    Lags,
    /// Leaks, where it is come to: every other time, or once.
    Rarely,
    Once,
    /// Is no rule.
    Refused,
}

const SITES: [&str; 4] = ["a", "b", "c", "unused"];

fn site(name: &str) -> Site {
    Site { file: "a.c".into(), line: 1, func: name.into(), module: None }
}

impl Pretended {
    fn ended(&mut self, ending: Ending) -> Result<Run> {
        Ok(Run::Ended(ending, Box::new(self.profile(true))))
    }

    fn profile(&self, is_running: bool) -> Profile {
        let mut names = Names::new();
        let mut builder = Builder::new(&mut names);
        for name in SITES.into_iter().filter(|name| is_running || !self.is_modular || *name != "b") {
            let (mut calls, allocs) = self.sites.get(name).copied().unwrap_or_default();
            if name == "b" {
                calls += self.passing + self.slow;
            }
            let faults = self.faults.get(name).copied().unwrap_or(0);
            let numbers: Numbers = [(Number::Allocs, allocs), (Number::Injected, faults)].into_iter().collect();
            let sample = Sample {
                file: "a.c",
                line: 1,
                func: name,
                module: None,
                bytes: 64 * calls,
                calls,
                accurate: true,
                clipped: false,
                merged: 1,
                numbers,
                extra: Vec::new(),
            };
            builder.push(&sample).unwrap();
        }
        builder.finish(Meta::default())
    }
}

impl Machine for Pretended {
    fn run(&mut self, trial: Option<&Trial>) -> Result<Run> {
        self.runs += 1;
        if self.stops_at == Some(self.runs) {
            return Ok(Run::Interrupted);
        }
        if let Some((run, line)) = self.late {
            if run == self.runs {
                self.log.push(line.to_owned());
            }
        }
        self.log.extend(self.murmur.map(str::to_owned));
        for name in &SITES[..3] {
            self.sites.entry(name).or_default().1 += 2;
        }
        // What grows anyhow.
        self.sites.entry("c").or_default().0 += 1;
        let Some(trial) = trial else { return self.ended(self.ending.unwrap_or(Ending::Status(0))) };
        let mut ending = Ending::Status(1);
        let behaviour = self.behaviour.get(trial.site.func.as_str()).copied();
        self.tries += 1;
        match behaviour {
            Some(Behaviour::Rarely) if self.tries.is_multiple_of(2) => return self.ended(ending),
            Some(Behaviour::Once) if self.tries > 1 => return self.ended(ending),
            _ => {}
        }
        if trial.nth <= 2 && trial.site.func != "unused" {
            *self.faults.entry(trial.site.func.to_string()).or_default() += 1;
        } else {
            // What an unreached run leaves behind goes once all is quiet.
            self.passing += 5;
        }
        match behaviour {
            Some(Behaviour::Leaks | Behaviour::Rarely | Behaviour::Once) => self.sites.entry("b").or_default().0 += 3,
            Some(Behaviour::Caches) if !self.has_cached => {
                self.has_cached = true;
                self.sites.entry("b").or_default().0 += 3;
            }
            Some(Behaviour::Oopses) => self.log.push("kernel BUG at a.c:7!".to_owned()),
            Some(Behaviour::TwiceOnly) if trial.nth == 2 => self.log.push("WARNING: a.c:7 at f+0x1/0x2".to_owned()),
            Some(Behaviour::Waits) if !self.has_cached => {
                self.has_cached = true;
                ending = Ending::Timeout;
            }
            Some(Behaviour::Lags) => self.slow = 1,
            Some(Behaviour::Hangs) => ending = Ending::Timeout,
            Some(Behaviour::Refused) => return Ok(Run::Refused("no rule".to_owned())),
            _ => {}
        }
        self.ended(ending)
    }

    fn clean_up(&mut self) -> Result<Option<Ending>> {
        Ok(self.cleanup)
    }

    fn held(&mut self) -> Result<Profile> {
        Ok(self.profile(false))
    }

    fn quiet(&mut self) -> Result<Option<Profile>> {
        if self.stuck_after.is_some_and(|run| run <= self.runs) {
            return Ok(None);
        }
        if let Some((_, line)) = self.late_before.take_if(|(run, _)| *run == self.runs + 1) {
            self.log.push(line.to_owned());
        }
        self.passing = 0;
        self.held().map(Some)
    }

    fn wait(&mut self) {
        self.slow = 0;
    }

    fn logged(&mut self) -> Vec<String> {
        std::mem::take(&mut self.log)
    }
}

struct Nobody;

impl Watcher for Nobody {
    fn learns(&mut self) {}
    fn plans(&mut self, _sites: usize) {}
    fn has_tried(&mut self, _trial: &Trial, _found: &Found) {}
    fn is_done_with(&mut self, _site: &Site) {}
}

fn settings(nth: u32) -> Settings {
    Settings { command: vec!["x".into()], cleanup: None, condition: None, nth, timeout_ms: 1, part: Part::WHOLE }
}

/// What comes of a sweep: the verdicts by call site and time.
fn swept(nth: u32, machine: Pretended) -> (Result<End>, Vec<(String, Found)>) {
    let settings = settings(nth);
    let mut journal = Journal::open(None, &settings, "boot", false).unwrap();
    let end = Session::new(&settings, machine, &mut journal).run(|_| true, &mut Nobody);
    let found =
        journal.past().ended.iter().map(|(trial, found)| (format!("{}{}", trial.site.func, trial.nth), found.clone()));
    (end, found.collect())
}

fn verdicts(found: &[(String, Found)]) -> Vec<(&str, Verdict)> {
    found.iter().map(|(name, found)| (name.as_str(), found.verdict())).collect()
}

#[test]
fn each_call_site_that_is_touched_fails_once() {
    let (end, found) = swept(1, Pretended::default());
    assert_eq!(end.unwrap(), End::Done);
    assert_eq!(verdicts(&found), [("a1", Verdict::Handled), ("b1", Verdict::Handled), ("c1", Verdict::Handled)]);
}

#[test]
fn a_leak_is_found_each_time_and_a_cache_is_not() {
    let behaviour = [("a", Behaviour::Leaks), ("b", Behaviour::Caches), ("c", Behaviour::Lags)].into_iter().collect();
    let (end, found) = swept(1, Pretended { behaviour, ..Pretended::default() });
    assert_eq!(end.unwrap(), End::Done);
    assert_eq!(verdicts(&found), [("a1", Verdict::Leaked), ("b1", Verdict::Handled), ("c1", Verdict::Handled)]);
    let leaks: Vec<_> = found[0].1.leaks.iter().map(|leak| (&leak.site, leak.more.bytes, leak.more.calls)).collect();
    assert_eq!(leaks, [(&site("b"), 192, 3)]);
}

#[test]
fn other_times_are_tried_until_there_is_none() {
    let behaviour = [("b", Behaviour::TwiceOnly)].into_iter().collect();
    let (_, found) = swept(9, Pretended { behaviour, ..Pretended::default() });
    let verdicts = verdicts(&found);
    assert_eq!(verdicts[..3], [("a1", Verdict::Handled), ("a2", Verdict::Handled), ("a3", Verdict::Unreached)]);
    assert_eq!(verdicts[3..5], [("b1", Verdict::Handled), ("b2", Verdict::Warned)]);
}

#[test]
fn after_an_oops_the_kernel_is_spent() {
    let behaviour = [("b", Behaviour::Oopses)].into_iter().collect();
    let (end, found) = swept(1, Pretended { behaviour, ..Pretended::default() });
    assert_eq!(end.unwrap(), End::Spent);
    assert_eq!(verdicts(&found), [("a1", Verdict::Handled), ("b1", Verdict::Oopsed)]);
}

#[test]
fn an_interrupt_leaves_nothing_half_done() {
    for stops_at in 1..=LESSONS + REHEARSALS + 2 {
        let (end, found) = swept(1, Pretended { stops_at: Some(stops_at), ..Pretended::default() });
        assert_eq!(end.unwrap(), End::Stopped);
        assert_eq!(found.len() as u32, stops_at.saturating_sub(LESSONS + REHEARSALS + 1));
    }
}

#[test]
fn a_command_that_does_not_work_is_refused() {
    for (ending, expected) in [
        (Ending::Status(2), "COMMAND ends with status 2 with nothing failing"),
        (Ending::Signal(9), "is killed by signal 9"),
        (Ending::Timeout, "does not end within --timeout"),
        (Ending::Stuck, "cannot be ended"),
    ] {
        let (end, found) = swept(1, Pretended { ending: Some(ending), ..Pretended::default() });
        assert!(end.unwrap_err().to_string().contains(expected), "{expected}");
        assert!(found.is_empty());
    }
}

#[test]
fn what_an_unreached_trial_leaves_behind_hides_no_leak() {
    let behaviour = [("b", Behaviour::Leaks)].into_iter().collect();
    let (_, found) = swept(3, Pretended { behaviour, ..Pretended::default() });
    let verdicts = verdicts(&found);
    assert_eq!(verdicts[2..4], [("a3", Verdict::Unreached), ("b1", Verdict::Leaked)]);
}

#[test]
fn what_does_not_end_is_tried_again() {
    let behaviour = [("a", Behaviour::Waits), ("b", Behaviour::Hangs)].into_iter().collect();
    let (end, found) = swept(1, Pretended { behaviour, ..Pretended::default() });
    assert_eq!(end.unwrap(), End::Done);
    assert_eq!(verdicts(&found), [("a1", Verdict::Handled), ("b1", Verdict::Hung), ("c1", Verdict::Handled)]);
}

#[test]
fn a_kernel_that_does_not_come_to_rest_is_spent() {
    let stuck_after = Some(LESSONS + REHEARSALS + 1);
    let (end, found) = swept(1, Pretended { stuck_after, ..Pretended::default() });
    assert_eq!(end.unwrap(), End::Spent);
    assert_eq!(verdicts(&found), [("a1", Verdict::Hung)]);
    let (end, _) = swept(1, Pretended { stuck_after: Some(0), ..Pretended::default() });
    assert!(end.unwrap_err().to_string().contains("does not come to rest"));
}

#[test]
fn a_cleanup_that_does_not_end_is_the_failing_ones_fault() {
    let (end, _) = swept(1, Pretended { cleanup: Some(Ending::Timeout), ..Pretended::default() });
    assert!(end.unwrap_err().to_string().contains("--cleanup does not end"));
    let (end, found) = swept(1, Pretended { cleanup: Some(Ending::Status(1)), ..Pretended::default() });
    assert_eq!(end.unwrap(), End::Done);
    assert_eq!(verdicts(&found)[0], ("a1", Verdict::Handled));
}

#[test]
fn what_is_said_anyhow_accuses_nobody() {
    let (_, found) = swept(1, Pretended { murmur: Some("WARNING: a.c:1 at f+0x1/0x2"), ..Pretended::default() });
    assert!(found.iter().all(|(_, found)| found.verdict() == Verdict::Handled));
    let (end, _) = swept(1, Pretended { murmur: Some("BUG: KASAN: x"), ..Pretended::default() });
    assert!(end.unwrap_err().to_string().contains("with nothing failing: BUG: KASAN: x"));
}

#[test]
fn what_is_said_late_is_charged_to_who_failed_last() {
    // a1, a2 and a3, which is not reached.
    let late = Some((LESSONS + REHEARSALS + 3, "WARNING: a.c:1 at f+0x1/0x2"));
    let (_, found) = swept(3, Pretended { late, ..Pretended::default() });
    let verdicts = verdicts(&found);
    assert_eq!(verdicts[..3], [("a1", Verdict::Handled), ("a2", Verdict::Warned), ("a3", Verdict::Unreached)]);
}

#[test]
fn what_is_said_before_a_trial_is_not_charged_to_it() {
    // a3 is not reached, so all has to become quiet before b1.
    let before_b1 = LESSONS + REHEARSALS + 4;
    let late_before = Some((before_b1, "WARNING: a.c:1 at f+0x1/0x2"));
    let (end, found) = swept(3, Pretended { late_before, ..Pretended::default() });
    assert_eq!(end.unwrap(), End::Done);
    let told = verdicts(&found);
    assert_eq!(told[1..4], [("a2", Verdict::Warned), ("a3", Verdict::Unreached), ("b1", Verdict::Handled)]);
    // Nor is one made on a kernel that was spent meanwhile.
    let late_before = Some((before_b1, "BUG: KASAN: x"));
    let (end, found) = swept(3, Pretended { late_before, ..Pretended::default() });
    assert_eq!(end.unwrap(), End::Spent);
    assert_eq!(verdicts(&found)[1..], [("a2", Verdict::Warned), ("a3", Verdict::Unreached)]);
}

#[test]
fn a_leak_is_told_from_a_cache_by_times_that_come_to_it() {
    let behaviour = [("a", Behaviour::Rarely)].into_iter().collect();
    let (_, found) = swept(1, Pretended { behaviour, ..Pretended::default() });
    assert_eq!(verdicts(&found)[0], ("a1", Verdict::Leaked));
    let behaviour = [("a", Behaviour::Once)].into_iter().collect();
    let (end, found) = swept(1, Pretended { behaviour, ..Pretended::default() });
    assert_eq!((end.unwrap(), verdicts(&found)[0]), (End::Done, ("a1", Verdict::Handled)));
    let unsure: Vec<_> = found[0].1.unsure.iter().map(|leak| (&leak.site, leak.more.bytes)).collect();
    assert_eq!(unsure, [(&site("b"), 192)]);
}

#[test]
fn call_sites_of_modules_that_have_gone_are_tried() {
    let (end, found) = swept(1, Pretended { is_modular: true, ..Pretended::default() });
    assert_eq!(end.unwrap(), End::Done);
    assert_eq!(verdicts(&found)[1], ("b1", Verdict::Handled));
}

#[test]
fn lines_that_were_lost_are_never_what_is_said_anyhow() {
    let (_, found) = swept(1, Pretended { murmur: Some(said::LOST), ..Pretended::default() });
    assert!(found.iter().all(|(_, found)| found.verdict() == Verdict::Warned));
}

#[test]
fn a_rule_that_is_refused_stops_no_sweep() {
    let behaviour = [("a", Behaviour::Refused)].into_iter().collect();
    let (end, found) = swept(2, Pretended { behaviour, ..Pretended::default() });
    assert_eq!(end.unwrap(), End::Refused { trials: 1, reason: "no rule".to_owned() });
    assert_eq!(verdicts(&found)[..2], [("b1", Verdict::Handled), ("b2", Verdict::Handled)]);
}

#[test]
fn a_sweep_over_nothing_is_refused() {
    let settings = settings(1);
    let mut journal = Journal::open(None, &settings, "boot", false).unwrap();
    let swept = Session::new(&settings, Pretended::default(), &mut journal).run(|_| false, &mut Nobody);
    assert!(swept.unwrap_err().to_string().contains("no call site that is asked for"));
}

#[test]
fn what_is_not_wanted_or_another_part_is_left_out() {
    let settings = Settings { part: "1/2".parse().unwrap(), ..settings(1) };
    let mut journal = Journal::open(None, &settings, "boot", false).unwrap();
    let mut session = Session::new(&settings, Pretended::default(), &mut journal);
    session.run(|row| row.site.func != "b", &mut Nobody).unwrap();
    let tried: Vec<_> = journal.past().ended.iter().map(|(trial, _)| trial.site.clone()).collect();
    let expected: Vec<_> = ["a", "c"].map(site).into_iter().filter(|site| settings.part.has(site)).collect();
    assert_eq!(tried, expected);
}
