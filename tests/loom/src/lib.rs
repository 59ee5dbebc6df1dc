// SPDX-License-Identifier: GPL-2.0-only

//! The core's files that do without a lock what several CPUs do at a time, as the kernel has them, for loom to run.

#![allow(dead_code, unused_imports, reason = "of the core, this is a part")]

pub use alloctag_core::model;

/// The kernel behind safe faces.
#[path = "../../../src/platform"]
pub mod platform {
    pub mod add;
    pub mod boot_constant;
    pub mod contexts;
    pub mod counters;
    pub mod cpu;
    pub mod followed;
    pub mod histograms;
    pub mod log;
    pub mod marks;
    pub mod published;
    pub mod resched;
    pub mod tally;
    pub mod tidying;

    /// Call sites, of which there are none.
    pub mod tag {
        use crate::model::{handle::Handle, name::Name};

        /// None.
        pub enum Tag {}

        impl Tag {
            /// Its account, and what is wanted of it.
            pub fn name(&self) -> Name {
                match *self {}
            }
        }
    }

    /// Chance, which is the same in each order.
    pub mod countdown {
        /// Any number.
        pub fn random() -> u64 {
            0
        }

        /// Never is any due.
        pub fn count(_by_hook: usize, _bytes: usize) -> bool {
            false
        }
    }
}

pub mod orders;
