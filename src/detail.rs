// SPDX-License-Identifier: GPL-2.0-only

//! The second level: details of call sites that were chosen.
//!
//! ```text
//! rules (what is wanted, of which call sites) -> choices (numbers in tags)
//! hooks -> context (of an allocation, by its circumstances); account (of what lives); faults (of what is asked for);
//!          stalls (of what takes long); events (for tracers, of all of these)
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
#[cfg(CONFIG_ALLOCTAG_FAULTS)]
pub mod faults;
mod measured;
pub mod rules;
#[cfg(CONFIG_ALLOCTAG_STALLS)]
pub mod stalls;
