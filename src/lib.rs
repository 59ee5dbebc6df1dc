// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The pure model of Alloctag, built for the host.
//!
//! The same files are compiled into the kernel by way of `alloctag.rs`; here cargo runs their unit tests, and property
//! tests and fuzzers reach them.

#![cfg_attr(not(test), no_std)]

pub mod model;
