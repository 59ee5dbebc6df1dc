// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What an allocation waits for that has left the fast path.
//!
//! A stall is one of the call site that is furthest out. Within it the deepest cause counts: what reclaim allocates, and waits
//! for, is reclaim.

/// What is waited for. The deeper ones come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum Cause {
    /// Direct reclaim.
    Reclaim,
    /// Direct compaction.
    Compaction,
    /// The OOM killer.
    Oom,
    /// The rest of the page allocator's slow path.
    Pages,
    /// A new slab, or objects for a sheaf.
    Slab,
    /// The per-CPU allocator's mutex, or pages for areas.
    Percpu,
    /// An area of vmalloc().
    Vmalloc,
}

impl Cause {
    /// How many there are.
    pub const COUNT: usize = Self::ALL.len();

    /// All of them, each at its number.
    pub const ALL: [Self; 7] = [
        Self::Reclaim,
        Self::Compaction,
        Self::Oom,
        Self::Pages,
        Self::Slab,
        Self::Percpu,
        Self::Vmalloc,
    ];

    /// The one of that number; the last one where there is none.
    pub const fn of(number: u32) -> Self {
        match number {
            0 => Self::Reclaim,
            1 => Self::Compaction,
            2 => Self::Oom,
            3 => Self::Pages,
            4 => Self::Slab,
            5 => Self::Percpu,
            _ => Self::Vmalloc,
        }
    }

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reclaim => "reclaim",
            Self::Compaction => "compaction",
            Self::Oom => "oom",
            Self::Pages => "pages",
            Self::Slab => "slab",
            Self::Percpu => "percpu",
            Self::Vmalloc => "vmalloc",
        }
    }
}

/// What a clock says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passed {
    /// How many nanoseconds have passed since a time.
    pub ns: u64,
    /// What time it is, by that clock.
    pub now: u64,
}

/// A stall so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Stall {
    /// What is waited for now, by its number.
    cause: u32,
    /// What was waited for so far: a bit for each cause.
    seen: u32,
    /// Since when it is what it is now, by a clock that others know.
    since: u64,
    /// How long for what, in nanoseconds, before that.
    ns: [u64; Cause::COUNT],
}

impl Stall {
    /// One that begins now.
    pub const fn begin(cause: Cause, now: u64) -> Self {
        Self {
            cause: cause as u32,
            seen: 1 << cause as u32,
            since: now,
            ns: [0; Cause::COUNT],
        }
    }

    /// Something further in is waited for. Returns for what it was before, to be told to [`Stall::leave()`]. The clock is told
    /// since when it is to say what has passed.
    pub fn enter(&mut self, cause: Cause, clock: impl FnOnce(u64) -> Passed) -> Cause {
        let before = Cause::of(self.cause);
        if cause < before {
            self.turn(cause, clock);
        }
        before
    }

    /// That is over.
    pub fn leave(&mut self, before: Cause, clock: impl FnOnce(u64) -> Passed) {
        if self.cause != before as u32 {
            self.turn(before, clock);
        }
    }

    /// It is over. The clock is asked for nanoseconds alone.
    #[inline(always)]
    pub fn end(&mut self, clock: impl FnOnce(u64) -> u64) {
        self.add(clock(self.since));
    }

    /// For what it was, and for how many nanoseconds each; what is deeper comes last.
    #[inline(always)]
    pub fn waits(&self) -> impl Iterator<Item = (Cause, u64)> + '_ {
        let mut left = self.seen;
        core::iter::from_fn(move || {
            let number = left.checked_ilog2()?;
            left ^= 1 << number;
            Some((Cause::of(number), *self.ns.get(number as usize)?))
        })
    }

    /// For what it was, if that is one thing, and for how many nanoseconds.
    #[inline(always)]
    pub fn only_wait(&self) -> Option<(Cause, u64)> {
        // Mostly what it is in the end, for nothing is waited for within.
        if self.seen != 1 << (self.cause & 31) {
            return None;
        }
        Some((Cause::of(self.cause), *self.ns.get(self.cause as usize)?))
    }

    /// How many nanoseconds it has taken altogether.
    pub fn ns(&self) -> u64 {
        self.waits().map(|(_, ns)| ns).sum()
    }

    /// From now on it is another cause.
    fn turn(&mut self, cause: Cause, clock: impl FnOnce(u64) -> Passed) {
        let Passed { ns, now } = clock(self.since);
        self.add(ns);
        self.seen |= 1 << cause as u32;
        (self.cause, self.since) = (cause as u32, now);
    }

    /// So many nanoseconds more of what it is now.
    #[inline(always)]
    fn add(&mut self, ns: u64) {
        if let Some(sum) = self.ns.get_mut(self.cause as usize) {
            *sum = sum.wrapping_add(ns);
        }
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_stall))]
mod tests {
    use super::*;

    fn waits(stall: &Stall, expected: &[(Cause, u64)]) -> bool {
        let sum = expected.iter().map(|(_, ns)| ns).sum();
        let only = match expected {
            [only] => Some(*only),
            _ => None,
        };
        assert_eq!(stall.only_wait(), only);
        stall.waits().eq(expected.iter().copied()) && stall.ns() == sum
    }

    #[test]
    fn causes_have_the_numbers_of_their_places() {
        for (number, cause) in (0..).zip(Cause::ALL) {
            assert_eq!(Cause::of(number), cause);
            assert_eq!(cause as u32, number);
        }
        assert_eq!(Cause::of(7), Cause::Vmalloc);
    }

    /// A clock that says what time it is.
    fn at(now: u64) -> impl FnOnce(u64) -> Passed {
        move |since| Passed {
            ns: now - since,
            now,
        }
    }

    /// Nobody asks this one.
    fn none(_since: u64) -> Passed {
        unreachable!()
    }

    #[test]
    fn the_time_of_a_deeper_cause_is_not_that_of_what_is_around_it() {
        let mut stall = Stall::begin(Cause::Slab, 1000);
        let outer = stall.enter(Cause::Pages, at(1010));
        let pages = stall.enter(Cause::Reclaim, at(1100));
        stall.leave(pages, at(2100));
        stall.leave(outer, at(2150));
        stall.end(|since| 2155 - since);
        let expected = [
            (Cause::Slab, 15),
            (Cause::Pages, 140),
            (Cause::Reclaim, 1000),
        ];
        assert!(waits(&stall, &expected));
    }

    #[test]
    fn what_reclaim_allocates_is_reclaim() {
        let mut stall = Stall::begin(Cause::Pages, 0);
        let pages = stall.enter(Cause::Reclaim, at(10));
        // Nothing is measured for these.
        let reclaim = stall.enter(Cause::Slab, none);
        let same = stall.enter(Cause::Pages, none);
        stall.leave(same, none);
        stall.leave(reclaim, none);
        stall.leave(pages, at(30));
        stall.end(|since| 35 - since);
        assert!(waits(&stall, &[(Cause::Pages, 15), (Cause::Reclaim, 20)]));
    }

    #[test]
    fn mostly_one_thing_is_waited_for() {
        let mut stall = Stall::begin(Cause::Slab, 1000);
        stall.end(|since| 1070 - since);
        assert!(waits(&stall, &[(Cause::Slab, 70)]));
    }
}
