// SPDX-License-Identifier: GPL-2.0-only

//! `alloctag_slab_free()` for x86-64, plain, detailed and traced: what `discharge()` comes to, in three registers.
//!
//! Whoever frees an object needs the cache, the slab and more behind the hook. A function of the compiler's may change the
//! registers where they are, whether it does or not, so kfree() would save and restore them around the call. This one
//! changes rax, rcx, rdx and the flags, as `include/alloctag/hook_calls.h` says to C, and so does the other one that is
//! called in its place.

use super::{discharge_elsewhere, discharge_far};
use crate::{
    model::handle::Handle,
    platform::{
        contexts::{layout, Found, FOUND},
        counters::DENSE,
        cpu::cpu_number,
    },
};
use core::{
    arch::global_asm,
    mem::{offset_of, size_of},
};
use kernel::bindings::{self, alloctag_counters as Counters, kmem_cache, slab};

// The reference is a word, and the address of counters scales words.
const _: () = assert!(size_of::<bindings::codetag_ref>() == 4);
const _: () = assert!(size_of::<Counters>() == 5 * size_of::<u64>());
// And so does that of a stripe.
const _: () = assert!(layout::STRIPE == 5 * size_of::<u64>());

#[cfg(CONFIG_MITIGATION_RETHUNK)]
macro_rules! ret {
    () => {
        "jmp __x86_return_thunk"
    };
}
#[cfg(all(CONFIG_MITIGATION_SLS, not(CONFIG_MITIGATION_RETHUNK)))]
macro_rules! ret {
    () => {
        "ret; int3"
    };
}
#[cfg(not(any(CONFIG_MITIGATION_SLS, CONFIG_MITIGATION_RETHUNK)))]
macro_rules! ret {
    () => {
        "ret"
    };
}

/// Where a function may be jumped to, if it is to be marked: its address may be taken.
#[cfg(CONFIG_X86_KERNEL_IBT)]
macro_rules! endbr {
    () => {
        "endbr64"
    };
}
#[cfg(not(CONFIG_X86_KERNEL_IBT))]
macro_rules! endbr {
    () => {
        ""
    };
}

/// Bytes in front of a function that the kernel may patch; see FUNCTION_PADDING in `<asm/linkage.h>`.
const PADDING: u32 = if cfg!(CONFIG_CALL_PADDING) {
    bindings::CONFIG_FUNCTION_ALIGNMENT
} else {
    0
};

/// Calls a function of the compiler's; all registers but those three are as before.
macro_rules! call {
    ($call:literal) => {
        concat!(
            "push rbp; mov rbp, rsp; push rdi; push rsi; push r8; push r9; push r10; push r11;",
            $call,
            "; pop r11; pop r10; pop r9; pop r8; pop rsi; pop rdi; pop rbp"
        )
    };
}

/// The hook, with what asks for the account put in, and where that leads to.
macro_rules! hook {
    ($name:literal, [$($asks:tt)*], [$($far:tt)*] $($operand:tt)*) => {
        global_asm!(
            ".pushsection .text, \"ax\"",
            ".balign {alignment}, 0x90",
            ".skip {padding}, 0x90",
            concat!(".globl ", $name),
            concat!(".type ", $name, ", @function"),
            concat!($name, ":"),
            endbr!(),
            // Object::array_reference()
            "mov rax, [rsi + {obj_exts}]",
            "test al, {refs}",
            "jz 2f",
            "imul rdx, [rdi + {index_factor}]",
            "sar rdx, 32",
            // discharge()
            "mov ecx, [rax + rdx * 4 - {flags}]",
            "mov dword ptr [rax + rdx * 4 - {flags}], 0",
            "mov eax, ecx",
            "and eax, {handle}",
            $($asks)*
            "and ecx, {slack}",
            "lea rax, [rax + rax * 4]",
            "sub gs:[__alloc_tag_counters + rax * 8 + {counted_slack}], rcx",
            "mov ecx, [rdi + {size}]",
            "add gs:[__alloc_tag_counters + rax * 8 + {taken}], rcx",
            "inc qword ptr gs:[__alloc_tag_counters + rax * 8 + {frees}]",
            ret!(),
            // With the arguments that this one was given.
            "2:",
            call!("call {elsewhere}"),
            ret!(),
            $($far)*
            concat!(".size ", $name, ", . - ", $name),
            ".popsection",
            alignment = const bindings::CONFIG_FUNCTION_ALIGNMENT,
            padding = const PADDING,
            obj_exts = const offset_of!(slab, obj_exts),
            refs = const bindings::ALLOCTAG_OBJ_EXTS_REFS,
            flags = const bindings::ALLOCTAG_OBJ_EXTS_REFS | bindings::ALLOCTAG_OBJ_EXTS_MEMCG,
            index_factor = const offset_of!(kmem_cache, index_factor),
            size = const offset_of!(kmem_cache, size),
            handle = const Handle::MASK,
            slack = const !Handle::MASK,
            counted_slack = const offset_of!(Counters, slack),
            taken = const offset_of!(Counters, taken),
            frees = const offset_of!(Counters, frees),
            elsewhere = sym discharge_elsewhere,
            $($operand)*
        );
    };
}

