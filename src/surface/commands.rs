// SPDX-License-Identifier: GPL-2.0-only

//! Rules as text: those that hold, and what is to hold.

use crate::{
    detail::rules::{self, Owner, Rules},
    model::text::{Full, Text},
};
use kernel::{
    alloc_hooks,
    prelude::*,
    uaccess::{UserPtr, UserSlice},
};

/// What stands above the rules.
const HEADER: &[u8] = b"control - version: 1.0\n# rule sites contexts lost command\n";

/// Appends all rules, which were counted.
///
/// # Errors
///
/// [`Full`]
pub(super) fn list(text: &mut Text<'_>, rules: &Rules) -> Result<(), Full> {
    text.bytes(HEADER)?;
    for held in rules.iter() {
        let (sites, contexts) = (held.sites as u64, held.contexts as u64);
        for number in [held.number.into(), sites, contexts, rules.lost(held)] {
            text.decimal(number)?;
        }
        text.bytes(held.text())?;
        text.bytes(b"\n")?;
    }
    Ok(())
}

/// Obeys a list of rules in the user's memory, whole or not at all. What it adds belongs to an owner, unless that is nobody.
///
/// # Errors
///
/// `E2BIG` where it is too long, `EFAULT`, and as for `Rules::obey()`.
pub(super) fn obey(user: UserPtr, length: usize, owner: Owner, may_fail: fn() -> bool) -> Result {
    if length > rules::LONGEST {
        return Err(E2BIG);
    }
    let mut text = KVec::new();
    alloc_hooks!(UserSlice::new(user, length).read_all(&mut text, GFP_KERNEL))?;
    rules::lock().obey(&text, owner, may_fail)
}
