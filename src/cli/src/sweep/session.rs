// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! One go at a sweep: until all is done, the kernel is spent, or somebody has had enough.

use std::collections::{BTreeSet, HashMap};

use super::found::{Found, Leak};
use super::growth::Growth;
use super::journal::Journal;
use super::machine::{Machine, Run};
use super::process::Ending;
use super::said::{self, Said};
use super::settings::Settings;
use super::trial::Trial;
use crate::error::{Error, Result};
use crate::model::{Number, Profile, Row, Site};

/// How often the command is run with nothing failing to learn which call sites it touches: the first time it fills caches.
const LESSONS: u32 = 2;

/// How often after these, to learn what grows anyhow.
const REHEARSALS: u32 = 2;

/// How often a trial is made once more where something was not given back: what is a cache's grows once or twice. What does not end
/// is tried once more.
const REPEATS: u32 = 2;

/// How often it is looked again, later, whether what has grown is still there.
const LATER_LOOKS: u32 = 3;

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All is done.
    Done,
    /// Nothing can be said of this kernel any more.
    Spent,
    /// Somebody has interrupted it.
    Stopped,
}

/// What is told of while it goes on.
pub trait Watcher {
    /// The command is being learnt: run with nothing failing.
    fn learns(&mut self);

    /// So many call sites are to be tried.
    fn plans(&mut self, sites: usize);

    /// A trial was made, now or earlier.
    fn has_tried(&mut self, trial: &Trial, found: &Found);

    /// All is done with a call site.
    fn is_done_with(&mut self, site: &Site);
}

/// One go at a sweep.
pub struct Session<'a, M> {
    settings: &'a Settings,
    machine: M,
    journal: &'a mut Journal,
    /// What grows with nothing failing.
    ordinary: Growth,
    /// What the kernel says with nothing failing.
    usual: Said,
    /// Whether nothing has been run since the machine was quiet.
    is_quiet: bool,
    /// The last trial that came to its call site: what the kernel says later follows from it.
    last: Option<(Trial, Found)>,
}

/// What came of a run, as far as that is known at once.
struct Attempt {
    ending: Ending,
    /// Whether the call site of the trial was made to fail.
    reached: bool,
    /// The call sites that have allocated, until the command had ended.
    touched: BTreeSet<Site>,
    said: Said,
    grown: Growth,
}

/// What became of a request for one.
enum Attempted {
    Made(Attempt),
    Refused(String),
    Interrupted,
}

impl<'a, M: Machine> Session<'a, M> {
    /// A go that has not begun.
    pub fn new(settings: &'a Settings, machine: M, journal: &'a mut Journal) -> Self {
        let (ordinary, usual) = (Growth::default(), Said::default());
        Session { settings, machine, journal, ordinary, usual, is_quiet: false, last: None }
    }

    /// Goes on as far as it goes. Of the call sites that the command touches, those are tried that are wanted.
    ///
    /// # Errors
    ///
    /// If the command does not work by itself or touches none that is wanted, or something cannot be read or written.
    pub fn run(&mut self, wants: impl Fn(&Row) -> bool, watcher: &mut dyn Watcher) -> Result<End> {
        if self.journal.past().done {
            return Ok(End::Done);
        }
        watcher.learns();
        let Some(touched) = self.rehearse(wants)? else { return Ok(End::Stopped) };
        let plan = match self.journal.past().plan.clone() {
            Some(plan) => plan,
            None => {
                let plan: Vec<Site> = touched.iter().filter(|site| self.settings.part.has(site)).cloned().collect();
                if touched.is_empty() {
                    return Err(Error::Failed("COMMAND allocates at no call site that is asked for".to_owned()));
                }
                self.journal.plan(plan.clone())?;
                plan
            }
        };
        watcher.plans(plan.len());
        for site in plan {
            for nth in 1..=self.settings.nth {
                let trial = Trial { site: site.clone(), nth };
                let earlier = self.journal.past().of(&trial).cloned();
                let is_new = earlier.is_none();
                let found = match earlier {
                    Some(found) => found,
                    None => match self.make(&trial) {
                        Ok(Some(found)) => found,
                        made => {
                            self.journal.abandon()?;
                            return made.map(|_| End::Stopped);
                        }
                    },
                };
                watcher.has_tried(&trial, &found);
                if is_new && self.is_spent(&found) {
                    return Ok(End::Spent);
                }
                if !found.reached {
                    break;
                }
            }
            watcher.is_done_with(&site);
        }
        self.journal.done()?;
        Ok(End::Done)
    }

