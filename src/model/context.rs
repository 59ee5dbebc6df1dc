// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What tells the contexts of a call site apart.

use super::{handle::Handle, rule::Keys};
use core::mem::size_of;

/// The most functions that the stack of a context can have.
pub const FRAMES: usize = 16;

/// Words of a key beside its stack.
const FIXED: usize = 7;

/// The first of those that most keys do not need.
const WIDE: usize = 3;

/// By how many bits things are shifted that share a word with others.
const KEYS: u32 = Handle::BITS;
const HIGH: u32 = 32;
const NODE: u32 = 32;
const ORDER: u32 = 48;
const INTERRUPT: u32 = 56;

/// What a rule has keys begin with: its number, and what it tells contexts apart by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start(u64);

impl Start {
    /// That of the rule of that number, which tells contexts apart by these keys.
    pub const fn new(rule: u32, keys: Keys) -> Self {
        Self((keys.bits() as u64) << KEYS | (rule as u64) << HIGH)
    }

    /// The word to store.
    pub const fn word(self) -> u64 {
        self.0
    }

    /// What was stored as a word.
    #[inline(always)]
    pub const fn from_word(word: u64) -> Self {
        Self(word)
    }

    /// What contexts are told apart by.
    #[inline(always)]
    pub const fn keys(self) -> Keys {
        Keys::from_bits((self.0 >> KEYS) as u16 & Keys::ALL)
    }

    /// The number of the rule.
    pub const fn rule(self) -> u32 {
        (self.0 >> HIGH) as u32
    }
}

/// A call site, the rule that chose it, and what that tells contexts apart by. What it does not is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key<'a> {
    fixed: [u64; FIXED],
    stack: &'a [u64],
}

/// A key that is kept, with its stack.
///
/// # Invariants
///
/// `depth` is at most [`FRAMES`].
#[derive(Clone, Copy)]
pub struct Kept {
    fixed: [u64; FIXED],
    stack: [u64; FRAMES],
    depth: usize,
}

impl Kept {
    /// Nobody's.
    pub const NONE: Self = Self {
        fixed: [0; FIXED],
        stack: [0; FRAMES],
        depth: 0,
    };

    /// Where the words lie that have the account of the call site in their low bits, and how far apart those are that are looked
    /// at.
    pub const AT: [usize; 2] = {
        let fixed = core::mem::offset_of!(Self, fixed);
        [fixed, fixed + 2 * size_of::<u64>()]
    };

    /// Keeps another one.
    pub fn set(&mut self, key: &Key<'_>) {
        self.fixed = key.fixed;
        let frames = self.stack.iter_mut().zip(key.stack);
        frames.for_each(|(kept, frame)| *kept = *frame);
        // INVARIANT: As it says.
        self.depth = key.stack.len().min(FRAMES);
    }

    /// The key.
    #[inline(always)]
    pub fn key(&self) -> Key<'_> {
        Key {
            fixed: self.fixed,
            stack: self.stack.get(..self.depth).unwrap_or_default(),
        }
    }

    /// Whether it is that one.
    #[inline(always)]
    pub fn is(&self, key: &Key<'_>) -> bool {
        let same = |(one, other): (&u64, &u64)| one == other;
        // The first word tells whether there is more to compare.
        self.fixed.iter().zip(&key.fixed).take(WIDE).all(same)
            && (!key.is_wide() || self.fixed.iter().zip(&key.fixed).skip(WIDE).all(same))
            && (!key.has_stack() || self.key().stack == key.stack)
    }

    /// The account of the call site.
    #[inline(always)]
    pub fn site(&self) -> Handle {
        Handle::from_word(self.fixed[0] as u32)
    }

    /// How far apart those are that are looked at; 0 where all are.
    #[inline(always)]
    pub fn every(&self) -> u32 {
        self.fixed[2] as u32
    }
}

impl<'a> Key<'a> {
    /// That of all that a call site allocates, as the rule that chose it begins it.
    #[inline(always)]
    pub const fn new(site: Handle, start: Start) -> Self {
        let mut fixed = [0; FIXED];
        fixed[0] = site.get() as u64 | start.0;
        Self { fixed, stack: &[] }
    }

    /// Whether it has more than a few words.
    #[inline(always)]
    fn is_wide(&self) -> bool {
        self.keys().has_any(Keys::WIDE)
    }

    /// Whether it may have a stack.
    #[inline(always)]
    fn has_stack(&self) -> bool {
        self.keys().has_any(Keys::OF_STACK)
    }

    #[inline(always)]
    fn word(&self, index: usize) -> u64 {
        self.fixed.get(index).copied().unwrap_or_default()
    }

