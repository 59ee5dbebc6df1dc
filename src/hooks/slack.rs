// SPDX-License-Identifier: GPL-2.0-only

//! The hook of what is made of whole pages although less was asked for.

use crate::{
    detail::account::Account,
    model::{handle::Handle, reference::Reference},
    platform::{counters::Counted, page::Page},
};
use kernel::{bindings, prelude::*};

/// Of pages that are one allocation, another number of bytes is slack.
///
/// # Safety
///
/// `first` is the first of them, and the caller owns them and `slack`.
#[export]
pub unsafe extern "C" fn alloctag_page_slack(
    first: *mut bindings::page,
    slack: *mut usize,
    now: usize,
) {
    // SAFETY: By the caller's promise.
    let (page, slack) = unsafe { (Page::from_raw(first), &mut *slack) };
    let handle = page.slot().map_or(Handle::NONE, |slot| slot.get().handle());
    if handle.is_counted() {
        let account = Account::of(handle);
        account.add_slack(now << Reference::SLACK_SHIFT);
        account.sub_slack(*slack << Reference::SLACK_SHIFT);
        *slack = now;
    }
}
