// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! One go at a sweep: until all is done, the kernel is spent, or somebody has had enough.

use std::collections::{BTreeSet, HashMap};

use super::found::{Found, Leak};
use super::growth::Growth;
use super::journal::Journal;
use super::machine::{Machine, Ran};
use super::process::Ending;
use super::said;
use super::settings::Settings;
use super::trial::Trial;
use crate::error::{Error, Result};
use crate::model::{Number, Row, Site};

/// How often the command is run with nothing failing to learn which call sites it touches: the first time it fills caches.
const LESSONS: u32 = 2;

/// How often after these, to learn what grows anyhow.
const REHEARSALS: u32 = 2;

/// How often a trial is made once more where something was not given back: what is a cache's grows once or twice.
const REPEATS: u32 = 2;

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
}

impl<'a, M: Machine> Session<'a, M> {
    /// A go that has not begun.
    pub fn new(settings: &'a Settings, machine: M, journal: &'a mut Journal) -> Self {
        Session { settings, machine, journal, ordinary: Growth::default() }
    }

    /// Goes on as far as it goes. Of the call sites that the command touches, those are tried that are wanted.
    ///
    /// # Errors
    ///
    /// If the command does not work by itself, something cannot be read or written, or the kernel does not take a rule.
    pub fn run(&mut self, wants: impl Fn(&Row) -> bool, watcher: &mut dyn Watcher) -> Result<End> {
        if self.journal.past().done {
            return Ok(End::Done);
        }
        watcher.learns();
        let Some(touched) = self.rehearse(wants)? else { return Ok(End::Stopped) };
        let plan = match self.journal.past().plan.clone() {
            Some(plan) => plan,
            None => {
                self.journal.plan(touched.clone())?;
                touched
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
                    None => match self.make(&trial)? {
                        Some(found) => found,
                        None => return Ok(End::Stopped),
                    },
                };
                watcher.has_tried(&trial, &found);
                if is_new && found.has_spent_the_kernel() {
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

    /// Runs the command with nothing failing, and learns what grows anyhow. Returns the call sites that it touches, unless
    /// interrupted.
    fn rehearse(&mut self, wants: impl Fn(&Row) -> bool) -> Result<Option<Vec<Site>>> {
        let mut touched = BTreeSet::new();
        for _ in 0..LESSONS {
            let before = self.machine.quiet()?;
            let Some(ran) = self.machine.run(None)? else { return Ok(None) };
            if let Some(problem) = fails_by_itself(ran) {
                return Err(Error::Failed(format!(
                    "COMMAND {problem} with nothing failing; a sweep takes one that works"
                )));
            }
            let earlier: HashMap<&Site, i64> = before.rows().iter().map(|row| (&row.site, allocations(row))).collect();
            let held = self.machine.held()?;
            let since = |row: &&Row| allocations(row) > earlier.get(&row.site).copied().unwrap_or(0);
            let rows = held.rows().iter().filter(since).filter(|row| wants(row));
            touched.extend(rows.map(|row| row.site.clone()).filter(|site| self.settings.part.has(site)));
        }
        self.machine.quiet()?;
        for _ in 0..REHEARSALS {
            let Some((_, grown)) = self.measure(None)? else { return Ok(None) };
            self.ordinary.at_most(grown);
        }
        Ok(Some(touched.into_iter().collect()))
    }

    /// Runs the command once, and returns what is held more than before. Always in the same way, for this takes memory as well.
    fn measure(&mut self, trial: Option<&Trial>) -> Result<Option<(Ran, Growth)>> {
        let before = self.machine.held()?;
        let Some(ran) = self.machine.run(trial)? else { return Ok(None) };
        // Where nothing was made to fail, nothing is to be waited for.
        let grown = match trial {
            Some(_) if ran.faults == 0 => Growth::default(),
            _ => Growth::between(&before, &self.machine.quiet()?),
        };
        Ok(Some((ran, grown)))
    }

    /// Makes a trial, and writes down what came of it. `None` if interrupted.
    fn make(&mut self, trial: &Trial) -> Result<Option<Found>> {
        self.journal.begin(trial.clone())?;
        // What was said before is nobody's.
        self.machine.logged();
        let Some((mut found, mut grown)) = self.attempt(trial)? else { return Ok(None) };
        for _ in 0..REPEATS {
            if grown.is_empty() || found.has_spent_the_kernel() {
                break;
            }
            let Some((again, grown_again)) = self.attempt(trial)? else { return Ok(None) };
            found.gravity = found.gravity.max(again.gravity);
            found.said.extend(again.said.into_iter().filter(|said| !found.said.contains(said)).collect::<Vec<_>>());
            if again.ending == Some(Ending::Stuck) {
                found.ending = again.ending;
            }
            grown = grown.both(&grown_again);
        }
        if !found.has_spent_the_kernel() {
            found.leaks = grown.into_largest().into_iter().map(|(site, more)| Leak { site, more }).collect();
        }
        self.journal.end(trial.clone(), found.clone())?;
        Ok(Some(found))
    }

    /// The same once, without a look back. Returns what is held more than that grows anyhow, as well.
    fn attempt(&mut self, trial: &Trial) -> Result<Option<(Found, Growth)>> {
        let Some((ran, grown)) = self.measure(Some(trial))? else { return Ok(None) };
        let logged = self.machine.logged();
        let ending = Some(ran.ending);
        let reached = ran.faults > 0;
        let mut found =
            Found { reached, ending, said: Vec::new(), gravity: None, leaks: Vec::new(), stack: Vec::new() };
        found.hear(said::look(logged.iter().map(String::as_str)));
        Ok(Some((found, grown.beyond(&self.ordinary))))
    }
}

/// Why a command does not work, by how it ended.
fn fails_by_itself(ran: Ran) -> Option<String> {
    match ran.ending {
        Ending::Status(0) => None,
        Ending::Status(status) => Some(format!("ends with status {status}")),
        Ending::Signal(signal) => Some(format!("is killed by signal {signal}")),
        Ending::Timeout => Some("does not end within --timeout".to_owned()),
        Ending::Stuck => Some("cannot be ended".to_owned()),
    }
}

/// How often a call site has allocated so far.
fn allocations(row: &Row) -> i64 {
    row.numbers.get(Number::Allocs).unwrap_or(0)
}

#[cfg(test)]
#[path = "session/tests.rs"]
mod tests;
