// SPDX-License-Identifier: GPL-2.0-only

//! A rule that holds.

use crate::{
    model::{
        line::{Arming, Calls},
        name::{Choice, Following},
        rule::{commands, Command, Letters, Rule},
        text::Text,
    },
    registry::wanted::Wanted,
};
use kernel::{alloc::AllocError, alloc_hooks, prelude::*};

/// Whose a rule is: the number of an open file, or nobody's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner(pub u64);

impl Owner {
    /// Of whoever may write rules.
    pub const NOBODY: Self = Self(0);
}

/// What can be wanted so far.
pub(super) const OFFERED: Letters = Letters::CONTEXTS
    .with(where_set(cfg!(CONFIG_ALLOCTAG_FAULTS), Letters::FAULTS))
    .with(where_set(cfg!(CONFIG_ALLOCTAG_LATENCY), Letters::LATENCY))
    .with(where_set(
        cfg!(CONFIG_ALLOCTAG_LIFETIMES),
        Letters::LIFETIMES,
    ))
    .with(where_set(cfg!(CONFIG_ALLOCTAG_EVENTS), Letters::EVENTS));

const fn where_set(set: bool, letters: Letters) -> Letters {
    if set {
        letters
    } else {
        Letters::NONE
    }
}

/// A rule, as text: it is asked for seldom, and then all at once.
pub struct Held {
    /// Its number, which no other ever had.
    pub number: u32,
    /// What it says, as it would be written.
    text: KVec<u8>,
    /// What tags of its call sites keep, where it wants something of them.
    pub choice: Choice,
    /// The same of when they fail.
    pub(super) arming: Arming,
    /// Whether it has their calls timed.
    pub(super) is_timed: bool,
    /// Which of their allocations it has followed.
    pub(super) following: Following,
    /// Whose it is.
    pub(super) owner: Owner,
    /// Whether its owner has gone.
    pub(super) is_left: bool,
    /// How many call sites it is about, when that was counted last.
    pub sites: usize,
    /// How many contexts it had then.
    pub contexts: usize,
}

/// How much longer a rule can be than what it was given as: a line's bounds and a pair of quotes for each of three words.
const LONGER: usize = 64;

/// Which allocations a rule has followed.
fn following(rule: &Rule<'_>) -> Following {
    rule.lifetimes().map_or(Following::NONE, |lifetimes| {
        lifetimes.every.map_or(Following::ALL, Following::every)
    })
}

impl Held {
    /// A rule that was given within so many bytes.
    pub fn new(
        number: u32,
        rule: &Rule<'_>,
        owner: Owner,
        given: usize,
    ) -> Result<Self, AllocError> {
        let room = given + LONGER;
        let mut text = alloc_hooks!(KVec::from_elem(0, room, GFP_KERNEL))?;
        let mut shown = Text::new(&mut text);
        rule.show(&mut shown).map_err(|_| AllocError)?;
        let used = shown.used();
        text.truncate(used);
        Ok(Self {
            number,
            text,
            choice: Choice::NONE,
            arming: Arming::NEVER,
            is_timed: rule.decides(Letters::LATENCY) == Some(true),
            following: following(rule),
            owner,
            is_left: false,
            sites: 0,
            contexts: 0,
        })
    }

    /// The same once more.
    pub fn copy(&self) -> Result<Self, AllocError> {
        let mut text = KVec::new();
        alloc_hooks!(text.extend_from_slice(&self.text, GFP_KERNEL))?;
        Ok(Self { text, ..*self })
    }

    /// What tags of its call sites keep.
    pub(super) fn wanted(&self) -> Wanted {
        Wanted {
            choice: self.choice,
            following: self.following,
            calls: Calls {
                arming: self.arming,
                is_timed: self.is_timed,
            },
            ..Wanted::NOTHING
        }
    }

    /// What it says, as text.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// What it says.
    pub fn rule(&self) -> Option<Rule<'_>> {
        match commands(&self.text, OFFERED).next() {
            Some(Ok(Command::Add(rule))) => Some(rule),
            _ => None,
        }
    }
}
