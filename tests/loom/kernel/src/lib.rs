// SPDX-License-Identifier: GPL-2.0-only

//! What the core's files ask of the kernel crate, for threads that loom runs in every order that it can think of.
//!
//! Atomics, RCU and locks are loom's, so that what a thread may see of another one is what the memory model allows. All else is as
//! little as compiles.

pub mod alloc;
pub mod bindings;
pub mod cpu;
pub mod sync;

/// What is told of errors.
pub mod error {
    /// An error's number.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Error(pub i32);

    /// What may fail.
    pub type Result<T = (), E = Error> = core::result::Result<T, E>;

    impl From<crate::alloc::AllocError> for Error {
        fn from(_: crate::alloc::AllocError) -> Self {
            code::ENOMEM
        }
    }

    /// What C says.
    pub fn to_result(number: crate::ffi::c_int) -> Result {
        if number < 0 {
            return Err(Error(number));
        }
        Ok(())
    }

    /// The numbers.
    pub mod code {
        use super::Error;

        pub const ENOMEM: Error = Error(-12);
        pub const ENOSPC: Error = Error(-28);
    }
}

/// Markers.
pub mod types {
    /// What has one stays with its thread.
    pub type NotThreadSafe = core::marker::PhantomData<*mut ()>;
    #[allow(non_upper_case_globals)]
    pub const NotThreadSafe: NotThreadSafe = core::marker::PhantomData;
}

/// C's types.
#[allow(non_camel_case_types, reason = "C's names")]
pub mod ffi {
    pub use core::ffi::{c_int, c_void};
    pub type c_ulong = usize;
    pub type c_char = u8;
}

/// What files of the kernel have without asking.
pub mod prelude {
    pub use crate::{
        alloc::{flags::GFP_KERNEL, KBox, KVVec},
        error::{code::*, Error, Result},
    };
}

/// Counts an allocation's call site, in a kernel.
#[macro_export]
macro_rules! alloc_hooks {
    ($allocation:expr) => {
        $allocation
    };
}

/// Another order begins: nothing was done yet.
pub fn begin() {
    alloc::begin();
    sync::atomic::begin();
    sync::rcu::begin();
    bindings::begin();
}

/// Others may run here.
pub fn elsewhere() {
    loom::thread::yield_now();
}
