// SPDX-License-Identifier: GPL-2.0-only

//! What is wanted of chosen call sites, by the numbers that their tags keep.

use crate::{
    model::{
        context::Start,
        name::{Choice, Drawn},
        rule::Contexts,
        sample::Period,
    },
    platform::{countdown, published},
};
use kernel::sync::atomic::{Atomic, Relaxed, Release};

/// What a rule wants of its call sites. Changes only while no tag has its number, nor has anybody just read it.
pub(super) struct Wanted {
    /// How keys begin; 0 for nobody's.
    start: Atomic<usize>,
    /// How many functions a stack has, at most.
    depth: Atomic<usize>,
    /// How far apart the bytes are that are looked at; 0 where all are.
    every: Atomic<usize>,
    /// How many seconds a slice of time has.
    slice: Atomic<u32>,
    /// How many allocations found no context.
    lost: Atomic<u64>,
}

static WANTED: [Wanted; Choice::NUMBERS] = [const {
    Wanted {
        start: Atomic::new(0),
        depth: Atomic::new(0),
        every: Atomic::new(0),
        slice: Atomic::new(0),
        lost: Atomic::new(0),
    }
}; Choice::NUMBERS];

/// What that choice wants.
#[inline(always)]
pub(super) fn get(choice: Choice) -> Option<&'static Wanted> {
    WANTED.get(choice.place()?)
}

/// How many allocations found no context, by that choice and the one that goes with it.
pub(super) fn lost(choice: Choice) -> u64 {
    let lost = |choice| get(choice).map_or(0, |wanted| wanted.lost.load(Relaxed));
    match choice.later() {
        same if same == choice => lost(choice),
        later => lost(choice) + lost(later),
    }
}

/// A number for what a rule wants; `None` where none is left. Called by one task at a time.
pub(super) fn take(rule: u32, contexts: &Contexts) -> Option<Choice> {
    let is_free = |choice: &Choice| get(*choice).is_some_and(Wanted::is_free);
    let Some(period) = contexts.every else {
        let choice = (0..Choice::PLAIN).filter_map(Choice::at).find(is_free)?;
        get(choice)?.begin(rule, contexts);
        return Some(choice);
    };
    let is_free = |countdown: &usize| Choice::drawn(*countdown).as_ref().is_some_and(is_free);
    let countdown = (0..Choice::DRAWN).find(is_free)?;
    let choice = Choice::drawn(countdown)?;
    countdown::prepare();
    countdown::begin(countdown, period);
    get(choice)?.begin(rule, contexts);
    get(choice.later())?.begin(rule, contexts);
    Some(choice)
}

/// Gives a number back, which no tag has any more, nor has anybody just read it.
pub(super) fn give_back(choice: Choice) {
    for wanted in [choice, choice.later()].into_iter().filter_map(get) {
        wanted.start.store(0, Relaxed);
    }
}

/// Whether an allocation is looked at, where not all are but those that lie so far apart. If so, its countdown begins anew.
#[inline(never)]
pub(super) fn draw(choice: Choice, every: u32, bytes: usize) -> bool {
    let Some(period) = Period::new(every.into()) else {
        return true;
    };
    let (countdown, is_due) = match choice.by() {
        Some(Drawn::ByHook(countdown)) => (countdown, countdown::is_due(countdown)),
        Some(Drawn::Later(countdown)) => {
            let number = Choice::FIRST_DRAWN as usize + countdown;
            (countdown, countdown::count(number, bytes))
        }
        None => return true,
    };
    if is_due {
        countdown::restart(countdown, period);
    }
    is_due
}

impl Wanted {
    /// A rule has the number. These have numbers of their own from 1 on.
    fn begin(&self, rule: u32, contexts: &Contexts) {
        self.depth.store(contexts.depth as usize, Relaxed);
        let every = contexts.every.map_or(0, Period::bytes);
        self.every.store(every as usize, Relaxed);
        self.slice.store(contexts.slice, Relaxed);
        self.lost.store(0, Relaxed);
        let start = Start::new(rule, contexts.keys, contexts.every.is_some());
        // Release: who finds the rule finds the rest.
        self.start.store(start.word() as usize, Release);
    }

    /// Whether it is no rule's.
    fn is_free(&self) -> bool {
        self.start.load(Relaxed) == 0
    }

    /// How keys begin.
    #[inline(always)]
    pub(super) fn start(&self) -> Start {
        Start::from_word(published::load(&self.start) as u64)
    }

    /// How many functions a stack has, at most.
    pub(super) fn depth(&self) -> usize {
        self.depth.load(Relaxed)
    }

    /// How far apart the bytes are that are looked at; 0 where all are.
    #[inline(always)]
    pub(super) fn every(&self) -> u32 {
        // It fits, by what a period is.
        published::load(&self.every) as u32
    }

    /// How many seconds a slice of time has.
    pub(super) fn slice(&self) -> u32 {
        self.slice.load(Relaxed)
    }

    /// An allocation found no context.
    pub(super) fn lose(&self) {
        self.lost.add(1, Relaxed);
    }
}
