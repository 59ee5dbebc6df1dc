// SPDX-License-Identifier: GPL-2.0-only

//! Numbers that are settled during boot and cost no more than static ones.

use core::cell::UnsafeCell;

/// A number that is settled during boot, while one CPU runs, and only read from then on: it belongs in section
/// `.data..ro_after_init`.
pub struct BootConstant(UnsafeCell<usize>);

// SAFETY: It is written before there is another CPU or task that could read it.
unsafe impl Sync for BootConstant {}

impl BootConstant {
    /// What it is unless it is settled.
    pub const fn new(number: usize) -> Self {
        Self(UnsafeCell::new(number))
    }

    /// Reads it: an ordinary operand of whatever instruction needs it.
    #[inline(always)]
    pub fn get(&self) -> usize {
        // SAFETY: Nobody writes any more, or this is the one CPU that does.
        unsafe { *self.0.get() }
    }

    /// Settles it.
    ///
    /// # Safety
    ///
    /// Called during boot, while one CPU runs.
    pub unsafe fn set(&self, number: usize) {
        // SAFETY: Nobody reads meanwhile, by the caller's promise.
        unsafe { *self.0.get() = number }
    }
}
