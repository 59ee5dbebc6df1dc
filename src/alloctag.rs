// SPDX-License-Identifier: GPL-2.0-only

//! Alloctag: every allocation of the kernel, by the source line that made it.
//!
//! A **tag** is static data, one for every call site, in the section `alloctag`. An **account** is
//! what totals are kept for, and every tag has one. Its **handle**, a small number, is all that an
//! object or page keeps, in a **reference** of four bytes. **Counters** are per CPU, dense, and
//! found from the handle alone.
//!
//! ```text
//! kmalloc(), alloc_pages(), alloc_percpu()        free
//!   tag -> handle -> reference, given += n          reference -> handle -> taken += n
//!
//! hooks (called by C) -> registry (tags) -> model (pure logic) -> surface (procfs, sysctl, OOM)
//!                detail: rules, and what they tell of the call sites that they choose
//!                platform: the kernel's addresses, locks and per-CPU areas
//! ```
//!
//! `unsafe` lives in the hooks, the platform and the surfaces. The model forbids it, and cargo
//! builds the model's files on the host too, by way of `lib.rs`.

pub mod detail;
pub mod hooks;
pub mod model;
pub mod platform;
pub mod registry;
pub mod surface;

/// What precedes every line in the log.
const __LOG_PREFIX: &[u8] = b"alloctag\0";