    #[inline(always)]
    fn set(&mut self, index: usize, word: u64) {
        if let Some(place) = self.fixed.get_mut(index) {
            *place |= word;
        }
    }

    /// The account of the call site.
    pub fn site(&self) -> Handle {
        Handle::from_word(self.word(0) as u32)
    }

    /// How its rule begins keys.
    #[inline(always)]
    fn start(&self) -> Start {
        Start(self.word(0))
    }

    /// What contexts are told apart by.
    #[inline(always)]
    pub fn keys(&self) -> Keys {
        self.start().keys()
    }

    /// The number of the rule.
    pub fn rule(&self) -> u32 {
        self.start().rule()
    }

    /// It is an interrupt that allocates, which is for nobody.
    pub fn set_interrupt(&mut self) {
        self.set(2, 1 << INTERRUPT);
    }

    /// Whether it is one.
    pub fn is_of_interrupt(&self) -> bool {
        self.word(2) & 1 << INTERRUPT != 0
    }

    /// Tells by the process.
    pub fn set_pid(&mut self, pid: u32) {
        self.set(1, u64::from(pid));
    }

    /// The process.
    pub fn pid(&self) -> u32 {
        self.word(1) as u32
    }

    /// Tells by the flags of the allocation.
    pub fn set_gfp(&mut self, flags: u32) {
        self.set(1, u64::from(flags) << HIGH);
    }

    /// The flags of the allocation.
    pub fn gfp(&self) -> u32 {
        (self.word(1) >> HIGH) as u32
    }

    /// Tells by the node of the memory.
    pub fn set_node(&mut self, node: u16) {
        self.set(2, u64::from(node) << NODE);
    }

    /// The node of the memory.
    pub fn node(&self) -> u16 {
        (self.word(2) >> NODE) as u16
    }

    /// Tells by the order of pages.
    pub fn set_order(&mut self, order: u8) {
        self.set(2, u64::from(order) << ORDER);
    }

    /// The order of pages.
    pub fn order(&self) -> u8 {
        (self.word(2) >> ORDER) as u8
    }

    /// Only some allocations are looked at, and so many bytes are between them on an average.
    pub fn set_every(&mut self, every: u32) {
        self.set(2, u64::from(every));
    }

    /// How far apart those are that are looked at; 0 where all are.
    #[inline(always)]
    pub fn every(&self) -> u32 {
        self.word(2) as u32
    }

    /// Tells by the slice of time: its number, and how many seconds it has.
    pub fn set_slice(&mut self, number: u32, seconds: u32) {
        self.set(3, u64::from(number) | u64::from(seconds) << HIGH);
    }

    /// The number of the slice of time, and how many seconds it has.
    pub fn slice(&self) -> (u32, u32) {
        (self.word(3) as u32, (self.word(3) >> HIGH) as u32)
    }

    /// Tells by a cgroup's id.
    pub fn set_cgroup(&mut self, id: u64) {
        self.set(4, id);
    }

    /// The cgroup's id.
    pub fn cgroup(&self) -> u64 {
        self.word(4)
    }

    /// Tells by the name of the task, which ends with a zero where it is shorter.
    pub fn set_comm(&mut self, comm: [u8; 16]) {
        for (index, part) in [comm.first_chunk(), comm.last_chunk()]
            .into_iter()
            .enumerate()
        {
            self.set(5 + index, part.map_or(0, |part| u64::from_le_bytes(*part)));
        }
    }

    /// The name of the task, without the zeroes behind it.
    pub fn comm(&self) -> ([u8; 16], usize) {
        let mut comm = [0; 16];
        for (part, index) in comm.chunks_exact_mut(8).zip(5..) {
            part.copy_from_slice(&self.word(index).to_le_bytes());
        }
        let length = comm.iter().position(|byte| *byte == 0);
        (comm, length.unwrap_or(comm.len()))
    }

    /// The same, told by return addresses as well, the innermost first, of which [`FRAMES`] count.
    #[must_use]
    pub fn with_stack(self, frames: &[u64]) -> Key<'_> {
        Key {
            fixed: self.fixed,
            stack: frames.get(..FRAMES).unwrap_or(frames),
        }
    }

    /// The return addresses, the innermost first.
    pub fn stack(&self) -> &'a [u64] {
        self.stack
    }

    /// A number that differs where keys differ, mostly, and with what it begins with: users choose some of what keys are made of.
    #[inline(always)]
    pub fn hash(&self, seed: u64) -> u32 {
        /// 2^64 divided by the golden ratio.
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        let mix = |hash: u64, word: &u64| (hash.rotate_left(5) ^ word).wrapping_mul(GOLDEN);
        let mut mixed = self.fixed.iter().take(WIDE).fold(seed, mix);
        if self.is_wide() {
            mixed = self.fixed.iter().skip(WIDE).fold(mixed, mix);
        }
        if self.has_stack() {
            mixed = self.stack.iter().fold(mixed, mix);
        }
        (mixed >> HIGH) as u32
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_context))]
mod tests {
    use super::*;
    use crate::model::rule::By;

