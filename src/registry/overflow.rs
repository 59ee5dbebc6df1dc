// SPDX-License-Identifier: GPL-2.0-only

//! The account of all call sites for which none is left.
//!
//! Handles are finite, and so is the room for counters. What finds none is charged here, together,
//! so that nothing is lost silently; the log says which call sites these are.

use crate::platform::tag::Tag;

/// The tag whose account it is, among the built-in ones.
#[link_section = "alloctag"]
#[used]
static OVERFLOW: Tag = Tag::new(
    concat!(file!(), "\0"),
    line!(),
    concat!("no_account_left", "\0"),
);

/// The tag whose account they share.
pub fn tag() -> &'static Tag {
    &OVERFLOW
}

/// Lets tags share the account.
pub(super) fn take_in(tags: &[Tag]) {
    for tag in tags {
        tag.set_handle(OVERFLOW.handle());
    }
}
