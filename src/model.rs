// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The pure logic: what a handle, a reference and a row are, independent of the kernel around them.
//!
//! Nothing here allocates, locks or knows an address.

#![forbid(unsafe_code)]

pub mod boot;
pub mod chain;
pub mod chunk;
pub mod cursor;
pub mod extent;
pub mod field;
// As far as the second level has come, nothing takes its rules yet but tests.
#[cfg(any(not(CONFIG_RUST), CONFIG_ALLOCTAG_KUNIT_TEST))]
pub mod glob;
pub mod handle;
pub mod pool;
pub mod probe;
pub mod rank;
pub mod reference;
#[cfg(any(not(CONFIG_RUST), CONFIG_ALLOCTAG_KUNIT_TEST))]
pub mod rule;
#[cfg(any(not(CONFIG_RUST), CONFIG_ALLOCTAG_KUNIT_TEST))]
pub mod sample;
pub mod sites;
pub mod symbol;
pub mod text;
pub mod totals;
pub mod wire;
