// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What tells the contexts of a call site apart.

mod start;

use super::{handle::Handle, rule::Keys};
use core::mem::offset_of;
pub use start::Start;

/// The most functions that the stack of a context can have.
pub const FRAMES: usize = 16;

/// Words of a key beside its stack. They go in pairs, of which all keys have the first.
const FIXED: usize = 6;

/// What is in the words: the call site, its rule and what that tells by; the process, the node, the order and whether it is an
/// interrupt; the flags and the slice of time; the cgroup; the name of the task.
const START: usize = 0;
const SMALL: usize = 1;
const WHEN: usize = 2;
const CGROUP: usize = 3;
const COMM: usize = 4;

/// The pairs that not all keys have, by their first words, and the keys that have them.
const PAIRS: [(usize, Keys); 2] = [(WHEN, Keys::OF_SECOND_PAIR), (COMM, Keys::OF_THIRD_PAIR)];

/// By how many bits things are shifted that share a word with others.
const HIGH: u32 = 32;
const NODE: u32 = 32;
const ORDER: u32 = 48;
const INTERRUPT: u32 = 56;

/// What hashes begin with: nobody knows it, so that nobody can have all contexts in one chain.
pub type Seed = [u64; 2];

/// The measures of a rule, which do not tell contexts apart, for its number does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// How far apart the allocations are that are looked at, in bytes; 0 where all are.
    pub every: u32,
    /// How many seconds a slice of time has; 0 where none is told.
    pub slice: u32,
}

/// A call site, the rule that chose it, and what that tells contexts apart by. What it does not is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key<'a> {
    fixed: [u64; FIXED],
    measures: Measures,
    stack: &'a [u64],
}

/// A key that is kept, with its hash and its stack, which comes last: most are without.
///
/// # Invariants
///
/// `depth` is at most [`FRAMES`].
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Kept {
    fixed: [u64; FIXED],
    measures: Measures,
    hash: u32,
    depth: u32,
    stack: [u64; FRAMES],
}

impl Kept {
    /// Nobody's.
    pub const NONE: Self = Self {
        fixed: [0; FIXED],
        measures: Measures { every: 0, slice: 0 },
        hash: 0,
        depth: 0,
        stack: [0; FRAMES],
    };

    /// Where the half of a word lies that says how far apart those are that are looked at.
    pub const EVERY: usize = offset_of!(Self, measures) + offset_of!(Measures, every);

    /// Keeps another one, which has that hash.
    pub fn set(&mut self, key: &Key<'_>, hash: u32) {
        self.hash = hash;
        self.fixed = key.fixed;
        self.measures = key.measures;
        let frames = self.stack.iter_mut().zip(key.stack);
        frames.for_each(|(kept, frame)| *kept = *frame);
        // INVARIANT: As it says.
        self.depth = key.stack.len().min(FRAMES) as u32;
    }

    /// The key.
    #[inline(always)]
    pub fn key(&self) -> Key<'_> {
        Key {
            fixed: self.fixed,
            measures: self.measures,
            stack: self.stack.get(..self.depth as usize).unwrap_or_default(),
        }
    }

    /// The hash.
    pub fn hash(&self) -> u32 {
        self.hash
    }

    /// Whether it is that one, which has that hash.
    #[inline(always)]
    pub fn is(&self, key: &Key<'_>, hash: u32) -> bool {
        let same = |first: usize| {
            let pairs = self.fixed.iter().zip(&key.fixed).skip(first).take(2);
            pairs.fold(true, |same, (one, other)| same && one == other)
        };
        // The first word tells what else there is to compare.
        same(START)
            && PAIRS
                .iter()
                .all(|(first, keys)| !key.keys().has_any(*keys) || same(*first))
            && (!key.has_stack() || self.hash == hash && self.key().stack == key.stack)
    }

    /// The account of the call site.
    #[inline(always)]
    pub fn site(&self) -> Handle {
        Handle::from_word(self.fixed[START] as u32)
    }

    /// How far apart those are that are looked at; 0 where all are.
    #[inline(always)]
    pub fn every(&self) -> u32 {
        self.measures.every
    }
}

impl<'a> Key<'a> {
    /// That of all that a call site allocates, as the rule that chose it begins it.
    #[inline(always)]
    pub const fn new(site: Handle, start: Start) -> Self {
        let mut fixed = [0; FIXED];
        fixed[START] = site.get() as u64 | start.word();
        Self {
            fixed,
            measures: Measures { every: 0, slice: 0 },
            stack: &[],
        }
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
        Handle::from_word(self.word(START) as u32)
    }

