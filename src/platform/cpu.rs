// SPDX-License-Identifier: GPL-2.0-only

//! The CPU that executes this.

#[cfg(all(CONFIG_X86, CONFIG_SMP))]
mod number {
    use core::arch::asm;
    use kernel::ffi::c_int;

    extern "C" {
        /// `<asm/smp.h>`'s: a per-CPU variable.
        pub static cpu_number: c_int;
    }

    /// The C helper behind `raw_smp_processor_id()` would be a call here.
    #[inline(always)]
    pub fn number() -> usize {
        let number: usize;
        // SAFETY: Reads what GS makes this CPU's own, which never changes.
        unsafe {
            asm!(
                "mov {number:e}, gs:[{cpu_number}]",
                number = lateout(reg) number,
                cpu_number = sym cpu_number,
                options(nostack, preserves_flags, readonly),
            )
        };
        number
    }
}

#[cfg(not(all(CONFIG_X86, CONFIG_SMP)))]
mod number {
    use kernel::bindings;

    /// By C's inline function.
    #[inline(always)]
    pub fn number() -> usize {
        // SAFETY: May be called at any time.
        unsafe { bindings::raw_smp_processor_id() as usize }
    }
}

#[cfg(all(CONFIG_X86, CONFIG_SMP))]
pub use number::cpu_number;
/// Its number; or that of one that it was a moment ago, where this can be preempted.
pub use number::number;
