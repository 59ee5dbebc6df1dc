// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What happened to an allocation.

use super::page::Lost;

/// A call site, by its place in [`Sites`](super::sites::Sites).
pub type SiteId = usize;

/// Something that the kernel told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// When, in nanoseconds of the tracer's clock.
    pub time: u64,
    /// On which CPU.
    pub cpu: u32,
    /// Who.
    pub actor: Actor,
    /// What.
    pub what: What,
}

/// Who did something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Actor {
    /// An interrupt, whatever task it came upon.
    Interrupt,
    /// A task, by its thread's number.
    Task(u32),
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// Memory was given.
    Alloc(Memory, Given),
    /// Memory was given back.
    Free(Memory, Freed),
    /// Nothing was given.
    Fail(Refusal),
    /// Something had to be waited for.
    Stall(Stall),
    /// Events before this one are lost.
    Lost(Lost),
}

/// Memory of a call site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Whose.
    pub site: SiteId,
    /// Where.
    pub place: Place,
    /// Bytes that were asked for.
    pub requested: u64,
    /// Bytes that were given.
    pub bytes: u64,
    /// The order of pages.
    pub order: u32,
    /// The node, if one in particular.
    pub node: Option<u32>,
}

/// Where memory lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// An object's address.
    Object(u64),
    /// The number of the first page.
    Page(u64),
}

/// What is told of memory that is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    /// The flags that it was asked for with.
    pub gfp: u64,
}

/// What is told of memory that is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freed {
    /// The address in the kernel's code from which it was; 0 where nobody can say.
    pub by: u64,
}

/// An allocation that got nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Whose.
    pub site: SiteId,
    /// Bytes that were asked for.
    pub requested: u64,
    /// The order of pages.
    pub order: u32,
    /// The flags.
    pub gfp: u64,
    /// Whether a rule said so.
    pub injected: bool,
    /// Whether the failure before it was none after all: another way was tried.
    pub again: bool,
}

/// An allocation that had to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stall {
    /// Whose.
    pub site: SiteId,
    /// For what.
    pub cause: &'static str,
    /// For how long, in nanoseconds.
    pub ns: u64,
}

/// What the kernel calls its causes, each at its number.
const CAUSES: [&str; 7] = ["reclaim", "compaction", "oom", "pages", "slab", "percpu", "vmalloc"];

/// The name of a cause.
pub fn cause(number: u64) -> &'static str {
    usize::try_from(number).ok().and_then(|number| CAUSES.get(number)).unwrap_or(&"other")
}

impl What {
    /// Its name, which is that of the kernel's event.
    pub fn name(&self) -> &'static str {
        match self {
            What::Alloc(..) => "alloc",
            What::Free(..) => "free",
            What::Fail(_) => "fail",
            What::Stall(_) => "stall",
            What::Lost(_) => "lost",
        }
    }

    /// The call site that it is about.
    pub fn site(&self) -> Option<SiteId> {
        match self {
            What::Alloc(memory, _) | What::Free(memory, _) => Some(memory.site),
            What::Fail(refusal) => Some(refusal.site),
            What::Stall(stall) => Some(stall.site),
            What::Lost(_) => None,
        }
    }
}
