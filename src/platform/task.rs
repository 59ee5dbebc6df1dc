// SPDX-License-Identifier: GPL-2.0-only

//! For whom memory is allocated: the current task.
//!
//! C part: `task.c`.

#[cfg_attr(all(CONFIG_X86, CONFIG_SMP), path = "task/x86.rs")]
#[cfg_attr(CONFIG_ARM64, path = "task/arm64.rs")]
#[cfg_attr(
    not(any(all(CONFIG_X86, CONFIG_SMP), CONFIG_ARM64)),
    path = "task/generic.rs"
)]
mod arch;

use core::mem::{align_of, offset_of, size_of};
use kernel::{alloc_hooks, bindings, prelude::*, sync::rcu};

/// Whether cgroups are told apart by their memory, and can be found by what tells them apart.
pub fn has_cgroups() -> bool {
    // SAFETY: May be called at any time.
    unsafe { bindings::alloctag_has_cgroups() }
}

/// Bytes of a task's name.
const COMM: usize = 16;

const _: () = assert!(offset_of!(bindings::task_struct, comm) % align_of::<usize>() == 0);

/// The current task, unless this is an interrupt, which is for nobody.
pub struct Current(());

impl Current {
    /// Asks for it.
    #[inline(always)]
    pub fn get() -> Option<Self> {
        (!arch::is_interrupt()).then_some(Self(()))
    }

    /// Its name, zeroes behind it. Who gives it another one meanwhile, and that is rare, may be seen halfway.
    #[inline(always)]
    pub fn comm(&self) -> [u8; COMM] {
        // SAFETY: The current task is live.
        let words = unsafe { &raw const (*arch::current()).comm }.cast::<usize>();
        let mut comm = [0; COMM];
        for (index, part) in comm.chunks_exact_mut(size_of::<usize>()).enumerate() {
            // SAFETY: Within the name, which begins with a whole word by the test above. Read as by `READ_ONCE()`.
            let word = unsafe { words.add(index).read_volatile() };
            part.copy_from_slice(&word.to_ne_bytes());
        }
        comm
    }

    /// Its process, in the first namespace.
    #[inline(always)]
    pub fn pid(&self) -> u32 {
        // SAFETY: Asks about this task.
        unsafe { bindings::alloctag_pid() }
    }

    /// The id of its cgroup.
    #[inline(always)]
    pub fn cgroup(&self, _guard: &rcu::Guard) -> u64 {
        // SAFETY: By the guard.
        unsafe { bindings::alloctag_cgroup() }
    }
}

/// The longest path of a cgroup that is shown, in bytes.
const LONGEST_PATH: usize = 4096;

/// Gives `with` a cgroup's path; `gone` if there is no cgroup of that id any more, `?` if there is no memory for its path. May
/// sleep.
pub fn cgroup_path<T>(id: u64, with: impl FnOnce(&[u8]) -> T) -> T {
    let Ok(mut path) = alloc_hooks!(KVec::from_elem(0u8, LONGEST_PATH, GFP_KERNEL)) else {
        return with(b"?");
    };
    // SAFETY: There is so much room.
    let length =
        unsafe { bindings::alloctag_cgroup_path(id, path.as_mut_ptr().cast(), LONGEST_PATH) };
    match usize::try_from(length) {
        Ok(length) => with(path.get(..length).unwrap_or_default()),
        Err(_) if length == ENOENT.to_errno() => with(b"gone"),
        Err(_) => with(b"?"),
    }
}
