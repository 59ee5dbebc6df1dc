// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Adds events up: by call site, by who did it.

use std::collections::BTreeMap;

use super::alive::{Alive, Held};
use super::event::{Actor, Event, Memory, Place, SiteId, What};
use super::page::Lost;
use crate::model::Histogram;

/// What a call site did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteTally {
    /// How often it allocated.
    pub allocs: u64,
    /// Bytes that it was given.
    pub allocated: u64,
    /// Bytes that it had asked for.
    pub requested: u64,
    /// How often what it had was freed; of what was allocated as one, each part.
    pub frees: u64,
    /// Those bytes.
    pub freed: u64,
    /// How often of these on another CPU than it was allocated on.
    pub crossed: u64,
    /// How long what it allocated lived, of what was allocated and freed meanwhile.
    pub lifetimes: Histogram,
    /// What of it lives.
    pub left: Left,
    /// How often it got nothing.
    pub failed: u64,
    /// How often it had to wait.
    pub stalls: u64,
}

/// What has not been freed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Left {
    /// Objects, and runs of pages.
    pub objects: u64,
    /// Bytes.
    pub bytes: u64,
}

/// What somebody did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ActorTally {
    /// How often they allocated.
    pub allocs: u64,
    /// Bytes of objects and per-CPU areas among that.
    pub bytes: u64,
    /// Pages among that, those that objects lie in as well.
    pub pages: u64,
    /// How often they freed something.
    pub frees: u64,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The tracer itself, which is not.
    pub tracer: u32,
    /// Whether only what tasks of a command allocate is, with what becomes of it. What interrupts allocate while these run is
    /// not theirs.
    pub command: bool,
    /// Bytes of a page of memory.
    pub page_size: u64,
}

/// What is known of an event besides itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Whether it is among those that are counted.
    pub counted: bool,
    /// Of what is freed, the allocation.
    pub held: Option<Held>,
}

/// All that was counted.
#[derive(Debug)]
pub struct Tally {
    scope: Scope,
    alive: Alive,
    sites: Vec<SiteTally>,
    /// By who it was.
    pub actors: BTreeMap<Actor, ActorTally>,
    /// How long anything lived.
    pub lifetimes: Histogram,
    /// Frees of what had been allocated before.
    pub unseen: u64,
    /// Allocations where something was whose end was not seen.
    pub unended: u64,
    /// Frees of pages that had become another call site's meanwhile: what was in them has been moved.
    pub moved: u64,
    /// Events that pages said were lost.
    pub lost: u64,
    /// How often they said that some were.
    pub gaps: u64,
}

impl Tally {
    /// Nothing yet.
    pub fn new(scope: Scope) -> Tally {
        Tally {
            scope,
            alive: Alive::new(scope.page_size),
            sites: Vec::new(),
            actors: BTreeMap::new(),
            lifetimes: Histogram::default(),
            unseen: 0,
            unended: 0,
            moved: 0,
            lost: 0,
            gaps: 0,
        }
    }

    /// Counts an event. They must come in their order.
    pub fn count(&mut self, event: &Event) -> Seen {
        let counted = self.is_counted(event.actor);
        let seen = |counted| Seen { counted, held: None };
        match &event.what {
            What::Alloc(memory, _) => {
                let Event { time, cpu, actor, .. } = *event;
                let held = Held { site: memory.site, time, cpu, actor, bytes: memory.bytes, counted };
                self.unended += u64::from(self.alive.put(memory, held).is_some());
                if counted {
                    self.allocated(memory, actor);
                }
                seen(counted)
            }
            What::Free(memory, _) => self.freed(memory, event),
            What::Fail(refusal) => {
                if counted {
                    self.site(refusal.site).failed += 1;
                }
                seen(counted)
            }
            What::Stall(stall) => {
                if counted {
                    self.site(stall.site).stalls += 1;
                }
                seen(counted)
            }
            What::Lost(lost) => {
                self.gaps += 1;
                if let Lost::So(number) = lost {
                    self.lost = self.lost.saturating_add(*number);
                }
                seen(true)
            }
        }
    }

    /// What each call site did, with what of it lives now.
    pub fn sites(&self) -> Vec<SiteTally> {
        let mut sites = self.sites.clone();
        for held in self.alive.iter().filter(|held| held.counted) {
            if let Some(site) = sites.get_mut(held.site) {
                site.left.objects += 1;
                site.left.bytes = site.left.bytes.saturating_add(held.bytes);
            }
        }
        sites
    }

    fn is_counted(&self, actor: Actor) -> bool {
        match actor {
            Actor::Interrupt => !self.scope.command,
            Actor::Task(task) => task != self.scope.tracer,
        }
    }

    fn allocated(&mut self, memory: &Memory, actor: Actor) {
        let site = self.site(memory.site);
        site.allocs += 1;
        site.allocated = site.allocated.saturating_add(memory.bytes);
        site.requested = site.requested.saturating_add(memory.requested);
        let page_size = self.scope.page_size.max(1);
        let actor = self.actors.entry(actor).or_default();
        actor.allocs += 1;
        match memory.place {
            Place::Object(_) => actor.bytes = actor.bytes.saturating_add(memory.bytes),
            Place::Page(_) => actor.pages = actor.pages.saturating_add(memory.bytes / page_size),
        }
    }

    fn freed(&mut self, memory: &Memory, event: &Event) -> Seen {
        let held = self.alive.take(memory);
        let counted = match held {
            Some(held) => held.counted,
            // Whose it was nobody knows.
            None => !self.scope.command && self.is_counted(event.actor),
        };
        if !counted {
            return Seen { counted, held };
        }
        let site = self.site(memory.site);
        site.frees += 1;
        site.freed = site.freed.saturating_add(memory.bytes);
        self.actors.entry(event.actor).or_default().frees += 1;
        match held {
            None => self.unseen += 1,
            Some(held) if held.site != memory.site => self.moved += 1,
            Some(held) => {
                let ns = event.time.saturating_sub(held.time);
                self.lifetimes.record(ns);
                let site = self.site(held.site);
                site.lifetimes.record(ns);
                site.crossed += u64::from(held.cpu != event.cpu);
            }
        }
        Seen { counted, held }
    }

    fn site(&mut self, id: SiteId) -> &mut SiteTally {
        if self.sites.len() <= id {
            self.sites.resize_with(id + 1, SiteTally::default);
        }
        &mut self.sites[id]
    }
}

#[cfg(test)]
#[path = "tally/tests.rs"]
mod tests;
