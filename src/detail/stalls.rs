// SPDX-License-Identifier: GPL-2.0-only

//! What allocations wait for, of every call site.

use super::rules;
use crate::{
    model::stall::Stall,
    platform::{histograms::STALLS, stalls, tag::Tag},
};
use kernel::prelude::*;

/// A stall of a call site is over.
pub fn record(site: &Tag, stall: &Stall) {
    let account = site.handle();
    if !account.is_counted() {
        return;
    }
    stalls::add(account, stall.ns());
    for (cause, ns) in stall.waits() {
        STALLS.record(account, cause as usize, ns);
    }
}

/// Makes the histograms, unless they are there; without memory for them all call sites share some. May sleep.
pub fn prepare() {
    let _rules = rules::lock();
    if STALLS.prepare().is_err() {
        pr_warn!("no memory for histograms of stalls: all call sites share some\n");
    }
}
