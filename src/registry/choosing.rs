// SPDX-License-Identifier: GPL-2.0-only

//! Saying what is wanted of call sites, by what they are called.

use super::{callers, recorded, walk::Walk, wanted::Wanted, Sections, SECTIONS};
use crate::{
    model::{handle::Run, line::Arming, text::Row},
    platform::{
        armed::{self, Round},
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
    let mut arm = |tag: &Tag, arming| round.arm(tag, arming);
    for slot in 0..sections.slots() {
        sections.choose_in(slot, &mut wanted, &mut arm);
    }
    callers::choose(&mut wanted, &mut arm);
    // A stand-in that is being made is as its tag was: those that begin from here on find what was just chosen.
    settle_stand_ins();
    recorded::each(|tag| {
        let row = sections.row_of(tag.handle());
        let wanted = row.map_or(Wanted::NOTHING, |row| wanted(&row));
        arm(tag, wanted.arming);
    });
    round.end();
    // One that was made since the look at its place has set a hint that the round has not seen.
    settle_stand_ins();
    recorded::each(|tag| armed::arm(tag, tag.arming()));
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
            sections.choose_in(slot, &mut wanted, &mut armed::arm);
        }
    }
}

/// The same for lines of Rust code of which nobody has asked yet.
pub fn choose_new(wanted: impl FnMut(&Row<'_>) -> Wanted) {
    let _sections = SECTIONS.write();
    callers::choose_new(wanted);
}

/// The same, unless somebody has the list. Returns whether.
#[cfg(CONFIG_ALLOCTAG_FAULTS)]
pub fn try_choose_new(wanted: impl FnMut(&Row<'_>) -> Wanted) -> bool {
    let sections = SECTIONS.try_write();
    if sections.is_some() {
        callers::choose_new(wanted);
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
    /// The same for the tags of one section.
    fn choose_in(
        &mut self,
        slot: usize,
        wanted: &mut impl FnMut(&Row<'_>) -> Wanted,
        arm: &mut impl FnMut(&Tag, Arming),
    ) {
        let Some(section) = self.section(slot) else {
            return;
        };
        for (index, tag) in section.tags().iter().enumerate() {
            resched::at_step(index as u64);
            // While the module goes, its tags share an account.
            let own = section.accounts(index).map(Run::first);
            if let (true, Some(row)) = (own == Some(tag.handle()), section.row(index)) {
                let Wanted {
                    choice,
                    arming,
                    is_marked,
                } = wanted(&row);
                marks::set(tag.handle(), is_marked);
                tag.choose(if counters::is_dense(tag.handle()) {
                    choice
                } else {
                    choice.later()
                });
                arm(tag, arming);
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
