// SPDX-License-Identifier: GPL-2.0-only

//! What the kernel finds out about the CPUs when it boots, and then has in its code: by its alternatives.
//!
//! C header: `arch/arm64/include/asm/alternative-macros.h`, whose macros the entries below follow.

use core::arch::asm;
use kernel::bindings;

/// An alternative whose second text is a function's work.
const BY_FUNCTION: u32 = 1 << 15;

/// Whether the CPUs have atomic instructions (LSE): a nop where they do, a branch where they do not, and before that is known.
///
/// One of the two ways is taken as a whole, whenever the code is patched. The kernel's own per-CPU operations have the one patched
/// over the other, which takes three nops, and disabled preemption: a task that was preempted halfway would go on in the other.
#[inline(always)]
pub(super) fn has_lse() -> bool {
    'without: {
        // SAFETY: Is a branch, or else nothing. The entry is one of the kernel's alternatives: this instruction, and a function
        // that makes a nop of it.
        unsafe {
            asm!(
                "661: b {without}",
                "662:",
                ".pushsection .altinstructions, \"a\"",
                ".word 661b - .",
                ".word alt_cb_patch_nops - .",
                ".hword {capability}",
                ".byte 662b - 661b",
                ".byte 0",
                ".popsection",
                capability = const BY_FUNCTION | bindings::ARM64_HAS_LSE_ATOMICS,
                without = label { break 'without },
                options(nomem, nostack, preserves_flags),
            )
        };
        return true;
    }
    false
}

/// How far this CPU's data lie from the per-CPU section. The compiler may keep it: by the time that it is used, this may run on
/// another CPU.
#[inline(always)]
pub(in crate::platform) fn per_cpu_offset() -> usize {
    let offset;
    // SAFETY: Reads a register. The entry is one of the kernel's alternatives: this instruction, and as long a one for a kernel
    // that runs where hypervisors do.
    unsafe {
        asm!(
            "661: mrs {offset}, tpidr_el1",
            "662:",
            ".pushsection .altinstructions, \"a\"",
            ".word 661b - .",
            ".word 663f - .",
            ".hword {capability}",
            ".byte 662b - 661b",
            ".byte 664f - 663f",
            ".popsection",
            ".subsection 1",
            "663: mrs {offset}, tpidr_el2",
            "664:",
            ".previous",
            offset = lateout(reg) offset,
            capability = const bindings::ARM64_HAS_VIRT_HOST_EXTN,
            options(pure, nomem, nostack, preserves_flags),
        )
    };
    offset
}