hook!("alloctag_slab_free", [], []);
// The reference is no longer where it was, but in ecx; and the handle in rax.
hook!(
    "alloctag_slab_free_detailed",
    ["cmp rax, [rip + {dense}]", "jae 3f",],
    [
        "3:",
        "cmp rax, [rip + {found} + {lowest}]",
        "jb 4f",
        // Context::of(): its entry in rsi
        "push rsi",
        "imul rsi, rax, -{entry_size}",
        "add rsi, [rip + {found} + {behind}]",
        "cmp dword ptr [rsi + {every}], 0",
        "jne 5f",
        // Context::account()
        "mov rax, [rsi + {account}]",
        // Context::stripe(), in rsi
        "mov edx, gs:[{cpu_number}]",
        "and edx, [rip + {found} + {last_stripe}]",
        "lea rdx, [rdx + rdx * 4]",
        "mov rsi, [rsi + {stripes}]",
        "lea rsi, [rsi + rdx * 8]",
        // sub() of both
        "mov edx, [rdi + {size}]",
        "add gs:[__alloc_tag_counters + rax * 8 + {taken}], rdx",
        "lock add [rsi + {context_taken}], rdx",
        "and ecx, {slack}",
        "jz 6f",
        "sub gs:[__alloc_tag_counters + rax * 8 + {counted_slack}], rcx",
        "lock sub [rsi + {context_slack}], rcx",
        "6:",
        "inc qword ptr gs:[__alloc_tag_counters + rax * 8 + {frees}]",
        "lock inc qword ptr [rsi + {context_frees}]",
        "pop rsi",
        ret!(),
        "5:",
        "pop rsi",
        "4:",
        call!("mov esi, ecx; call {far}"),
        ret!(),
    ]
    dense = sym DENSE,
    far = sym discharge_far,
    found = sym FOUND,
    lowest = const offset_of!(Found, lowest),
    behind = const offset_of!(Found, behind),
    last_stripe = const offset_of!(Found, last_stripe),
    entry_size = const layout::ENTRY,
    account = const layout::ACCOUNT,
    stripes = const layout::STRIPES,
    every = const layout::EVERY,
    context_taken = const layout::TAKEN,
    context_frees = const layout::FREES,
    context_slack = const layout::SLACK,
    cpu_number = sym cpu_number,
);

// Tells, and then does what the detailed one does; with the same registers.
#[cfg(CONFIG_ALLOCTAG_EVENTS)]
global_asm!(
    ".pushsection .text, \"ax\"",
    ".balign {alignment}, 0x90",
    ".skip {padding}, 0x90",
    ".globl alloctag_slab_free_traced",
    ".type alloctag_slab_free_traced, @function",
    "alloctag_slab_free_traced:",
    endbr!(),
    call!("call {free}"),
    ret!(),
    ".size alloctag_slab_free_traced, . - alloctag_slab_free_traced",
    ".popsection",
    alignment = const bindings::CONFIG_FUNCTION_ALIGNMENT,
    padding = const PADDING,
    free = sym crate::hooks::traced::slab_free,
);