    /// Whether the kernel is not to be gone on with: by what was just found, or by what came to light later of what was before.
    fn is_spent(&self, found: &Found) -> bool {
        found.has_spent_the_kernel() || self.last.as_ref().is_some_and(|(_, last)| last.has_spent_the_kernel())
    }

    /// Runs the command with nothing failing, and learns what grows anyhow, and what the kernel says anyhow. Returns the wanted
    /// call sites that it touches, unless interrupted.
    fn rehearse(&mut self, wants: impl Fn(&Row) -> bool) -> Result<Option<BTreeSet<Site>>> {
        let mut touched = BTreeSet::new();
        self.machine.logged();
        for time in 0..LESSONS + REHEARSALS {
            let Attempted::Made(attempt) = self.attempt(None)? else { return Ok(None) };
            if let Some(problem) = fails_by_itself(attempt.ending) {
                return Err(Error::Failed(format!(
                    "COMMAND {problem} with nothing failing; a sweep takes one that works"
                )));
            }
            self.learn(attempt.said)?;
            if time >= LESSONS {
                self.ordinary.at_most(attempt.grown);
            }
            touched.extend(attempt.touched);
        }
        let held = self.machine.held()?;
        let wanted = held.rows().iter().filter(|row| touched.contains(&row.site) && wants(row));
        Ok(Some(wanted.map(|row| row.site.clone()).collect()))
    }

    /// Takes what the kernel said for what it says anyhow.
    fn learn(&mut self, said: Said) -> Result<()> {
        if let (true, Some(complaint)) = (said.is_damage(), said.complaints.first()) {
            return Err(Error::Failed(format!("the kernel says, with nothing failing: {complaint}")));
        }
        self.usual.join(said);
        Ok(())
    }

    /// Makes a trial, and writes down what came of it. `None` if interrupted.
    fn make(&mut self, trial: &Trial) -> Result<Option<Found>> {
        self.journal.begin(trial.clone())?;
        // What was said since is no fault of this one.
        let late = self.heard();
        self.charge_last(late)?;
        let Some(found) = self.find(trial)? else { return Ok(None) };
        if found.reached {
            self.last = Some((trial.clone(), found.clone()));
        }
        self.journal.end(trial.clone(), found.clone())?;
        Ok(Some(found))
    }

    /// Runs the command with a call site failing, again where one time does not tell. `None` if interrupted.
    fn find(&mut self, trial: &Trial) -> Result<Option<Found>> {
        let first = match self.attempt(Some(trial))? {
            Attempted::Made(attempt) => attempt,
            Attempted::Refused(reason) => return Ok(Some(Found::untried(reason))),
            Attempted::Interrupted => return Ok(None),
        };
        let mut found = Found::ended(first.reached, first.ending);
        if !found.reached {
            self.charge_last(first.said)?;
            return Ok(Some(found));
        }
        found.said = first.said;
        let mut grown = first.grown.beyond(&self.ordinary);
        // What does not end may have had too little time, or end the next time.
        let mut may_end = first.ending == Ending::Timeout;
        for _ in 0..REPEATS {
            if found.has_spent_the_kernel() || (grown.is_empty() && !may_end) {
                break;
            }
            let again = match self.attempt(Some(trial))? {
                Attempted::Made(attempt) => attempt,
                Attempted::Refused(_) => break,
                Attempted::Interrupted => return Ok(None),
            };
            if may_end || again.ending == Ending::Stuck {
                found.ending = Some(again.ending);
            }
            may_end = false;
            found.said.join(again.said);
            grown = grown.both(&again.grown.beyond(&self.ordinary));
        }
        if !found.has_spent_the_kernel() {
            found.leaks = grown.into_largest().into_iter().map(|(site, more)| Leak { site, more }).collect();
        }
        Ok(Some(found))
    }

    /// Adds what the kernel said late to what was found the last time that a call site failed.
    fn charge_last(&mut self, mut said: Said) -> Result<()> {
        said.forget(&self.usual);
        // The stack is that of a fault which accuses somebody else.
        said.stack.clear();
        let Some((trial, found)) = &mut self.last else { return self.learn(said) };
        if said.complaints.is_empty() {
            return Ok(());
        }
        found.said.join(said);
        self.journal.end_again(trial.clone(), found.clone())
    }

