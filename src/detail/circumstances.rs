// SPDX-License-Identifier: GPL-2.0-only

//! What an allocation is told apart by.

use super::choices::Wanted;
use crate::{
    model::{
        context::{Key, FRAMES},
        handle::Handle,
        rule::{Key as By, Keys},
    },
    platform::{page::Page, stack, task::Current},
};
use kernel::sync::rcu;

/// What only the hook knows of an allocation.
#[derive(Clone, Copy)]
pub struct Allocation {
    page: Option<Page>,
    order: u32,
}

impl Allocation {
    /// In memory of no node in particular.
    pub const ELSEWHERE: Self = Self {
        page: None,
        order: 0,
    };

    /// An object in a slab of which that is a page.
    pub const fn in_slab(page: Page) -> Self {
        Self {
            page: Some(page),
            order: 0,
        }
    }

    /// `2^order` pages, of which that is the first.
    pub const fn of_pages(page: Page, order: u32) -> Self {
        Self {
            page: Some(page),
            order,
        }
    }
}

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
    if keys.has(By::Order) {
        key.set_order(allocation.order as u8);
    }
    key
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
pub(super) fn callers<'a>(keys: Keys, depth: usize, frames: &'a mut [u64; FRAMES]) -> &'a [u64] {
    let callers = if keys.has(By::Stack) {
        let found = stack::fill(frames, depth);
        frames.get(..found)
    } else {
        // The function that called the call site's.
        let found = stack::fill(frames, 2);
        frames.get(1..found)
    };
    callers.unwrap_or_default()
}