    /// How its rule begins keys.
    #[inline(always)]
    fn start(&self) -> Start {
        Start::from_word(self.word(START))
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
        self.set(SMALL, 1 << INTERRUPT);
    }

    /// Whether it is one.
    pub fn is_of_interrupt(&self) -> bool {
        self.word(SMALL) & 1 << INTERRUPT != 0
    }

    /// Tells by the process.
    pub fn set_pid(&mut self, pid: u32) {
        self.set(SMALL, u64::from(pid));
    }

    /// The process.
    pub fn pid(&self) -> u32 {
        self.word(SMALL) as u32
    }

    /// Tells by the flags of the allocation.
    pub fn set_gfp(&mut self, flags: u32) {
        self.set(WHEN, u64::from(flags) << HIGH);
    }

    /// The flags of the allocation.
    pub fn gfp(&self) -> u32 {
        (self.word(WHEN) >> HIGH) as u32
    }

    /// Tells by the node of the memory.
    pub fn set_node(&mut self, node: u16) {
        self.set(SMALL, u64::from(node) << NODE);
    }

    /// The node of the memory.
    pub fn node(&self) -> u16 {
        (self.word(SMALL) >> NODE) as u16
    }

    /// Tells by the order of pages.
    pub fn set_order(&mut self, order: u8) {
        self.set(SMALL, u64::from(order) << ORDER);
    }

    /// The order of pages.
    pub fn order(&self) -> u8 {
        (self.word(SMALL) >> ORDER) as u8
    }

    /// Only some allocations are looked at, and so many bytes are between them on an average.
    #[inline(always)]
    pub fn set_every(&mut self, every: u32) {
        self.measures.every = every;
    }

    /// How far apart those are that are looked at; 0 where all are.
    #[inline(always)]
    pub fn every(&self) -> u32 {
        self.measures.every
    }

    /// Tells by the slice of time: its number, and how many seconds it has.
    pub fn set_slice(&mut self, number: u32, seconds: u32) {
        self.set(WHEN, u64::from(number));
        self.measures.slice = seconds;
    }

    /// The number of the slice of time, and how many seconds it has.
    pub fn slice(&self) -> (u32, u32) {
        (self.word(WHEN) as u32, self.measures.slice)
    }

    /// Tells by a cgroup's id.
    pub fn set_cgroup(&mut self, id: u64) {
        self.set(CGROUP, id);
    }

    /// The cgroup's id.
    pub fn cgroup(&self) -> u64 {
        self.word(CGROUP)
    }

    /// Tells by the name of the task, which ends with a zero where it is shorter.
    pub fn set_comm(&mut self, comm: [u8; 16]) {
        for (index, part) in [comm.first_chunk(), comm.last_chunk()]
            .into_iter()
            .enumerate()
        {
            self.set(
                COMM + index,
                part.map_or(0, |part| u64::from_le_bytes(*part)),
            );
        }
    }

    /// The name of the task, without the zeroes behind it.
    pub fn comm(&self) -> ([u8; 16], usize) {
        let mut comm = [0; 16];
        for (part, index) in comm.chunks_exact_mut(8).zip(COMM..) {
            part.copy_from_slice(&self.word(index).to_le_bytes());
        }
        let length = comm.iter().position(|byte| *byte == 0);
        (comm, length.unwrap_or(comm.len()))
    }

    /// The same, told by return addresses as well, the innermost first, of which [`FRAMES`] count.
    #[must_use]
    pub fn with_stack(self, frames: &[u64]) -> Key<'_> {
        Key {
            stack: frames.get(..FRAMES).unwrap_or(frames),
            ..self
        }
    }

    /// The return addresses, the innermost first.
    pub fn stack(&self) -> &'a [u64] {
        self.stack
    }

    /// A number that differs where keys differ, mostly, and with what it begins with: users choose some of what keys are made of.
    #[inline(always)]
    pub fn hash(&self, seed: Seed) -> u32 {
        /// Both halves of a product, of which each bit of two words changes many.
        #[inline(always)]
        fn fold(one: u64, other: u64) -> u64 {
            let product = u128::from(one) * u128::from(other);
            product as u64 ^ (product >> u64::BITS) as u64
        }

        let pair =
            |hash: u64, first: usize| fold(hash ^ self.word(first), seed[1] ^ self.word(first + 1));
        let mut hash = pair(seed[0], START);
        for (first, keys) in PAIRS {
            if self.keys().has_any(keys) {
                hash = pair(hash, first);
            }
        }
        if self.has_stack() {
            // A function is never at 0.
            let frames = |hash, frames: &[u64]| {
                let frame = |index: usize| frames.get(index).copied().unwrap_or_default();
                fold(hash ^ frame(0), seed[1] ^ frame(1))
            };
            hash = self.stack.chunks(2).fold(hash, frames);
        }
        // Keys that differ by a number's last bits would be in steps: for some of what it begins with, in few chains.
        fold(hash, seed[1]) as u32
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_context))]
mod tests {
    use super::*;
    use crate::model::rule::By;

