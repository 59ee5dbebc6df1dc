// SPDX-License-Identifier: GPL-2.0-only

//! Whether an allocation is to fail: what the rules say of its call site, by the number that its tag keeps.

use super::rules;
use crate::{
    model::line::Arming,
    platform::{faults, tag::Tag, tidying},
};
use kernel::bindings::gfp_t;

/// Whether one is, that asks for so many bytes. Where nobody has decided of the call site yet and the caller may wait for others,
/// it is decided now, unless somebody has the rules.
pub fn is_due(tag: &Tag, bytes: usize, flags: gfp_t, may_wait: bool) -> bool {
    if tag.calls().arming == Arming::OPEN {
        if !may_wait || !rules::try_decide() {
            tidying::ask();
        }
    }
    match tag.calls().arming {
        Arming::NEVER | Arming::OPEN => false,
        _ => faults::decide(tag, bytes, flags),
    }
}
