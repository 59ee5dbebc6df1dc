// SPDX-License-Identifier: GPL-2.0-only

//! Records of contexts: what they have, and what tells them apart but for their stacks.
//!
//! C header: `include/uapi/linux/alloctag.h`.

use super::{
    plain::{zeroes, Plain},
    query::{add, put, Full, Record},
};
use crate::{
    detail::{
        circumstances::NO_NODE,
        rules::{self, Rules},
    },
    model::{
        context::Key,
        contexts,
        cursor::{Cursor, Slot},
        rule::{By, Keys},
    },
    platform::{clock, contexts::Context, resched},
    registry::{self, Sections},
};
use core::mem::size_of;
use kernel::{
    bindings::{self, alloctag_context},
    prelude::*,
};

const _: () = assert!(size_of::<alloctag_context>() == 152);

// SAFETY: Words and bytes; by the size above there is no gap.
unsafe impl Plain for alloctag_context {}

/// Keys as the model has them are those of the ABI.
const _: () = {
    let table = [
        (By::Stack, bindings::ALLOCTAG_KEY_STACK),
        (By::Caller, bindings::ALLOCTAG_KEY_CALLER),
        (By::Comm, bindings::ALLOCTAG_KEY_COMM),
        (By::Pid, bindings::ALLOCTAG_KEY_PID),
        (By::Node, bindings::ALLOCTAG_KEY_NODE),
        (By::Cgroup, bindings::ALLOCTAG_KEY_CGROUP),
        (By::Gfp, bindings::ALLOCTAG_KEY_GFP),
        (By::Order, bindings::ALLOCTAG_KEY_ORDER),
        (By::Age, bindings::ALLOCTAG_KEY_AGE),
    ];
    let mut index = 0;
    while index < table.len() {
        assert!(Keys::NONE.with(table[index].0).bits() as u32 == table[index].1);
        index += 1;
    }
};

/// The number that a context has for itself: that of its place, and above that how many there had been before it.
pub(super) fn id(context: Context<'_>) -> u64 {
    u64::from(context.born()) << u32::BITS | context.number() as u64
}

/// The next context from the cursor on that has something; each has so many records.
pub(super) fn settle<'a>(
    rules: &'a Rules,
    cursor: &mut Cursor,
    records: impl Fn(&Key<'_>) -> usize,
) -> Option<(Context<'a>, Key<'a>)> {
    let found = |place| {
        let context = rules.context(place)?;
        Some((context, context.key()))
    };
    // What nobody finds any more and has nothing alive is about to go.
    let stays = |(context, _): &(Context<'_>, Key<'_>)| context.is_linked() || !context.is_idle();
    let slot = |(context, key): (Context<'_>, Key<'_>)| Slot {
        sequence: context.born().into(),
        length: records(&key),
    };
    let slots = |place: usize| {
        resched::at_step(place as u64);
        (place < rules.places()).then(|| found(place).filter(stays).map_or(Slot::EMPTY, slot))
    };
    // Not asked once more whether it stays: the rules are locked, so it is there.
    cursor.settle(slots).then(|| found(cursor.position().0))?
}

impl Record for alloctag_context {
    /// As many as a context counts, whatever is counted of call sites.
    const FIELDS: u32 = bindings::ALLOCTAG_FIELD_BYTES
        | bindings::ALLOCTAG_FIELD_CALLS
        | bindings::ALLOCTAG_FIELD_SLACK
        | bindings::ALLOCTAG_FIELD_ALLOCS
        | bindings::ALLOCTAG_FIELD_FREES
        | bindings::ALLOCTAG_FIELD_ALLOCATED;

    fn gather(cursor: &mut Cursor, batch: &mut KVec<Self>, wanted: usize) -> Result<u64, Full> {
        let (rules, sections) = (rules::lock(), registry::read());
        // As it is at the first record.
        let content = sections.content();
        while batch.len() < wanted {
            let Some((context, key)) = settle(&rules, cursor, |_| 1) else {
                break;
            };
            add(batch, record(&sections, context, &key))?;
            cursor.advance();
        }
        Ok(content)
    }
}

/// What is to be said of a context.
fn record(sections: &Sections, context: Context<'_>, key: &Key<'_>) -> alloctag_context {
    let totals = context.totals();
    let mut record = alloctag_context {
        id: id(context),
        bytes: totals.bytes,
        calls: totals.calls,
        slack: totals.slack,
        allocs: totals.allocs,
        frees: totals.frees,
        allocated: totals.allocated,
        site: sections.id_of(key.site()).unwrap_or_default(),
        keys: key.keys().bits().into(),
        rule: key.rule(),
        frames: key.stack().len() as u32,
        pid: key.pid(),
        order: key.order().into(),
        gfp: key.gfp(),
        every: key.every().into(),
        cgroup: key.cgroup(),
        ..zeroes()
    };
    if key.is_of_interrupt() {
        record.flags |= bindings::ALLOCTAG_CONTEXT_INTERRUPT;
    }
    if !context.is_linked() {
        record.flags |= bindings::ALLOCTAG_CONTEXT_LEFT;
    }
    if key.keys().has(By::Node) {
        record.node = match key.node() {
            NO_NODE => -1,
            node => node.into(),
        };
    }
    if key.keys().has(By::Age) {
        let (number, seconds) = key.slice();
        let (from, to) = contexts::age(clock::seconds(), number, seconds);
        record.age_from = from;
        record.age_to = to.unwrap_or(u64::MAX);
    }
    let (comm, length) = key.comm();
    put(&mut record.comm, comm.get(..length).unwrap_or_default());
    record
}
