// SPDX-License-Identifier: GPL-2.0-only

//! A rule that holds.

use crate::model::{
    name::Choice,
    rule::{commands, Command, Letters, Rule},
    text::Text,
};
use kernel::{alloc::AllocError, alloc_hooks, prelude::*};

/// A rule, as text: it is asked for seldom, and then all at once.
pub struct Held {
    /// Its number, which no other ever had.
    pub number: u32,
    /// What it says, as it would be written.
    text: KVec<u8>,
    /// What tags of its call sites keep, where it wants something of them.
    pub choice: Choice,
    /// How many call sites it is about, when that was counted last.
    pub sites: usize,
    /// How many contexts it had then.
    pub contexts: usize,
}

/// How much longer a rule can be than what it was given as: a line's bounds and a pair of quotes for each of three words.
const LONGER: usize = 64;

impl Held {
    /// A rule that was given within so many bytes.
    pub fn new(number: u32, rule: &Rule<'_>, given: usize) -> Result<Self, AllocError> {
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

    /// What it says, as text.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// What it says.
    pub fn rule(&self) -> Option<Rule<'_>> {
        match commands(&self.text, Letters::CONTEXTS).next() {
            Some(Ok(Command::Add(rule))) => Some(rule),
            _ => None,
        }
    }
}