    const SITE: Handle = Handle::from_word(1234);
    const SEED: Seed = [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210];

    #[test]
    fn a_key_gives_back_what_it_was_told() {
        let keys = Keys::NONE.with(By::Stack).with(By::Age);
        let mut key = Key::new(SITE, Start::new(7, keys, false));
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
        kept.set(&key, key.hash(SEED));
        assert_eq!(kept.key(), key);
        assert_eq!(kept.hash(), key.hash(SEED));
        assert_eq!((kept.site(), kept.every()), (SITE, 1 << 19));
    }

    #[test]
    fn how_a_rule_measures_tells_no_contexts_apart() {
        let key = Key::new(SITE, Start::new(7, Keys::NONE.with(By::Age), false));
        let mut kept = Kept::NONE;
        kept.set(&key, key.hash(SEED));
        let mut same = key;
        same.set_every(1 << 19);
        same.set_slice(0, 60);
        assert!(kept.is(&same, same.hash(SEED)));
    }

    #[test]
    fn whatever_differs_makes_another_key() {
        let with = |by: By, change: fn(&mut Key<'static>)| {
            let mut key = Key::new(SITE, Start::new(7, Keys::NONE.with(by), false));
            change(&mut key);
            key
        };
        let keys = [
            Key::new(SITE, Start::new(7, Keys::NONE, false)),
            Key::new(SITE, Start::new(7, Keys::NONE.with(By::Age), false)),
            Key::new(SITE, Start::new(8, Keys::NONE, false)),
            Key::new(Handle::from_word(1235), Start::new(7, Keys::NONE, false)),
            Key::new(SITE, Start::new(7, Keys::NONE.with(By::Pid), false)),
            with(By::Pid, Key::set_interrupt),
            with(By::Pid, |key| key.set_pid(1)),
            with(By::Gfp, |key| key.set_gfp(1)),
            with(By::Node, |key| key.set_node(1)),
            with(By::Order, |key| key.set_order(1)),
            with(By::Age, |key| key.set_slice(1, 0)),
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
                assert_eq!((key.hash(SEED) == other.hash(SEED)), same);
                assert!(key.hash(SEED) != other.hash([SEED[1], SEED[0]]));
                let mut kept = Kept::NONE;
                kept.set(key, 1);
                // Whatever their hashes are.
                assert_eq!(kept.is(other, 1), same);
            }
        }
    }

    #[test]
    fn names_cannot_be_chosen_to_have_the_same_hash() {
        let named = |comm| {
            let mut key = Key::new(SITE, Start::new(7, Keys::NONE.with(By::Comm), false));
            key.set_comm(comm);
            key
        };
        // Where a bit was known to go when words were mixed one after the other.
        let (one, other) = (
            named(*b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
            named(*b"\0\0\0\0\0\0\0\x80\x10\0\0\0\0\0\0\0"),
        );
        for number in 0..64 {
            let seed = SEED.map(|word| word.rotate_left(number));
            assert!(one.hash(seed) != other.hash(seed));
        }
    }

    #[test]
    fn of_a_deep_stack_the_innermost_functions_count() {
        let key = Key::new(SITE, Start::new(7, Keys::NONE.with(By::Stack), false));
        let key = key.with_stack(&[5; FRAMES + 1]);
        assert_eq!(key.stack(), [5; FRAMES]);
        let mut kept = Kept::NONE;
        kept.set(&key, 1);
        assert!(kept.is(&key, 1));
        // What was kept before does not matter.
        let key = key.with_stack(&[5]);
        kept.set(&key, 1);
        assert!(kept.is(&key, 1));
        assert_eq!(kept.key().stack(), [5]);
    }

    #[test]
    fn a_name_may_take_all_bytes() {
        let mut key = Key::new(SITE, Start::new(7, Keys::NONE, false));
        assert_eq!(key.comm().1, 0);
        key.set_comm(*b"0123456789abcdef");
        assert_eq!(key.comm(), (*b"0123456789abcdef", 16));
    }
}
