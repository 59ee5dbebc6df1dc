// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! How long something of a call site took.

use super::{Histogram, Name, Site};

/// What took so long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Timed {
    /// An allocation that left the fast path: off it, told apart by cause.
    Stalls,
    /// An allocation, fast ones too.
    Latency,
    /// What was allocated lived, until it was freed.
    Lifetimes,
}

impl Timed {
    /// All of them.
    pub const ALL: [Timed; 3] = [Timed::Stalls, Timed::Latency, Timed::Lifetimes];

    /// Its name: of the command, of the kernel's file, of what the kernel is told to reset.
    pub fn name(self) -> &'static str {
        match self {
            Timed::Stalls => "stalls",
            Timed::Latency => "latency",
            Timed::Lifetimes => "lifetimes",
        }
    }
}

/// The function in place of all call sites for which the kernel had no histogram of their own.
pub const NONE_LEFT: &str = "no_histogram_left";

/// How long something of a call site took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Where.
    pub site: Site,
    /// Of stalls, what was waited for. A later kernel may know more causes than this code.
    pub cause: Option<Name>,
    /// How often how long. Of lifetimes, of what was freed.
    pub times: Histogram,
    /// Of lifetimes, how old those are that live.
    pub ages: Histogram,
    /// Of lifetimes, how many that were drawn could not be looked at.
    pub lost: u64,
}

impl Timing {
    /// Adds the times of another one.
    pub fn add(&mut self, other: &Timing) {
        self.times.add(&other.times);
        self.ages.add(&other.ages);
        self.lost = self.lost.saturating_add(other.lost);
    }

    /// Whether it is of all call sites for which the kernel had no histogram of their own.
    pub fn is_shared(&self) -> bool {
        self.site.func == NONE_LEFT
    }
}
