// SPDX-License-Identifier: GPL-2.0-only

//! The ioctls of `/proc/allocinfo` that give rules and take them, as text.
//!
//! C header: `include/uapi/linux/alloctag.h`.

use super::plain::{self, Plain};
use crate::{
    detail::rules::{self, Owner},
    model::text::{Full, Text},
    platform::credentials,
    surface::{commands, reading::Ownership},
};
use core::mem::size_of;
use kernel::{
    alloc_hooks,
    bindings::{self, alloctag_text as Question},
    prelude::*,
    uaccess::{UserPtr, UserSlice},
};

const _: () = assert!(size_of::<Question>() == 24);

// SAFETY: Numbers; by the size above there is no gap.
unsafe impl Plain for Question {}

/// How long the list of rules is taken to be at first, in bytes.
const SHORT: usize = 4096;

/// Reads a question that has so many bytes, and of flags at most these.
fn read(user: UserPtr, size: usize, known: u32) -> Result<Question> {
    let question: Question = plain::read_grown(user, size)?;
    if question.flags & !known != 0 {
        return Err(EINVAL);
    }
    Ok(question)
}

/// Gives the rules that hold.
///
/// # Errors
///
/// `EINVAL` and `E2BIG` where the question is no good, `EFAULT`, `ENOMEM`.
pub(super) fn show(user: UserPtr, size: usize) -> Result {
    let mut question = read(user, size, 0)?;
    let text = list()?;
    let shown = text.get(..question.size as usize).unwrap_or(&text);
    UserSlice::new(UserPtr::from_addr(question.text as usize), shown.len())
        .writer()
        .write_slice(shown)?;
    question.length = text.len() as u64;
    plain::write(user, &question)
}

/// The list of rules, as long as it is.
fn list() -> Result<KVVec<u8>> {
    let mut room = SHORT;
    loop {
        let mut buffer = alloc_hooks!(KVVec::from_elem(0u8, room, GFP_KERNEL))?;
        let mut text = Text::new(&mut buffer);
        let mut rules = rules::lock();
        rules.count()?;
        let done = commands::list(&mut text, &rules);
        drop(rules);
        let used = text.used();
        match done {
            Ok(()) => {
                buffer.truncate(used);
                return Ok(buffer);
            }
            Err(Full) => room *= 2,
        }
    }
}

/// Obeys a list of rules, on an open file that is to own them if it is asked to.
///
/// # Errors
///
/// As for [`show()`], and as for `commands::obey()`.
pub(super) fn obey(user: UserPtr, size: usize, ownership: &Ownership) -> Result {
    let question = read(user, size, bindings::ALLOCTAG_TEXT_OWNED)?;
    let owner = match question.flags & bindings::ALLOCTAG_TEXT_OWNED {
        0 => Owner::NOBODY,
        _ => ownership.own(),
    };
    let text = UserPtr::from_addr(question.text as usize);
    // As if it had come by debugfs.
    let may_fail = || !credentials::is_locked_down();
    commands::obey(text, question.size as usize, owner, may_fail)
}
