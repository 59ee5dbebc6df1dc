// SPDX-License-Identifier: GPL-2.0-only

//! The hooks, all that C calls: each checks what it was given and calls inward.
//!
//! C header: `include/alloctag/hooks.h`, which `#[export]` holds every signature against.

pub mod boot;
#[cfg(CONFIG_ALLOCTAG_RUST_CALLERS)]
pub mod caller;
mod check;
pub mod detailed;
#[cfg(CONFIG_ALLOCTAG_EVENTS)]
pub mod event;
#[cfg(CONFIG_ALLOCTAG_STATS)]
pub mod failure;
#[cfg(CONFIG_ALLOCTAG_CALLS)]
pub mod fault;
#[cfg(CONFIG_ALLOCTAG_LATENCY)]
pub mod latency;
#[cfg(CONFIG_MODULES)]
pub mod module;
pub mod page;
pub mod recorded;
pub mod reference;
pub mod slab;
#[cfg(CONFIG_ALLOCTAG_STATS)]
pub mod slack;
#[cfg(CONFIG_ALLOCTAG_STALLS)]
pub mod stall;
#[cfg(CONFIG_ALLOCTAG_EVENTS)]
pub mod traced;
