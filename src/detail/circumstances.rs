// SPDX-License-Identifier: GPL-2.0-only

//! What an allocation is told apart by.

use super::choices::Wanted;
use crate::{
    model::{
        context::{Key, FRAMES},
        handle::Handle,
        rule::Key as By,
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

/// Gives `with` the key of an allocation's context.
#[inline(always)]
pub(super) fn with_key<T>(
    site: Handle,
    wanted: &Wanted,
    allocation: Allocation,
    guard: &rcu::Guard,
    with: impl FnOnce(&Key<'_>) -> T,
) -> T {
    let keys = wanted.keys();
    let mut key = Key::new(site, wanted.rule(), keys);
    let for_whom = [By::Comm, By::Pid, By::Cgroup];
    if for_whom.into_iter().any(|by| keys.has(by)) {
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
    if !keys.has(By::Stack) && !keys.has(By::Caller) {
        return with(&key);
    }
    let mut frames = [0; FRAMES];
    let callers = if keys.has(By::Stack) {
        let found = stack::fill(&mut frames, wanted.depth());
        frames.get(..found)
    } else {
        // The function that called the call site's, alone.
        let found = stack::fill(&mut frames, 2);
        frames.get(1..found)
    };
    key.set_stack(callers.unwrap_or_default());
    with(&key)
}

/// Tells by the task for which the allocation is.
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
