// SPDX-License-Identifier: GPL-2.0-only

//! The rules in their order.

use super::{
    deciding::wanted,
    held::{Held, Owner, OFFERED},
};
use crate::{
    detail::{choices, measured},
    model::{
        line::Arming,
        name::Choice,
        rule::{commands, By, Command, Contexts, Faults, Letters, Mistake, Rule},
        text::Row,
    },
    platform::{faults, stack, task},
    registry::{choosing, wanted::Wanted},
};
use kernel::{alloc_hooks, prelude::*, str::BStr};

/// Rules, the oldest first.
pub(super) struct List {
    rules: KVec<Held>,
    /// The number of the next.
    next: u32,
}

/// Says in the log what is wrong.
fn refuse(mistake: &Mistake<'_>) -> Error {
    let (word, why) = (BStr::from_bytes(mistake.word), mistake.wrong.why());
    pr_err!("control: {word}: {why}\n");
    EINVAL
}

/// Asks whether contexts can be told apart as they are to be.
///
/// # Errors
///
/// `EINVAL`, and the log says what not.
fn offered(contexts: &Contexts) -> Result {
    let by = |key| contexts.keys.has(key);
    let lacks = if (by(By::Stack) || by(By::Caller)) && !stack::KNOWN {
        "by=stack and by=caller: there are no names of functions in this kernel (CONFIG_KALLSYMS, CONFIG_STACKTRACE)"
    } else if by(By::Cgroup) && !task::has_cgroups() {
        "by=cgroup: memory is not among the controllers of cgroup v2 here"
    } else {
        return Ok(());
    };
    pr_err!("control: {lacks}\n");
    Err(EINVAL)
}

impl List {
    /// None.
    pub(super) const fn new() -> Self {
        Self {
            rules: KVec::new(),
            next: 1,
        }
    }

    /// The same once a text was obeyed.
    ///
    /// # Errors
    ///
    /// As for `Rules::obey()`.
    pub(super) fn after(&self, text: &[u8], owner: Owner, may_fail: fn() -> bool) -> Result<Self> {
        let mut list = self.copy(|_| true)?;
        for command in commands(text, OFFERED) {
            match command.map_err(|mistake| refuse(&mistake))? {
                Command::Add(rule) if rule.faults().is_some() && !may_fail() => return Err(EPERM),
                Command::Add(rule) => list.add(&rule, owner, text.len())?,
                Command::TakeBack(number) => list.take_back(number)?,
                Command::TakeBackAll => list.rules.clear(),
                Command::Reset(what) => measured::offered(what)?,
            }
        }
        Ok(list)
    }

    /// The same without the rules whose owner has gone.
    ///
    /// # Errors
    ///
    /// `ENOMEM`
    pub(super) fn without_left(&self) -> Result<Self> {
        self.copy(|held| !held.is_left)
    }

    fn copy(&self, stays: impl Fn(&Held) -> bool) -> Result<Self> {
        let mut rules = KVec::new();
        for held in self.rules.iter().filter(|held| stays(held)) {
            alloc_hooks!(rules.push(held.copy()?, GFP_KERNEL))?;
        }
        Ok(Self {
            rules,
            next: self.next,
        })
    }

    fn add(&mut self, rule: &Rule<'_>, owner: Owner, given: usize) -> Result {
        if let Some(contexts) = rule.contexts() {
            offered(&contexts)?;
        }
        if self.rules.len() == Choice::NUMBERS {
            pr_err!("control: there are {} rules already\n", Choice::NUMBERS);
            return Err(ENOSPC);
        }
        // Numbers only rise, which `place()` relies on.
        let Some(next) = self.next.checked_add(1) else {
            pr_err!("control: all numbers that rules can have were given\n");
            return Err(ENOSPC);
        };
        let held = Held::new(self.next, rule, owner, given)?;
        alloc_hooks!(self.rules.push(held, GFP_KERNEL))?;
        self.next = next;
        Ok(())
    }

    fn take_back(&mut self, number: u32) -> Result {
        match self.place(number) {
            Some(place) => {
                let _ = self.rules.remove(place);
                Ok(())
            }
            None => {
                pr_err!("control: -{number}: there is no rule of that number\n");
                Err(ENOENT)
            }
        }
    }

    /// Gives rules that want contexts a number for their tags, if they have none.
    ///
    /// # Errors
    ///
    /// `ENOSPC` where there are too many; some may have got one then.
    pub(super) fn take_choices(&mut self) -> Result {
        for place in 0..self.rules.len() {
            let Some(held) = self.rules.get_mut(place) else {
                break;
            };
            let contexts = held.rule().and_then(|rule| rule.contexts());
            let (Some(contexts), Choice::NONE) = (contexts, held.choice) else {
                continue;
            };
            let Some(choice) = choices::take(held.number, &contexts) else {
                pr_err!(
                    "control: more than {} rules with contexts, or {} with every=\n",
                    Choice::PLAIN,
                    Choice::DRAWN
                );
                return Err(ENOSPC);
            };
            held.choice = choice;
        }
        Ok(())
    }

    /// The same for rules that have call sites fail.
    ///
    /// # Errors
    ///
    /// As there, and `ENOMEM`.
    pub(super) fn take_armings(&mut self) -> Result {
        for place in 0..self.rules.len() {
            let wanted = self.rules.get(place).and_then(|held| {
                let is_new = held.arming == Arming::NEVER;
                held.rule().filter(|_| is_new)?.faults()
            });
            let arming = match wanted {
                None => continue,
                Some(faults) if faults.is_shared() => Arming::SHARED,
                Some(faults) => self.take_arming(&faults)?,
            };
            if let Some(held) = self.rules.get_mut(place) {
                held.arming = arming;
            }
        }
        Ok(())
    }

