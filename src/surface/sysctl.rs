// SPDX-License-Identifier: GPL-2.0-only

//! `/proc/sys/vm/mem_profiling`, `mem_profiling_compressed`, `mem_profiling_contexts` and `mem_profiling_uncounted`.

#[cfg(CONFIG_ALLOCTAG_STALLS)]
use crate::detail::stalls;
use crate::{
    detail::rules::capacity,
    model::capacity::Capacity,
    platform::{switch, uncounted},
};
#[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
use crate::{
    detail::{lifetimes, rules},
    platform::credentials,
};
use core::{
    ffi::{c_int, c_void, CStr},
    mem::{size_of, zeroed},
    ptr::{from_mut, from_ref, null_mut},
};
use kernel::{bindings, error::code, ffi::c_uint};

/// A table of sysctls that is registered once and never changed.
#[repr(transparent)]
struct Table<const N: usize>([bindings::ctl_table; N]);

// SAFETY: Nobody writes through the pointers but the handlers, which do so under the keys' own lock.
unsafe impl<const N: usize> Sync for Table<N> {}

static TABLE: Table<4> = Table([
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
    entry(c"mem_profiling_contexts", null_mut(), 0o644, contexts),
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
    #[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
    let rules = (write != 0).then(rules::lock);
    #[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
    if rules.is_some()
        && !switch::counting()
        && credentials::may_administer()
        // SAFETY: The caller's arguments.
        && unsafe { asks_for_counting(table, buffer, *length, *position) }
    {
        // Nobody else switches meanwhile, of which something would be followed already.
        lifetimes::doubt();
    }
    // SAFETY: The caller's arguments, and a table whose data is a static key.
    let result = unsafe { bindings::proc_do_static_key(table, write, buffer, length, position) };
    #[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
    drop(rules);
    #[cfg(CONFIG_ALLOCTAG_STALLS)]
    if result == 0 && write != 0 && switch::counting() {
        stalls::prepare();
    }
    result
}

/// A table that is as another one, but for its data: a number within bounds.
///
/// # Safety
///
/// The other one is whole.
unsafe fn of_number<T>(
    table: *const bindings::ctl_table,
    number: &mut T,
    (least, most): (&T, &T),
) -> bindings::ctl_table {
    bindings::ctl_table {
        data: from_mut(number).cast(),
        maxlen: size_of::<T>() as c_int,
        // Bounds are only read.
        extra1: from_ref(least).cast_mut().cast(),
        extra2: from_ref(most).cast_mut().cast(),
        // SAFETY: By the caller's promise.
        ..unsafe { *table }
    }
}

/// Whether what is written is the number that switches counting on: read ahead, and none of it used up.
///
/// # Safety
///
/// As the sysctl core calls its handlers, to write.
#[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
unsafe fn asks_for_counting(
    table: *const bindings::ctl_table,
    buffer: *mut c_void,
    mut length: usize,
    mut position: bindings::loff_t,
) -> bool {
    const OFF: c_int = 0;
    const ON: c_int = 1;
    let mut number = OFF;
    // SAFETY: By the caller's promise.
    let own = unsafe { of_number(table, &mut number, (&OFF, &ON)) };
    // SAFETY: The caller's buffer, of which nothing is changed, and a table whose data is such a number.
    let result =
        unsafe { bindings::proc_dointvec_minmax(&own, 1, buffer, &mut length, &mut position) };
    result == 0 && number == ON
}

/// Shows how many contexts the next table has room for, and sets it: to that number or the next power of two.
///
/// # Safety
///
/// As the sysctl core calls it.
unsafe extern "C" fn contexts(
    table: *const bindings::ctl_table,
    write: c_int,
    buffer: *mut c_void,
    length: *mut usize,
    position: *mut bindings::loff_t,
) -> c_int {
    const LEAST: c_uint = Capacity::LEAST;
    const MOST: c_uint = Capacity::MOST;
    let mut number: c_uint = capacity::get().get();
    // SAFETY: By the caller's promise.
    let own = unsafe { of_number(table, &mut number, (&LEAST, &MOST)) };
    // SAFETY: The caller's arguments, and a table whose data is such a number.
    let result = unsafe { bindings::proc_douintvec_minmax(&own, write, buffer, length, position) };
    if let (0, true, Some(given)) = (result, write != 0, Capacity::of(number)) {
        capacity::set(given);
    }
    result
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
