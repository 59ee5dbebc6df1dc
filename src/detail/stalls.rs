// SPDX-License-Identifier: GPL-2.0-only

//! What allocations wait for, of every call site.

use super::rules;
use crate::{
    model::{
        handle::Handle,
        stall::{Cause, Stall},
    },
    platform::{
        histograms::{Recording, STALLS},
        stalls,
    },
};
use kernel::prelude::*;

/// A stall of an account is over.
///
/// # Safety
///
/// The caller holds RCU.
#[inline(always)]
pub unsafe fn record(account: Handle, stall: &Stall) {
    // SAFETY: By the caller's promise.
    let Some(recording) = (unsafe { STALLS.record_within() }) else {
        return;
    };
    if let Some((cause, ns)) = stall.only_wait() {
        stalls::add(account, ns);
        recording.add(account, cause as usize, ns);
    } else {
        record_all(&recording, account, stall);
    }
}

/// The same of several causes.
#[inline(never)]
fn record_all(recording: &Recording<'_, { Cause::COUNT }>, account: Handle, stall: &Stall) {
    stalls::add(account, stall.ns());
    for (cause, ns) in stall.waits() {
        recording.add(account, cause as usize, ns);
    }
}

/// Makes the histograms, unless they are there; without memory for them all call sites share some. May sleep.
pub fn prepare() {
    let _rules = rules::lock();
    if STALLS.prepare().is_err() {
        pr_warn!("no memory for histograms of stalls: all call sites share some\n");
    }
}
