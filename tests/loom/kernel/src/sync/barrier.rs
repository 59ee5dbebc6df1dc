// SPDX-License-Identifier: GPL-2.0-only

//! Barriers, which are all full ones here.

pub struct Full;
pub struct Read;
pub struct Write;

/// What comes before it is seen before what comes behind.
pub fn smp_mb<T>(_kind: T) {
    loom::sync::atomic::fence(loom::sync::atomic::Ordering::SeqCst);
}
