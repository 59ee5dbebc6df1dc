// SPDX-License-Identifier: GPL-2.0-only

//! Who called the function that allocates.
//!
//! C part: `stack.c`.

use crate::model::context::FRAMES;
use kernel::bindings;

const _: () = assert!(bindings::ALLOCTAG_FRAMES as usize == FRAMES);

/// Whether stacks can be had, and shown by names.
pub const KNOWN: bool = cfg!(all(CONFIG_STACKTRACE, CONFIG_KALLSYMS));

/// Looks up what has to be known of the allocators; may sleep.
pub fn prepare() {
    #[cfg(all(CONFIG_STACKTRACE, CONFIG_KALLSYMS))]
    // SAFETY: May sleep.
    unsafe {
        bindings::alloctag_stack_prepare()
    };
}

/// Fills in the return addresses from the call site's function on, the innermost first, and returns how many there are, at
/// most `room`. In any context, once that is prepared for.
pub fn fill(frames: &mut [u64; FRAMES], room: usize) -> usize {
    #[cfg(all(CONFIG_STACKTRACE, CONFIG_KALLSYMS))]
    {
        let room = room.min(FRAMES) as u32;
        // SAFETY: There is room for as many.
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
    let mut buffer = [0; bindings::ALLOCTAG_SYMBOL_LEN as usize];
    // SAFETY: There is room for the longest.
    let length =
        unsafe { bindings::sprint_backtrace(buffer.as_mut_ptr().cast(), address as usize) };
    match buffer.get(..length as usize) {
        // Of what is not known it writes the address.
        Some(name) if !name.starts_with(b"0x") => with(name),
        _ => with(b"?"),
    }
}
