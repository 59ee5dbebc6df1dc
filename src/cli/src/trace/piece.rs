// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What a trace comes in, from the kernel or from a file.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::head::{Tail, Task};

/// A part of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<'p> {
    /// Some sub-buffers of a CPU, one behind the other.
    Pages(u32, Cow<'p, [u8]>),
    /// Who some threads belong to.
    Tasks(BTreeMap<u32, Task>),
    /// Which functions some addresses of the kernel's code lie in.
    Callers(BTreeMap<u64, String>),
    /// All from before this time has been read.
    Mark(u64),
    /// The end.
    Tail(Tail),
}
