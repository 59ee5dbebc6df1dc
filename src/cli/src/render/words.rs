// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Values that people and delimited files get as the same words.

use crate::model::Pair;

/// Pairs in one, as the kernel printed them.
pub(super) fn pairs(pairs: &[Pair]) -> String {
    pairs.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// A flag as a word.
pub(super) fn yes_or_no(flag: bool) -> &'static str {
    if flag {
        "yes"
    } else {
        "no"
    }
}
