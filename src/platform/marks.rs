// SPDX-License-Identifier: GPL-2.0-only

//! Which call sites have events, where rules say that not all have: a bit for each account.
//!
//! While there are no such bits all have. When they are made all are set, until somebody has decided. Who frees something knows
//! its account and no tag, so this is told by accounts.

use super::published;
use crate::model::handle::Handle;
use kernel::{
    alloc::AllocError,
    alloc_hooks,
    prelude::*,
    sync::{
        atomic::{Acquire, Atomic, Relaxed, Release},
        rcu,
    },
};

/// How many accounts a word has bits for.
const BITS: usize = u64::BITS as usize;

/// How many words there are: 32 KiB of them.
const WORDS: usize = (Handle::MASK as usize + 1).div_ceil(BITS);

/// Where the words are; 0 while there are none.
static PLACE: Atomic<usize> = Atomic::new(0);

/// Whether call sites have come of which nobody has decided.
static OPEN: Atomic<bool> = Atomic::new(false);

/// The bits are there while this lives. There is one at a time.
///
/// # Invariants
///
/// There are as many words as the constant says, and they are where the variable says.
pub struct Marks {
    _words: KVVec<u64>,
}

impl Marks {
    /// Makes them. May sleep.
    ///
    /// # Errors
    ///
    /// [`AllocError`]
    pub fn make() -> Result<Self, AllocError> {
        let words = alloc_hooks!(KVVec::from_elem(u64::MAX, WORDS, GFP_KERNEL))?;
        // Release: who finds the words finds them set.
        PLACE.store(words.as_ptr().expose_provenance(), Release);
        // INVARIANT: By the store.
        Ok(Self { _words: words })
    }
}

impl Drop for Marks {
    /// From now on all call sites have events. May sleep.
    fn drop(&mut self) {
        PLACE.store(0, Relaxed);
        rcu::synchronize_rcu();
        OPEN.store(false, Relaxed);
    }
}

/// The word with the bit of an account, and the bit; `None` while all are marked.
fn place(account: Handle, _guard: &rcu::Guard) -> Option<(&Atomic<u64>, u64)> {
    let first = published::load(&PLACE);
    if first == 0 {
        return None;
    }
    let word =
        core::ptr::with_exposed_provenance_mut::<u64>(first).wrapping_add(account.index() / BITS);
    // SAFETY: By the type's invariant, and no handle is beyond them; who takes them away waits for the guard. All accesses are
    // atomic.
    let word = unsafe { Atomic::from_ptr(word) };
    Some((word, 1 << (account.index() % BITS)))
}

/// Whether the call site of an account has events.
pub fn is_marked(account: Handle, guard: &rcu::Guard) -> bool {
    place(account, guard).is_none_or(|(word, bit)| published::load_count(word) & bit != 0)
}

/// Says whether it has.
pub fn set(account: Handle, marked: bool) {
    let guard = rcu::read_lock();
    let Some((word, bit)) = place(account, &guard) else {
        return;
    };
    let changed = |bits| if marked { bits | bit } else { bits & !bit };
    let mut bits = word.load(Relaxed);
    while let Err(now) = word.cmpxchg(bits, changed(bits), Relaxed) {
        bits = now;
    }
}

/// A call site has come of which nobody has decided, and who goes over all of them finds it.
pub fn open() {
    if PLACE.load(Relaxed) != 0 {
        // Release: who finds this finds the call site.
        OPEN.store(true, Release);
    }
}

/// Whether there are some.
pub fn are_open() -> bool {
    OPEN.load(Relaxed) && PLACE.load(Relaxed) != 0
}

/// The same, and of all of them it is decided now.
pub fn take_open() -> bool {
    // Before the look at what there is: what comes meanwhile is asked about once more.
    OPEN.xchg(false, Acquire)
}
