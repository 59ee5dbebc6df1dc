// SPDX-License-Identifier: GPL-2.0-only

//! The second level: details of call sites that were chosen.
//!
//! ```text
//! rules (what is wanted, of which call sites) -> choices (numbers in tags)
//! hooks -> context (of an allocation, by its circumstances); account (of what lives); faults (of what is asked for);
//!          latency (of what takes how long); lifetimes (of what is followed); stalls (of what takes long);
//!          events (for tracers, of all of these)
//! ```
//!
//! What is charged to a context is charged to its call site as well, so that rows are what they would be without; what an
//! object keeps is the handle of the context, which knows its call site.

pub mod account;
mod choices;
pub mod circumstances;
pub mod context;
#[cfg(CONFIG_ALLOCTAG_EVENTS)]
pub mod events;
#[cfg(CONFIG_ALLOCTAG_CALLS)]
pub mod faults;
#[cfg(CONFIG_ALLOCTAG_LATENCY)]
pub mod latency;
#[cfg_attr(not(CONFIG_ALLOCTAG_LIFETIMES), path = "detail/no_lifetimes.rs")]
pub mod lifetimes;
mod measured;
pub mod rules;
#[cfg(CONFIG_ALLOCTAG_STALLS)]
pub mod stalls;
