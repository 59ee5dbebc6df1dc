// SPDX-License-Identifier: GPL-2.0-only

//! What an allocation is told apart by.

use super::choices::Wanted;
use crate::{
    model::{
        context::{Key, FRAMES},
        handle::Handle,
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

/// What tells an allocation's context apart, but for its stack.
#[inline(always)]
pub(super) fn key<'a>(
    site: Handle,
    wanted: &Wanted,
    allocation: Allocation,
    guard: &rcu::Guard,
) -> Key<'a> {
    let mut key = Key::new(site, wanted.start());
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
    if keys.has_any(Keys::RARE) {
        tell_rest(&mut key, wanted, allocation);
    }
    key.set_every(wanted.every());
    key
}

/// Tells by what is seldom asked for.
#[inline(always)]
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

/// Tells by the task for which the allocation is.
#[inline(always)]
fn tell(key: &mut Key<'_>, task: &Current, guard: &rcu::Guard) {
    let keys = key.keys();
    if keys.has(By::Comm) {
        key.set_comm(task.comm());
    }
    if keys.has(By::Pid) {
        key.set_pid(task.pid());
    }
    if keys.has(By::Cgroup) {
        key.set_cgroup(task.cgroup(guard));
    }
}

/// Fills in the stack of an allocation whose key has one: all that is asked for, or the caller alone.
pub(super) fn callers<'a>(
    keys: Keys,
    depth: usize,
    frames: &'a mut [u64; FRAMES],
    guard: &rcu::Guard,
) -> &'a [u64] {
    let callers = if keys.has(By::Stack) {
        let found = stack::fill(frames, depth, guard);
        frames.get(..found)
    } else {
        // The function that called the call site's.
        let found = stack::fill(frames, 2, guard);
        frames.get(1..found)
    };
    callers.unwrap_or_default()
}
