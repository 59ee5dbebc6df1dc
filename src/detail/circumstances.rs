// SPDX-License-Identifier: GPL-2.0-only

//! What an allocation is told apart by.

use super::choices::Wanted;
use crate::{
    model::{
        context::{Key, FRAMES},
        rule::{By, Keys},
    },
    platform::{clock, page::Page, stack, task::Current},
};
use kernel::sync::rcu;

/// What only the hook knows of an allocation.
#[derive(Clone, Copy)]
pub struct Allocation {
    /// A page of the memory; none where it is of no node in particular.
    pub page: Option<Page>,
    /// What is charged for it.
    pub bytes: usize,
    /// The order of the pages; 0 for what is smaller.
    pub order: u32,
    /// The flags that were asked with; [`NO_FLAGS`] where nobody knows.
    pub gfp: u32,
}

/// Stands for flags that the hook is not told.
pub const NO_FLAGS: u32 = u32::MAX;

/// Stands for the node of what has none.
pub const NO_NODE: u16 = u16::MAX;

/// The key of an allocation, but for its stack, from how its call site and rule begin it.
pub(super) fn key<'a>(
    begun: Key<'a>,
    wanted: &Wanted,
    allocation: Allocation,
    guard: &rcu::Guard,
) -> Key<'a> {
    let mut key = short_key(begun, allocation, guard);
    if key.keys().has_any(Keys::RARE) {
        tell_rest(&mut key, wanted, allocation);
    }
    key
}

/// The same where it is told apart by nothing that is seldom asked for.
#[inline(always)]
pub(super) fn short_key<'a>(begun: Key<'a>, allocation: Allocation, guard: &rcu::Guard) -> Key<'a> {
    let mut key = begun;
    let keys = key.keys();
    if keys.has_any(Keys::OF_TASK) {
        match Current::get() {
            Some(task) => tell(&mut key, &task, guard),
            None => key.set_interrupt(),
        }
    }
    if keys.has(By::Node) {
        key.set_node(allocation.page.map_or(NO_NODE, Page::node));
    }
    key
}

/// Tells by what is seldom asked for.
fn tell_rest(key: &mut Key<'_>, wanted: &Wanted, allocation: Allocation) {
    let keys = key.keys();
    if keys.has(By::Order) {
        key.set_order(allocation.order as u8);
    }
    if keys.has(By::Gfp) {
        key.set_gfp(allocation.gfp);
    }
    if keys.has(By::Age) {
        let (seconds, length) = (clock::seconds(), wanted.slice());
        let number = seconds.checked_div(length.into()).unwrap_or_default();
        key.set_slice(number as u32, length);
    }
}

/// Tells by the task for which the allocation is. The name comes last: it is at hand, and would have to be saved around calls.
#[inline(always)]
fn tell(key: &mut Key<'_>, task: &Current, guard: &rcu::Guard) {
    let keys = key.keys();
    if keys.has(By::Cgroup) {
        key.set_cgroup(task.cgroup(guard));
    }
    if keys.has(By::Pid) {
        key.set_pid(task.pid());
    }
    if keys.has(By::Comm) {
        key.set_comm(task.comm());
    }
}

/// Fills in the stack of an allocation: all that is asked for, or the caller alone; nothing where neither is.
pub(super) fn callers<'a>(
    keys: Keys,
    wanted: &Wanted,
    frames: &'a mut [u64; FRAMES],
    guard: &rcu::Guard,
) -> &'a [u64] {
    let callers = if keys.has(By::Stack) {
        let found = stack::fill(frames, wanted.depth(), guard);
        frames.get(..found)
    } else if keys.has(By::Caller) {
        // The function that called the call site's.
        let found = stack::fill(frames, 2, guard);
        frames.get(1..found)
    } else {
        None
    };
    callers.unwrap_or_default()
}
