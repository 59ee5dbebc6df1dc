// SPDX-License-Identifier: GPL-2.0-only

//! When chosen call sites fail, by the kernel's fault injection.
//!
//! C part: `faults.c`.

use super::{tag::Tag, tally};
use crate::model::{line::Arming, rule::Faults};
use kernel::{bindings, error::to_result, ffi::c_uint, prelude::*};

const _: () = {
    assert!(Arming::OWN == bindings::ALLOCTAG_OWN_FAULTS as usize);
    assert!(matches!(Arming::own(0), Some(_)));
};

/// Has one for a rule that says itself when its call sites fail.
///
/// # Errors
///
/// `ENOMEM`; `EBUSY` where another rule has the place.
pub fn begin(place: usize, faults: &Faults) -> Result {
    let wanted = bindings::alloctag_faults {
        probability: faults.probability.unwrap_or(100),
        interval: faults.interval.unwrap_or(1),
        skip: faults.skip.unwrap_or(0),
        times: faults.times.unwrap_or(0),
        task_filter: faults.task_filter,
    };
    // SAFETY: The place is one of as many as there are; the caller has the rules, so it is the only one.
    to_result(unsafe { bindings::alloctag_fault_begin(place as c_uint, &wanted) })
}

/// It has nothing fail any more; its place stays taken.
pub fn mute(place: usize) {
    // SAFETY: As in `begin()`.
    unsafe { bindings::alloctag_fault_mute(place as c_uint) }
}

/// It is no rule's any more, and no tag has its number.
pub fn end(place: usize) {
    // SAFETY: As in `begin()`.
    unsafe { bindings::alloctag_fault_end(place as c_uint) }
}

/// Whether an allocation is to fail, of a call site that may have to.
pub fn decide(tag: &Tag, bytes: usize, flags: bindings::gfp_t) -> bool {
    // SAFETY: The tag is alive.
    unsafe { bindings::alloctag_should_fail(tag.as_raw(), bytes, flags) }
}

/// Tells whoever traces faults of one, of a call site in that file.
pub fn trace(tag: &Tag, file: &[u8], bytes: usize, flags: bindings::gfp_t) {
    // SAFETY: The tag is alive, and the bytes of the file's name are there.
    unsafe { bindings::alloctag_trace_fault(tag.as_raw(), file.as_ptr(), file.len(), bytes, flags) }
}

/// Makes room to count how many allocations did. One task at a time; may sleep.
///
/// # Errors
///
/// `ENOMEM`
pub fn prepare() -> Result {
    Ok(tally::provide_injected()?)
}
