// SPDX-License-Identifier: GPL-2.0-only

//! Who called the function that allocates.
//!
//! C part: `stack.c`.

use super::module::Module;
use crate::model::context::FRAMES;
#[cfg(all(CONFIG_STACKTRACE, CONFIG_KALLSYMS))]
use kernel::error::to_result;
use kernel::{bindings, prelude::*, sync::rcu};

const _: () = assert!(bindings::ALLOCTAG_FRAMES as usize == FRAMES);

/// Whether stacks can be had, and shown by names.
pub const KNOWN: bool = cfg!(all(CONFIG_STACKTRACE, CONFIG_KALLSYMS));

/// What stacks are found with. There is one at a time.
pub struct Walk(());

impl Walk {
    /// Looks up what has to be known of the allocators, and makes room to remember more; may sleep.
    ///
    /// # Errors
    ///
    /// `ENOMEM`
    pub fn prepare() -> Result<Self> {
        #[cfg(all(CONFIG_STACKTRACE, CONFIG_KALLSYMS))]
        // SAFETY: May sleep; `drop()` takes it back.
        to_result(unsafe { bindings::alloctag_stack_prepare() })?;
        Ok(Self(()))
    }

    /// Forgets the functions of a module that is going, which nobody calls any more; may sleep.
    pub fn forget(&self, module: &Module) {
        #[cfg(all(CONFIG_STACKTRACE, CONFIG_KALLSYMS))]
        // SAFETY: The module stays; it was prepared for, and this is not the end.
        unsafe {
            bindings::alloctag_stack_forget(module.as_raw())
        };
        #[cfg(not(all(CONFIG_STACKTRACE, CONFIG_KALLSYMS)))]
        let _ = module;
    }
}

impl Drop for Walk {
    fn drop(&mut self) {
        #[cfg(all(CONFIG_STACKTRACE, CONFIG_KALLSYMS))]
        // SAFETY: Once, after `prepare()`; may sleep.
        unsafe {
            bindings::alloctag_stack_end()
        };
    }
}

/// Fills in the return addresses from the call site's function on, the innermost first, and returns how many there are, at
/// most `room`. What is neither the kernel's code nor a module's is 0. In any context, and faster while there is a [`Walk`].
pub fn fill(frames: &mut [u64; FRAMES], room: usize, _guard: &rcu::Guard) -> usize {
    #[cfg(all(CONFIG_STACKTRACE, CONFIG_KALLSYMS))]
    {
        let room = room.clamp(1, FRAMES) as u32;
        // SAFETY: There is room for as many, and RCU is held off.
        unsafe { bindings::alloctag_frames(frames.as_mut_ptr(), room) as usize }
    }
    #[cfg(not(all(CONFIG_STACKTRACE, CONFIG_KALLSYMS)))]
    {
        let _ = (frames, room);
        0
    }
}

/// Writes a return address as `function+offset/size [module]`, or `?` where there is no such function any more, and gives
/// it to `with`.
pub fn name<T>(address: u64, with: impl FnOnce(&[u8]) -> T) -> T {
    #[cfg(all(CONFIG_STACKTRACE, CONFIG_KALLSYMS))]
    {
        let mut buffer = [0; bindings::ALLOCTAG_SYMBOL_LEN as usize];
        // SAFETY: There is room for the longest.
        let length =
            unsafe { bindings::alloctag_name(buffer.as_mut_ptr().cast(), address as usize) };
        match buffer.get(..length as usize) {
            Some(name) if !name.is_empty() => with(name),
            _ => with(b"?"),
        }
    }
    #[cfg(not(all(CONFIG_STACKTRACE, CONFIG_KALLSYMS)))]
    {
        let _ = address;
        with(b"?")
    }
}
