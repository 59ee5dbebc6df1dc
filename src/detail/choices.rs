// SPDX-License-Identifier: GPL-2.0-only

//! What is wanted of chosen call sites, by the numbers that their tags keep.

use crate::{
    model::{context::Start, name::Choice, rule::Contexts},
    platform::published,
};
use kernel::sync::atomic::{Atomic, Relaxed, Release};

/// What a rule wants of its call sites. Changes only while no tag has its number, nor has anybody just read it.
pub(super) struct Wanted {
    /// How keys begin; 0 for nobody's.
    start: Atomic<usize>,
    /// How many functions a stack has, at most.
    depth: Atomic<usize>,
    /// How many allocations found no context.
    lost: Atomic<u64>,
}

static WANTED: [Wanted; Choice::NUMBERS] = [const {
    Wanted {
        start: Atomic::new(0),
        depth: Atomic::new(0),
        lost: Atomic::new(0),
    }
}; Choice::NUMBERS];

/// What that choice wants.
#[inline(always)]
pub(super) fn get(choice: Choice) -> Option<&'static Wanted> {
    WANTED.get(choice.place()?)
}

/// A number for what a rule wants; `None` where none is left. Called by one task at a time.
pub(super) fn take(rule: u32, contexts: &Contexts) -> Option<Choice> {
    let place = WANTED.iter().position(Wanted::is_free)?;
    let wanted = WANTED.get(place)?;
    wanted.depth.store(contexts.depth as usize, Relaxed);
    wanted.lost.store(0, Relaxed);
    let start = Start::new(rule, contexts.keys);
    // Release: who finds the rule finds the rest.
    wanted.start.store(start.word() as usize, Release);
    Choice::at(place)
}

/// Gives a number back, which no tag has any more, nor has anybody just read it.
pub(super) fn give_back(choice: Choice) {
    if let Some(wanted) = get(choice) {
        wanted.start.store(0, Relaxed);
    }
}

impl Wanted {
    /// Whether it is no rule's. These have numbers from 1 on.
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

    /// An allocation found no context.
    pub(super) fn lose(&self) {
        self.lost.add(1, Relaxed);
    }

    /// How many have.
    pub(super) fn lost(&self) -> u64 {
        self.lost.load(Relaxed)
    }
}