    /// Runs the command once and cleans up after it; what the kernel said, and what is held more than before.
    fn attempt(&mut self, trial: Option<&Trial>) -> Result<Attempted> {
        let before = self.before()?;
        self.is_quiet = false;
        let run = self.machine.run(trial);
        let after = self.machine.held();
        let mut said = self.heard();
        // A kernel in a bad state may keep for ever whoever asks it for something.
        let is_bad = said.is_damage() || matches!(run, Ok(Run::Ended(Ending::Stuck)));
        let cleaned = if is_bad { Ok(None) } else { self.machine.clean_up() };
        let mut ending = match run? {
            Run::Ended(ending) => ending,
            Run::Refused(reason) => return Ok(Attempted::Refused(reason)),
            Run::Interrupted => return Ok(Attempted::Interrupted),
        };
        let (after, cleaned) = (after?, cleaned?);
        if let Some(cleaned @ (Ending::Timeout | Ending::Stuck)) = cleaned {
            if trial.is_none() {
                return Err(Error::Failed("--cleanup does not end within --timeout, with nothing failing".to_owned()));
            }
            ending = cleaned;
        }
        let touched = grown(Number::Allocs, &before, &after);
        let reached = trial.is_some_and(|trial| grown(Number::Injected, &before, &after).contains(&trial.site));
        let mut grown = Growth::default();
        if (trial.is_none() || reached) && ending != Ending::Stuck && !said.is_damage() {
            match self.grown(&before, trial.is_some())? {
                Some(more) => grown = more,
                None => ending = Ending::Stuck,
            }
        }
        // What a work item or a callback of RCU's says comes last.
        said.join(self.heard());
        if trial.is_some() {
            said.forget(&self.usual);
        }
        Ok(Attempted::Made(Attempt { ending, reached, touched, said, grown }))
    }

    /// What the kernel said since this was asked for last.
    fn heard(&mut self) -> Said {
        said::look(self.machine.logged().iter().map(String::as_str))
    }

    /// What is held before something is run.
    fn before(&mut self) -> Result<Profile> {
        if self.is_quiet {
            return self.machine.held();
        }
        self.is_quiet = true;
        self.machine.quiet()?.ok_or_else(|| {
            Error::Failed("the kernel does not come to rest: sync(2) or an RCU barrier takes for ever".to_owned())
        })
    }

    /// What is held more than before, once all is quiet; `None` if it does not become so. Where `is_waited_for`, time is given to
    /// what takes longer than it seems, as a network namespace does that goes.
    fn grown(&mut self, before: &Profile, is_waited_for: bool) -> Result<Option<Growth>> {
        let mut looks = if is_waited_for { LATER_LOOKS } else { 0 };
        loop {
            let Some(after) = self.machine.quiet()? else { return Ok(None) };
            self.is_quiet = true;
            let grown = Growth::between(before, &after);
            if looks == 0 || grown.clone().beyond(&self.ordinary).is_empty() {
                return Ok(Some(grown));
            }
            looks -= 1;
            self.machine.wait();
        }
    }
}

/// Why a command does not work, by how it ended.
fn fails_by_itself(ending: Ending) -> Option<String> {
    match ending {
        Ending::Status(0) => None,
        Ending::Status(status) => Some(format!("ends with status {status}")),
        Ending::Signal(signal) => Some(format!("is killed by signal {signal}")),
        Ending::Timeout => Some("does not end within --timeout".to_owned()),
        Ending::Stuck => Some("cannot be ended".to_owned()),
    }
}

/// The call sites of which a number, which only grows, has grown.
fn grown(number: Number, before: &Profile, after: &Profile) -> BTreeSet<Site> {
    let of = |row: &Row| row.numbers.get(number).unwrap_or(0);
    let earlier: HashMap<&Site, i64> = before.rows().iter().map(|row| (&row.site, of(row))).collect();
    let has_grown = |row: &&Row| of(row) > earlier.get(&row.site).copied().unwrap_or(0);
    after.rows().iter().filter(has_grown).map(|row| row.site.clone()).collect()
}

#[cfg(test)]
#[path = "session/tests.rs"]
mod tests;
