// SPDX-License-Identifier: GPL-2.0-only

//! The hook of what is made of whole pages although less was asked for.

use crate::{
    detail::account::Account,
    model::reference::Reference,
    platform::page::{Page, PAGE_SIZE},
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
    let reference = page.slot().map_or(Reference::NONE, |slot| slot.get());
    if reference.handle().is_counted() {
        let [now_counted, before] = [now, *slack].map(|slack| slack << Reference::SLACK_SHIFT);
        let bytes = PAGE_SIZE << reference.order(Reference::ANY_ORDER);
        Account::of(reference.handle()).change_slack(bytes, now_counted, before);
        *slack = now;
    }
}
