// SPDX-License-Identifier: GPL-2.0-only

//! `/proc/sys/vm/mem_profiling`, `mem_profiling_compressed` and `mem_profiling_uncounted`.

use crate::platform::{switch, uncounted};
use core::{
    ffi::{c_int, c_void, CStr},
    mem::{size_of, zeroed},
    ptr::from_ref,
};
use kernel::{bindings, error::code};

/// A table of sysctls that is registered once and never changed.
#[repr(transparent)]
struct Table<const N: usize>([bindings::ctl_table; N]);

// SAFETY: Nobody writes through the pointers but the handlers, which do so under the keys' own lock.
unsafe impl<const N: usize> Sync for Table<N> {}

static TABLE: Table<3> = Table([
    entry(
        c"mem_profiling",
        (&raw mut bindings::mem_alloc_profiling_key).cast(),
        0o644,
        mem_profiling,
    ),
    entry(
        c"mem_profiling_compressed",
        (&raw mut bindings::mem_profiling_compressed).cast(),
        0o444,
        bindings::proc_do_static_key,
    ),
    bindings::ctl_table {
        maxlen: size_of::<u64>() as c_int,
        ..entry(
            c"mem_profiling_uncounted",
            uncounted::counter().cast(),
            0o444,
            bindings::proc_doulongvec_minmax,
        )
    },
]);

/// The C type of a handler, which differs from `proc_handler` only in that it is never null.
type Handler = unsafe extern "C" fn(
    *const bindings::ctl_table,
    c_int,
    *mut c_void,
    *mut usize,
    *mut bindings::loff_t,
) -> c_int;

/// A sysctl that shows what is at `data`.
const fn entry(
    name: &'static CStr,
    data: *mut c_void,
    mode: bindings::umode_t,
    handler: Handler,
) -> bindings::ctl_table {
    bindings::ctl_table {
        procname: name.as_ptr().cast(),
        data,
        mode,
        proc_handler: Some(handler),
        // SAFETY: The rest are optional pointers and numbers.
        ..unsafe { zeroed() }
    }
}

/// Shows the switch and sets it, unless profiling was ruled out at boot.
///
/// # Safety
///
/// As the sysctl core calls it.
unsafe extern "C" fn mem_profiling(
    table: *const bindings::ctl_table,
    write: c_int,
    buffer: *mut c_void,
    length: *mut usize,
    position: *mut bindings::loff_t,
) -> c_int {
    if write != 0 {
        // SAFETY: The current task lives.
        let of_kernel = unsafe { (*kernel::task::Task::current_raw()).mm.is_null() };
        if of_kernel {
            // The boot parameter once more, by do_sysctl_args(): it has been obeyed.
            return 0;
        }
        if cfg!(CONFIG_MEM_ALLOC_PROFILING_DEBUG) {
            return code::EACCES.to_errno();
        }
        if !switch::supported() {
            return code::EINVAL.to_errno();
        }
    }
    // SAFETY: The caller's arguments, and a table whose data is a static key.
    unsafe { bindings::proc_do_static_key(table, write, buffer, length, position) }
}

/// Registers the sysctls.
#[link_section = ".init.text"]
pub(super) fn init() {
    // SAFETY: The table is static.
    unsafe {
        bindings::__register_sysctl_init(
            c"vm".as_ptr().cast(),
            from_ref(&TABLE).cast(),
            c"alloctag".as_ptr().cast(),
            TABLE.0.len(),
        );
    }
}
