// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What tells the contexts of a call site apart.

use super::{handle::Handle, rule::Keys};

/// The most functions that the stack of a context can have.
pub const FRAMES: usize = 16;

/// Words of a key beside its stack.
const FIXED: usize = 6;

/// By how many bits things are shifted that share a word with others.
const KEYS: u32 = Handle::BITS;
const HIGH: u32 = 32;
const NODE: u32 = 32;
const ORDER: u32 = 48;
const INTERRUPT: u32 = 56;

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
        let mut pairs = self.fixed.iter().zip(&key.fixed);
        // Most have no stack, and it would be compared by a call.
        pairs.all(|(one, other)| one == other)
            && self.depth == key.stack.len()
            && (self.depth == 0 || self.key().stack == key.stack)
    }

    /// The account of the call site.
    #[inline(always)]
    pub fn site(&self) -> Handle {
        Handle::from_word(self.fixed[0] as u32)
    }
}

impl<'a> Key<'a> {
    /// That of all that a call site allocates, chosen by the rule of that number, which tells contexts apart by these keys.
    pub const fn new(site: Handle, rule: u32, keys: Keys) -> Self {
        let mut fixed = [0; FIXED];
        fixed[0] = site.get() as u64 | (keys.bits() as u64) << KEYS | (rule as u64) << HIGH;
        Self { fixed, stack: &[] }
    }

    fn word(&self, index: usize) -> u64 {
        self.fixed.get(index).copied().unwrap_or_default()
    }

    fn set(&mut self, index: usize, word: u64) {
        if let Some(place) = self.fixed.get_mut(index) {
            *place |= word;
        }
    }

    /// The account of the call site.
    pub fn site(&self) -> Handle {
        Handle::from_word(self.word(0) as u32)
    }

    /// What contexts are told apart by.
    pub fn keys(&self) -> Keys {
        Keys::from_bits((self.word(0) as u32 >> KEYS) as u16)
    }

    /// The number of the rule.
    pub fn rule(&self) -> u32 {
        (self.word(0) >> HIGH) as u32
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

    /// Tells by a cgroup's id.
    pub fn set_cgroup(&mut self, id: u64) {
        self.set(3, id);
    }

    /// The cgroup's id.
    pub fn cgroup(&self) -> u64 {
        self.word(3)
    }

    /// Tells by the name of the task, which ends with a zero where it is shorter.
    pub fn set_comm(&mut self, comm: [u8; 16]) {
        for (index, part) in [comm.first_chunk(), comm.last_chunk()]
            .into_iter()
            .enumerate()
        {
            self.set(4 + index, part.map_or(0, |part| u64::from_le_bytes(*part)));
        }
    }

    /// The name of the task, without the zeroes behind it.
    pub fn comm(&self) -> ([u8; 16], usize) {
        let mut comm = [0; 16];
        for (part, index) in comm.chunks_exact_mut(8).zip(4..) {
            part.copy_from_slice(&self.word(index).to_le_bytes());
        }
        let length = comm.iter().position(|byte| *byte == 0);
        (comm, length.unwrap_or(comm.len()))
    }

    /// Tells by return addresses, the innermost first, of which [`FRAMES`] count.
    pub fn set_stack(&mut self, frames: &'a [u64]) {
        self.stack = frames.get(..FRAMES).unwrap_or(frames);
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
        let mixed = self
            .fixed
            .iter()
            .chain(self.stack)
            .fold(seed, |hash, word| {
                (hash.rotate_left(5) ^ word).wrapping_mul(GOLDEN)
            });
        (mixed >> HIGH) as u32
    }
}

#[cfg(any(test, CONFIG_ALLOCTAG_KUNIT_TEST))]
#[cfg_attr(CONFIG_RUST, kernel::macros::kunit_tests(alloctag_context))]
mod tests {
    use super::*;
    use crate::model::rule::Key as By;

    const SITE: Handle = Handle::from_word(1234);

    #[test]
    fn a_key_gives_back_what_it_was_told() {
        let keys = Keys::NONE.with(By::Stack).with(By::Age);
        let mut key = Key::new(SITE, 7, keys);
        assert!(!key.is_of_interrupt());
        key.set_interrupt();
        key.set_pid(u32::MAX);
        key.set_gfp(0xcc0);
        key.set_node(1023);
        key.set_order(10);
        key.set_cgroup(1 << 40);
        key.set_comm(*b"kworker/u8:1\0\0\0\0");
        key.set_stack(&[3, 4]);
        assert_eq!((key.site(), key.rule()), (SITE, 7));
        assert_eq!(key.keys(), keys);
        assert!(key.is_of_interrupt());
        assert_eq!((key.pid(), key.gfp()), (u32::MAX, 0xcc0));
        assert_eq!((key.node(), key.order(), key.cgroup()), (1023, 10, 1 << 40));
        assert_eq!(key.comm(), (*b"kworker/u8:1\0\0\0\0", 12));
        assert_eq!(key.stack(), [3, 4]);
        let mut kept = Kept::NONE;
        kept.set(&key);
        assert_eq!(kept.key(), key);
        assert_eq!(kept.site(), SITE);
    }

    #[test]
    fn whatever_differs_makes_another_key() {
        let with = |change: fn(&mut Key<'static>)| {
            let mut key = Key::new(SITE, 7, Keys::NONE);
            change(&mut key);
            key
        };
        let keys = [
            Key::new(SITE, 7, Keys::NONE),
            Key::new(SITE, 7, Keys::NONE.with(By::Age)),
            Key::new(SITE, 8, Keys::NONE),
            Key::new(Handle::from_word(1235), 7, Keys::NONE),
            with(Key::set_interrupt),
            with(|key| key.set_pid(1)),
            with(|key| key.set_gfp(1)),
            with(|key| key.set_node(1)),
            with(|key| key.set_order(1)),
            with(|key| key.set_cgroup(1)),
            with(|key| key.set_comm(*b"a\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0")),
            with(|key| key.set_comm(*b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0a")),
            with(|key| key.set_stack(&[1])),
            with(|key| key.set_stack(&[0])),
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
        let mut key = Key::new(SITE, 7, Keys::NONE);
        key.set_stack(&[5; FRAMES + 1]);
        assert_eq!(key.stack(), [5; FRAMES]);
        let mut kept = Kept::NONE;
        kept.set(&key);
        assert!(kept.is(&key));
        // What was kept before does not matter.
        key.set_stack(&[5]);
        kept.set(&key);
        assert!(kept.is(&key));
        assert_eq!(kept.key().stack(), [5]);
    }

    #[test]
    fn a_name_may_take_all_bytes() {
        let mut key = Key::new(SITE, 7, Keys::NONE);
        assert_eq!(key.comm().1, 0);
        key.set_comm(*b"0123456789abcdef");
        assert_eq!(key.comm(), (*b"0123456789abcdef", 16));
    }
}
