// SPDX-License-Identifier: GPL-2.0-only

//! The lock under which contexts come and go, in any context. It is held for some hundred instructions at most.
//!
//! C part: `lock.c`.

use kernel::{bindings, types::NotThreadSafe};

/// Proves that this CPU holds the lock, with interrupts off. There is one at a time.
pub(super) struct Guard(usize, NotThreadSafe);

/// Takes the lock; `None` where this runs on top of who has it, as an NMI may, and in an NMI that would have to wait.
pub(super) fn lock() -> Option<Guard> {
    let mut flags = 0;
    // SAFETY: `flags` can be written.
    let got = unsafe { bindings::alloctag_contexts_lock(&mut flags) };
    // Lazily: a guard that is made and dropped gives back what nobody has taken.
    got.then(|| Guard(flags, NotThreadSafe))
}

impl Drop for Guard {
    fn drop(&mut self) {
        // SAFETY: This CPU holds the lock, and these are the flags from when it took it.
        unsafe { bindings::alloctag_contexts_unlock(self.0) }
    }
}

#[cfg(CONFIG_ALLOCTAG_KUNIT_TEST)]
#[kernel::macros::kunit_tests(alloctag_contexts_lock)]
mod tests {
    use super::*;

    #[test]
    fn who_runs_on_top_of_who_has_it_does_not_get_it_and_leaves_it() {
        let held = lock();
        let (first, second) = (lock().is_none(), lock().is_none());
        let was_held = held.is_some();
        drop(held);
        assert!(was_held && first && second);
        assert!(lock().is_some());
    }
}