    const SITE: Handle = Handle::from_word(1234);

    #[test]
    fn a_key_gives_back_what_it_was_told() {
        let keys = Keys::NONE.with(By::Stack).with(By::Age);
        let mut key = Key::new(SITE, Start::new(7, keys));
        assert!(!key.is_of_interrupt());
        key.set_interrupt();
        key.set_pid(u32::MAX);
        key.set_gfp(0xcc0);
        key.set_node(1023);
        key.set_every(1 << 19);
        key.set_order(10);
        key.set_slice(12, 60);
        key.set_cgroup(1 << 40);
        key.set_comm(*b"kworker/u8:1\0\0\0\0");
        let key = key.with_stack(&[3, 4]);
        assert_eq!((key.site(), key.rule()), (SITE, 7));
        assert_eq!(key.keys(), keys);
        assert!(key.is_of_interrupt());
        assert_eq!((key.pid(), key.gfp()), (u32::MAX, 0xcc0));
        assert_eq!((key.node(), key.order(), key.cgroup()), (1023, 10, 1 << 40));
        assert_eq!((key.every(), key.slice()), (1 << 19, (12, 60)));
        assert_eq!(key.comm(), (*b"kworker/u8:1\0\0\0\0", 12));
        assert_eq!(key.stack(), [3, 4]);
        let mut kept = Kept::NONE;
        kept.set(&key);
        assert_eq!(kept.key(), key);
        assert_eq!((kept.site(), kept.every()), (SITE, 1 << 19));
    }

    #[test]
    fn whatever_differs_makes_another_key() {
        let with = |by: By, change: fn(&mut Key<'static>)| {
            let mut key = Key::new(SITE, Start::new(7, Keys::NONE.with(by)));
            change(&mut key);
            key
        };
        let keys = [
            Key::new(SITE, Start::new(7, Keys::NONE)),
            Key::new(SITE, Start::new(7, Keys::NONE.with(By::Age))),
            Key::new(SITE, Start::new(8, Keys::NONE)),
            Key::new(Handle::from_word(1235), Start::new(7, Keys::NONE)),
            Key::new(SITE, Start::new(7, Keys::NONE.with(By::Pid))),
            with(By::Pid, Key::set_interrupt),
            with(By::Pid, |key| key.set_pid(1)),
            with(By::Gfp, |key| key.set_gfp(1)),
            with(By::Node, |key| key.set_node(1)),
            with(By::Node, |key| key.set_every(1)),
            with(By::Order, |key| key.set_order(1)),
            with(By::Age, |key| key.set_slice(1, 0)),
            with(By::Age, |key| key.set_slice(0, 1)),
            with(By::Cgroup, |key| key.set_cgroup(1)),
            with(By::Comm, |key| {
                key.set_comm(*b"a\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0")
            }),
            with(By::Comm, |key| {
                key.set_comm(*b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0a")
            }),
            with(By::Stack, |_| ()).with_stack(&[1]),
            with(By::Stack, |_| ()).with_stack(&[0]),
            with(By::Caller, |_| ()).with_stack(&[1]),
        ];
        for (number, key) in keys.iter().enumerate() {
            for (other_number, other) in keys.iter().enumerate() {
                let same = number == other_number;
                assert_eq!((key == other), same);
                assert_eq!((key.hash(1) == other.hash(1)), same);
                assert!(key.hash(1) != other.hash(2));
                let mut kept = Kept::NONE;
                kept.set(key);
                assert_eq!(kept.is(other), same);
            }
        }
    }

    #[test]
    fn of_a_deep_stack_the_innermost_functions_count() {
        let key = Key::new(SITE, Start::new(7, Keys::NONE.with(By::Stack)));
        let key = key.with_stack(&[5; FRAMES + 1]);
        assert_eq!(key.stack(), [5; FRAMES]);
        let mut kept = Kept::NONE;
        kept.set(&key);
        assert!(kept.is(&key));
        // What was kept before does not matter.
        let key = key.with_stack(&[5]);
        kept.set(&key);
        assert!(kept.is(&key));
        assert_eq!(kept.key().stack(), [5]);
    }

    #[test]
    fn a_name_may_take_all_bytes() {
        let mut key = Key::new(SITE, Start::new(7, Keys::NONE));
        assert_eq!(key.comm().1, 0);
        key.set_comm(*b"0123456789abcdef");
        assert_eq!(key.comm(), (*b"0123456789abcdef", 16));
    }
}
