// SPDX-License-Identifier: GPL-2.0-only

//! What is wanted of chosen call sites, by the numbers that their tags keep.

use crate::model::{
    name::Choice,
    rule::{Contexts, Keys},
};
use kernel::sync::atomic::{Acquire, Atomic, Relaxed, Release};

/// What a rule wants of its call sites. Changes only while no tag has its number, nor has anybody just read it.
pub(super) struct Wanted {
    /// The rule's number; 0 for nobody's.
    rule: Atomic<u32>,
    keys: Atomic<u32>,
    depth: Atomic<u32>,
    /// How many allocations found no context.
    lost: Atomic<u64>,
}

static WANTED: [Wanted; Choice::NUMBERS] = [const {
    Wanted {
        rule: Atomic::new(0),
        keys: Atomic::new(0),
        depth: Atomic::new(0),
        lost: Atomic::new(0),
    }
}; Choice::NUMBERS];

/// What that choice wants.
pub(super) fn get(choice: Choice) -> Option<&'static Wanted> {
    WANTED.get(choice.place()?)
}

/// A number for what a rule wants; `None` where none is left. Called by one task at a time.
pub(super) fn take(rule: u32, contexts: &Contexts) -> Option<Choice> {
    let place = WANTED.iter().position(|wanted| wanted.rule() == 0)?;
    let wanted = WANTED.get(place)?;
    wanted.keys.store(contexts.keys.bits().into(), Relaxed);
    wanted.depth.store(contexts.depth, Relaxed);
    wanted.lost.store(0, Relaxed);
    // Release: who finds the rule finds the rest.
    wanted.rule.store(rule, Release);
    Choice::at(place)
}

/// Gives a number back, which no tag has any more, nor has anybody just read it.
pub(super) fn give_back(choice: Choice) {
    if let Some(wanted) = get(choice) {
        wanted.rule.store(0, Relaxed);
    }
}

impl Wanted {
    /// The rule's number.
    pub(super) fn rule(&self) -> u32 {
        self.rule.load(Acquire)
    }

    /// What contexts are told apart by.
    pub(super) fn keys(&self) -> Keys {
        Keys::from_bits(self.keys.load(Relaxed) as u16)
    }

    /// How many functions a stack has, at most.
    pub(super) fn depth(&self) -> usize {
        self.depth.load(Relaxed) as usize
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
