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
    pub mod cpu;
    pub mod followed;
    pub mod histograms;
    pub mod log;
    pub mod marks;
    pub mod published;
    pub mod resched;
    pub mod tally;
    pub mod tidying;

    /// Where counters of accounts lie, of which there are none here.
    pub mod counters {
        use crate::model::handle::Handle;

        /// The account, for who asks whose it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Place(pub Handle);

        impl Place {
            /// That of an account.
            pub fn of(account: Handle) -> Self {
                Self(account)
            }
        }
    }

    /// Chance, which is the same in each order.
    pub mod countdown {
        /// Any number.
        pub fn random() -> u64 {
            0
        }
    }
}

pub mod orders;
