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

/// How often the command may not come to the call site while a trial is repeated.
const MISSES: u32 = 4;

/// How often it is looked again, later, whether what has grown is still there.
const LATER_LOOKS: u32 = 3;

/// How it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All is done.
    Done,
    /// Nothing can be said of this kernel any more.
    Spent,
    /// Somebody has interrupted it.
    Stopped,
    /// All is done but for some trials whose rules the kernel did not take.
    Refused {
        /// How many.
        trials: usize,
        /// Why, of the first.
        reason: String,
    },
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
    /// What was held before, and when the command had ended.
    before: Profile,
    after: Box<Profile>,
    said: Said,
    grown: Growth,
}

/// What became of a request for one.
enum Attempted {
    Made(Box<Attempt>),
    Refused(String),
    Interrupted,
}

/// What became of a trial.
enum Made {
    Found(Found),
    /// The kernel does not take its rule.
    Refused(String),
    /// It was not: so ends this go.
    Ended(End),
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
        let mut refused: Vec<String> = Vec::new();
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
                    None => {
                        let made = self.make(&trial);
                        if !matches!(made, Ok(Made::Found(_))) {
                            self.journal.abandon()?;
                        }
                        match made? {
                            Made::Found(found) => found,
                            Made::Ended(end) => return Ok(end),
                            Made::Refused(reason) => {
                                refused.push(reason);
                                break;
                            }
                        }
                    }
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
        if let Some(reason) = refused.first() {
            return Ok(End::Refused { trials: refused.len(), reason: reason.clone() });
        }
        self.journal.done()?;
        Ok(End::Done)
    }

    /// Whether the kernel is not to be gone on with: by what was just found, or by what came to light later of what was before.
    fn is_spent(&self, found: &Found) -> bool {
        found.has_spent_the_kernel() || self.was_spent()
    }

    /// The same by what was before alone.
    fn was_spent(&self) -> bool {
        self.last.as_ref().is_some_and(|(_, last)| last.has_spent_the_kernel())
    }

    /// Runs the command with nothing failing, and learns what grows anyhow, and what the kernel says anyhow. Returns the wanted
    /// call sites that it touches, unless interrupted.
    fn rehearse(&mut self, wants: impl Fn(&Row) -> bool) -> Result<Option<BTreeSet<Site>>> {
        let mut touched = BTreeSet::new();
        self.machine.logged();
        for time in 0..LESSONS + REHEARSALS {
            let (before, late) = self.begin()?;
            self.learn(late)?;
            let attempt = match self.attempt(None, before)? {
                Attempted::Made(attempt) => attempt,
                Attempted::Refused(reason) => return Err(Error::Failed(reason)),
                Attempted::Interrupted => return Ok(None),
            };
            if let Some(problem) = fails_by_itself(attempt.ending) {
                return Err(Error::Failed(format!(
                    "COMMAND {problem} with nothing failing; a sweep takes one that works"
                )));
            }
            let rows = have_grown(Number::Allocs, &attempt.before, &attempt.after).filter(|row| wants(row));
            touched.extend(rows.map(|row| row.site.clone()));
            self.learn(attempt.said)?;
            if time >= LESSONS {
                self.ordinary.at_most(attempt.grown);
            }
        }
        Ok(Some(touched))
    }

    /// Takes what the kernel said for what it says anyhow.
    fn learn(&mut self, mut said: Said) -> Result<()> {
        said.forget_lost();
        if let (true, Some(complaint)) = (said.is_damage(), said.complaints.first()) {
            return Err(Error::Failed(format!("the kernel says, with nothing failing: {complaint}")));
        }
        self.usual.join(said);
        Ok(())
    }

    /// Makes a trial, and writes down what came of it.
    fn make(&mut self, trial: &Trial) -> Result<Made> {
        self.journal.begin(trial.clone())?;
        let made = self.find(trial)?;
        if let Made::Found(found) = &made {
            if found.reached {
                self.last = Some((trial.clone(), found.clone()));
            }
            self.journal.end(trial.clone(), found.clone())?;
        }
        Ok(made)
    }

    /// Runs the command with a call site failing, again where one time does not tell.
    fn find(&mut self, trial: &Trial) -> Result<Made> {
        let (before, late) = self.begin()?;
        // What was said since is no fault of this one.
        self.charge_last(late)?;
        if self.was_spent() {
            return Ok(Made::Ended(End::Spent));
        }
        let first = match self.attempt(Some(trial), before)? {
            Attempted::Made(attempt) => attempt,
            Attempted::Refused(reason) => return Ok(Made::Refused(reason)),
            Attempted::Interrupted => return Ok(Made::Ended(End::Stopped)),
        };
        let mut found = Found::ended(first.reached, first.ending);
        if !found.reached {
            self.charge_last(first.said)?;
            return Ok(Made::Found(found));
        }
        found.said = first.said;
        let mut grown = first.grown.beyond(&self.ordinary);
        // What does not end may have had too little time, or end the next time.
        let mut may_end = first.ending == Ending::Timeout;
        let (mut repeats, mut misses) = (0, 0);
        while repeats < REPEATS && misses < MISSES && (may_end || !grown.is_empty()) {
            let (before, late) = self.begin()?;
            found.said.join(self.beside(late));
            if found.has_spent_the_kernel() {
                break;
            }
            let again = match self.attempt(Some(trial), before)? {
                Attempted::Made(attempt) => attempt,
                Attempted::Refused(_) => break,
                Attempted::Interrupted => return Ok(Made::Ended(End::Stopped)),
            };
            found.said.join(again.said);
            if again.ending == Ending::Stuck {
                found.ending = Some(again.ending);
            }
            if found.has_spent_the_kernel() {
                break;
            }
            if !again.reached {
                misses += 1;
                continue;
            }
            repeats += 1;
            if may_end {
                found.ending = Some(again.ending);
            }
            may_end = false;
            grown = grown.both(&again.grown.beyond(&self.ordinary));
        }
        if !found.has_spent_the_kernel() {
            let grown = grown.into_largest().into_iter().map(|(site, more)| Leak { site, more }).collect();
            // Or else it was not seen often enough to be told from a cache.
            let which = if repeats == REPEATS { &mut found.leaks } else { &mut found.unsure };
            *which = grown;
        }
        Ok(Made::Found(found))
    }

    /// What the kernel said late, without what is said anyhow; and without the stack, which is that of a fault that accuses
    /// somebody else.
    fn beside(&self, mut said: Said) -> Said {
        said.forget(&self.usual);
        said.stack.clear();
        said
    }

    /// Adds what the kernel said late to what was found the last time that a call site failed.
    fn charge_last(&mut self, said: Said) -> Result<()> {
        let said = self.beside(said);
        let Some((trial, found)) = &mut self.last else { return self.learn(said) };
        if said.complaints.is_empty() {
            return Ok(());
        }
        found.said.join(said);
        self.journal.end_again(trial.clone(), found.clone())
    }

    /// Runs the command once and cleans up after it; what the kernel said, and what is held more than before.
    fn attempt(&mut self, trial: Option<&Trial>, before: Profile) -> Result<Attempted> {
        self.is_quiet = false;
        let run = self.machine.run(trial);
        let mut said = self.heard();
        // A kernel in a bad state may keep for ever whoever asks it for something.
        let is_bad = said.is_damage() || matches!(run, Ok(Run::Ended(Ending::Stuck, _)));
        let cleaned = if is_bad { Ok(None) } else { self.machine.clean_up() };
        let (mut ending, after) = match run? {
            Run::Ended(ending, held) => (ending, held),
            Run::Refused(reason) => return Ok(Attempted::Refused(reason)),
            Run::Interrupted => return Ok(Attempted::Interrupted),
        };
        if let Some(cleaned @ (Ending::Timeout | Ending::Stuck)) = cleaned? {
            if trial.is_none() {
                return Err(Error::Failed("--cleanup does not end within --timeout, with nothing failing".to_owned()));
            }
            ending = cleaned;
        }
        let reached =
            trial.is_some_and(|trial| have_grown(Number::Injected, &before, &after).any(|row| row.site == trial.site));
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
        Ok(Attempted::Made(Box::new(Attempt { ending, reached, before, after, said, grown })))
    }

    /// What the kernel said since this was asked for last.
    fn heard(&mut self) -> Said {
        said::look(self.machine.logged().iter().map(String::as_str))
    }

    /// What is held before something is run, and what the kernel has said until then.
    fn begin(&mut self) -> Result<(Profile, Said)> {
        let before = self.before()?;
        Ok((before, self.heard()))
    }

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
fn have_grown<'p>(number: Number, before: &'p Profile, after: &'p Profile) -> impl Iterator<Item = &'p Row> {
    let of = move |row: &Row| row.numbers.get(number).unwrap_or(0);
    let earlier: HashMap<&Site, i64> = before.rows().iter().map(|row| (&row.site, of(row))).collect();
    after.rows().iter().filter(move |row| of(row) > earlier.get(&row.site).copied().unwrap_or(0))
}

#[cfg(test)]
#[path = "session/tests.rs"]
mod tests;
