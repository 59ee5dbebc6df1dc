// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The options of a rule's letters.

use crate::model::sample::Period;

/// What contexts are told apart by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum By {
    /// The functions that called.
    Stack,
    /// The function that called last.
    Caller,
    /// The task's name.
    Comm,
    /// The process, in the first namespace.
    Pid,
    /// The node on which the memory lies.
    Node,
    /// The cgroup of the task.
    Cgroup,
    /// The flags that were asked with.
    Gfp,
    /// The order of the pages.
    Order,
    /// The slice of time in which it was allocated.
    Age,
}

/// All keys with their names, in the order in which they are shown.
pub(super) const KEYS: [(&[u8], By); 9] = [
    (b"stack", By::Stack),
    (b"caller", By::Caller),
    (b"comm", By::Comm),
    (b"pid", By::Pid),
    (b"node", By::Node),
    (b"cgroup", By::Cgroup),
    (b"gfp", By::Gfp),
    (b"order", By::Order),
    (b"age", By::Age),
];

/// Some keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keys(u16);

impl Keys {
    /// No keys.
    pub const NONE: Self = Self(0);

    /// The bits of all keys.
    pub const ALL: u16 = (1 << KEYS.len()) - 1;

    /// Those that are of a stack.
    pub const OF_STACK: Self = Self::NONE.with(By::Stack).with(By::Caller);

    /// Those that take the second pair of a context's words.
    pub const OF_SECOND_PAIR: Self = Self::NONE.with(By::Cgroup).with(By::Gfp).with(By::Age);

    /// Those that take the third.
    pub const OF_THIRD_PAIR: Self = Self::NONE.with(By::Comm);

    /// Those that are seldom asked for.
    pub const RARE: Self = Self::NONE.with(By::Gfp).with(By::Order).with(By::Age);

    /// Those that take long or are seldom asked for.
    pub const LONG: Self = Self(Self::OF_STACK.0 | Self::RARE.0);

    /// Those that are of a task.
    pub const OF_TASK: Self = Self::NONE.with(By::Comm).with(By::Pid).with(By::Cgroup);

    /// All of them in one number.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Those of such a number.
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// Whether a key is one of these.
    pub const fn has(self, key: By) -> bool {
        self.0 & (1 << key as u16) != 0
    }

    /// Whether one of those is one of these.
    #[inline(always)]
    pub const fn has_any(self, keys: Self) -> bool {
        self.0 & keys.0 != 0
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// These and another one.
    #[must_use]
    pub const fn with(self, key: By) -> Self {
        Self(self.0 | 1 << key as u16)
    }
}

/// What is wanted of contexts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contexts {
    /// What they are told apart by; at least one.
    pub keys: Keys,
    /// How many functions a stack has, at most.
    pub depth: u32,
    /// How many seconds a slice of time is long.
    pub slice: u32,
    /// How far apart allocations are looked at, unless all are.
    pub every: Option<Period>,
}

impl Contexts {
    /// The least and the most functions of a stack.
    pub const DEPTHS: (u32, u32) = (1, 16);

    /// By nothing yet, all else as it is where nobody says anything.
    pub(super) const DEFAULT: Self = Self {
        keys: Keys::NONE,
        depth: 8,
        slice: 60,
        every: None,
    };
}

/// Whose lifetimes are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetimes {
    /// How far apart the bytes are whose objects are looked at, unless all are.
    pub every: Option<Period>,
}

/// When call sites fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// How often at most.
    pub times: Option<u32>,
    /// How often not, before the first time.
    pub skip: Option<u32>,
    /// Every which time.
    pub interval: Option<u32>,
    /// In how many of a hundred cases.
    pub probability: Option<u32>,
    /// For tasks alone that have asked for it.
    pub task_filter: bool,
}

impl Faults {
    /// The most that `times` and `skip` may be: both are counted down in an `int`.
    pub const MOST: u32 = i32::MAX.unsigned_abs();

    /// Whether the rule says nothing of it, so that what is set for all such rules holds.
    pub fn is_shared(&self) -> bool {
        *self == Self::default()
    }
}
