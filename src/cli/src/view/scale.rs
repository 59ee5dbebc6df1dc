// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What the numbers of an entry are set against.

/// What the numbers of an entry are set against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scale {
    /// What shares are of, in bytes.
    pub total: i64,
    /// For how long the kernel has counted, in milliseconds, if that is known.
    pub time_ms: Option<u64>,
}
