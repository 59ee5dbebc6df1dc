// SPDX-License-Identifier: GPL-2.0-only

//! Saying what is wanted of call sites, by what they are called.

use super::{callers, recorded, walk::Walk, wanted::Wanted, Sections, SECTIONS};
use crate::{
    model::{
        handle::Run,
        line::{Arming, Calls},
        text::Row,
    },
    platform::{
        calls::{self, Round},
        counters, marks,
        module::Module,
        resched, spin,
        tag::Tag,
    },
};

/// Says what is wanted of every call site that there is.
pub fn choose(mut wanted: impl FnMut(&Row<'_>) -> Wanted) {
    let mut sections = SECTIONS.write();
    let mut round = Round::begin();
    let mut mark = |tag: &Tag, calls| round.mark(tag, calls);
    for slot in 0..sections.slots() {
        sections.choose_in(slot, &mut wanted, &mut mark);
    }
    callers::choose(&mut wanted, &mut mark);
    // A stand-in that is being made is as its tag was: those that begin from here on find what was just chosen.
    settle_stand_ins();
    recorded::each(|tag| {
        let row = sections.row_of(tag.handle());
        let wanted = row.map_or(Wanted::NOTHING, |row| wanted(&row));
        mark(tag, wanted.calls);
    });
    round.end();
    // One that was made since the look at its place has set a hint that the round has not seen.
    settle_stand_ins();
    recorded::each(|tag| calls::mark(tag, tag.calls()));
}

/// Waits for stand-ins that are being made.
fn settle_stand_ins() {
    drop(spin::lock());
}

/// The same for those of a module that has come.
pub fn choose_of(module: &Module, mut wanted: impl FnMut(&Row<'_>) -> Wanted) {
    let mut sections = SECTIONS.write();
    for slot in 0..sections.slots() {
        if sections
            .section(slot)
            .is_some_and(|section| section.is_of(module))
        {
            sections.choose_in(slot, &mut wanted, &mut calls::mark);
        }
    }
}

/// The same for lines of Rust code of which nobody has asked yet.
pub fn choose_new(wanted: impl FnMut(&Row<'_>) -> Wanted) {
    SECTIONS.write().choose_new(wanted);
}

/// The same, unless somebody has the list. Returns whether.
#[cfg(CONFIG_ALLOCTAG_CALLS)]
pub fn try_choose_new(wanted: impl FnMut(&Row<'_>) -> Wanted) -> bool {
    let sections = SECTIONS.try_write();
    if let Some(sections) = &sections {
        sections.choose_new(wanted);
    }
    sections.is_some()
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
    /// The same for lines of Rust code of which nobody has asked yet, and for what stands in for one.
    fn choose_new(&self, mut wanted: impl FnMut(&Row<'_>) -> Wanted) {
        callers::choose_new(&mut wanted);
        settle_stand_ins();
        recorded::each(|tag| {
            if tag.calls().arming == Arming::OPEN {
                let wanted = self.row_of(tag.handle()).map(|row| wanted(&row));
                calls::mark(tag, wanted.unwrap_or(Wanted::NOTHING).calls);
            }
        });
    }

    /// The same for the tags of one section.
    fn choose_in(
        &mut self,
        slot: usize,
        wanted: &mut impl FnMut(&Row<'_>) -> Wanted,
        mark: &mut impl FnMut(&Tag, Calls),
    ) {
        let Some(section) = self.section(slot) else {
            return;
        };
        for (index, tag) in section.tags().iter().enumerate() {
            resched::at_step(index as u64);
            // While the module goes, its tags share an account.
            let own = section.accounts(index).map(Run::first);
            if let (true, Some(row)) = (own == Some(tag.handle()), section.row(index)) {
                let wanted = wanted(&row);
                marks::set(tag.handle(), wanted.is_marked);
                let choice = if counters::is_dense(tag.handle()) {
                    wanted.choice
                } else {
                    wanted.choice.later()
                };
                tag.choose(choice, wanted.following);
                mark(tag, wanted.calls);
            }
        }
        // What has gone with its module may yet be freed.
        for (index, account) in section.kept_accounts() {
            if let Some(row) = section.row(index) {
                marks::set(account, wanted(&row).is_marked);
            }
        }
    }
}