    /// A number that no rule has, neither one of these nor one of those that still hold.
    fn take_arming(&self, faults: &Faults) -> Result<Arming> {
        for place in 0..Arming::OWN {
            let arming = Arming::own(place).ok_or(EINVAL)?;
            if self.rules.iter().any(|held| held.arming == arming) {
                continue;
            }
            match faults::begin(place, faults) {
                Err(EBUSY) => {}
                result => return result.map(|()| arming),
            }
        }
        let most = Arming::OWN;
        pr_err!("control: more than {most} rules that say themselves when call sites fail\n");
        Err(ENOSPC)
    }

    /// Gives back what rules have that others have not. Nobody reads it any more.
    pub(super) fn give_back(&self, others: &Self) {
        for held in self.rules.iter().filter(|held| !others.has(held.number)) {
            choices::give_back(held.choice);
            if let Some(place) = held.arming.place() {
                faults::end(place);
            }
        }
    }

    /// Whether there are rules of an owner.
    pub(super) fn has_of(&self, owner: Owner) -> bool {
        self.rules.iter().any(|held| held.owner == owner)
    }

    /// Whether there are rules whose owner has gone.
    pub(super) fn has_left(&self) -> bool {
        self.rules.iter().any(|held| held.is_left)
    }

    /// An owner has gone. Nothing fails any more because of those of its rules that say themselves when; the others go by what
    /// is set for all rules until they are taken back.
    pub(super) fn leave(&mut self, owner: Owner) {
        for held in self.rules.iter_mut().filter(|held| held.owner == owner) {
            held.is_left = true;
            if let Some(place) = held.arming.place() {
                faults::mute(place);
            }
        }
    }

    /// The place of the rule of that number; later ones have higher numbers.
    fn place(&self, number: u32) -> Option<usize> {
        let place = self.rules.binary_search_by_key(&number, |held| held.number);
        place.ok()
    }

    /// Whether the rule of that number is one of these.
    pub(super) fn has(&self, number: u32) -> bool {
        self.place(number).is_some()
    }

    /// Counts the call sites that each rule is about, at one look at every call site. Returns the content id of these.
    ///
    /// # Errors
    ///
    /// `ENOMEM`
    pub(super) fn count_sites(&mut self) -> Result<u64> {
        let mut counts = KVec::new();
        for held in &self.rules {
            alloc_hooks!(counts.push((held.rule(), 0), GFP_KERNEL))?;
        }
        let content = choosing::each(|row| {
            for (rule, sites) in &mut counts {
                *sites += usize::from(rule.is_some_and(|rule| rule.matches(row)));
            }
        });
        let mut sites = KVec::new();
        for (_, count) in counts {
            alloc_hooks!(sites.push(count, GFP_KERNEL))?;
        }
        for (held, sites) in self.rules.iter_mut().zip(sites) {
            held.sites = sites;
        }
        Ok(content)
    }

    /// Counts the contexts of each rule, which are those of these numbers' rules.
    pub(super) fn count_contexts(&mut self, rules: impl Iterator<Item = u32>) {
        self.rules.iter_mut().for_each(|held| held.contexts = 0);
        for number in rules {
            let place = self.place(number);
            if let Some(held) = place.and_then(|place| self.rules.get_mut(place)) {
                held.contexts += 1;
            }
        }
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Whether one of them wants contexts.
    pub(super) fn wants_contexts(&self) -> bool {
        let mut rules = self.rules.iter().filter_map(Held::rule);
        rules.any(|rule| rule.contexts().is_some())
    }

    /// Whether one of them has call sites fail.
    pub(super) fn wants_faults(&self) -> bool {
        let mut rules = self.rules.iter();
        rules.any(|held| held.arming != Arming::NEVER)
    }

    /// Whether one of them says which call sites have events.
    pub(super) fn wants_marks(&self) -> bool {
        let mut rules = self.rules.iter().filter_map(Held::rule);
        rules.any(|rule| rule.decides(Letters::EVENTS).is_some())
    }

    /// Whether one of them has calls timed.
    pub(super) fn wants_latency(&self) -> bool {
        self.rules.iter().any(|held| held.is_timed)
    }

    /// Whether one of them has allocations followed.
    pub(super) fn wants_lifetimes(&self) -> bool {
        self.rules.iter().any(|held| held.following.is_some())
    }

    /// Whether one of these has an owner, who is going to look at what has failed.
    pub(super) fn has_witness(&self) -> bool {
        let is_witnessed =
            |held: &Held| held.owner != Owner::NOBODY && held.arming != Arming::NEVER;
        self.rules.iter().any(is_witnessed)
    }

    /// What is wanted of a call site. Does not allocate.
    pub(super) fn wanted(&self, row: &Row<'_>) -> Wanted {
        let rules = self.rules.iter().rev();
        wanted(
            rules.filter_map(|held| Some((held.rule()?, held.wanted()))),
            row,
        )
    }

    /// The rules, the oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Held> {
        self.rules.iter()
    }

    /// All rules, with what their tags keep.
    ///
    /// # Errors
    ///
    /// `ENOMEM`
    pub(super) fn parsed(&self) -> Result<KVec<(Rule<'_>, Wanted)>> {
        let mut parsed = KVec::new();
        for held in &self.rules {
            if let Some(rule) = held.rule() {
                alloc_hooks!(parsed.push((rule, held.wanted()), GFP_KERNEL))?;
            }
        }
        Ok(parsed)
    }
}
