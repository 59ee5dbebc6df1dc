// SPDX-License-Identifier: GPL-2.0-only

//! Nothing is followed: `lifetimes.rs` where `CONFIG_ALLOCTAG_LIFETIMES` is not set.

use crate::{
    model::{handle::Handle, name::Name},
    platform::followed::Followed,
};

/// It is not followed.
pub fn follow(_name: Name, kept: Handle, _bytes: usize) -> Handle {
    kept
}

/// It is not missed.
pub fn miss(_name: Name, _bytes: usize) {}

/// There is nothing that ends.
pub fn end(followed: Followed) {
    match followed {}
}

/// Nor is undone.
pub fn undo(followed: Followed) {
    match followed {}
}
