// SPDX-License-Identifier: GPL-2.0-only

//! Saying what is wanted of call sites, by what they are called.

use super::{callers, walk::Walk, Sections, SECTIONS};
use crate::{
    model::{handle::Run, name::Choice, text::Row},
    platform::{counters, module::Module, resched},
};

/// Says what is wanted of every call site that there is.
pub fn choose(mut wanted: impl FnMut(&Row<'_>) -> Choice) {
    let mut sections = SECTIONS.write();
    for slot in 0..sections.slots() {
        sections.choose_in(slot, &mut wanted);
    }
    callers::choose(&mut wanted);
}

/// The same for those of a module that has come.
pub fn choose_of(module: &Module, mut wanted: impl FnMut(&Row<'_>) -> Choice) {
    let mut sections = SECTIONS.write();
    for slot in 0..sections.slots() {
        if sections
            .section(slot)
            .is_some_and(|section| section.is_of(module))
        {
            sections.choose_in(slot, &mut wanted);
        }
    }
}

/// The same for lines of Rust code of which nobody has asked yet.
pub fn choose_new(wanted: impl FnMut(&Row<'_>) -> Choice) {
    let _sections = SECTIONS.write();
    callers::choose_new(wanted);
}

/// Looks at every call site that there is. Returns their content id.
pub fn each(mut look: impl FnMut(&Row<'_>)) -> u64 {
    let sections = super::read();
    let mut walk = Walk::START;
    let mut more = walk.settle(&sections);
    for step in 0.. {
        if !more {
            break;
        }
        resched::at_step(step);
        if let Some(row) = walk.row(&sections) {
            look(&row);
        }
        more = walk.advance(&sections);
    }
    sections.content()
}

impl Sections {
    /// The same for the tags of one section.
    fn choose_in(&mut self, slot: usize, wanted: &mut impl FnMut(&Row<'_>) -> Choice) {
        let Some(section) = self.section(slot) else {
            return;
        };
        for (index, tag) in section.tags().iter().enumerate() {
            resched::at_step(index as u64);
            // While the module goes, its tags share an account.
            let own = section.accounts(index).map(Run::first);
            if let (true, Some(row)) = (own == Some(tag.handle()), section.row(index)) {
                let choice = wanted(&row);
                tag.choose(if counters::is_dense(tag.handle()) {
                    choice
                } else {
                    choice.later()
                });
            }
        }
    }
}
