// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Rules by ioctl: what `control` in debugfs shows and takes.

use std::os::fd::AsFd;

use rustix::io::Errno;

use super::abi::rules;

/// Bytes. What a list of some rules has.
const ROOM: usize = 4096;

/// How often the list may grow while it is asked for.
const ATTEMPTS: u32 = 8;

/// The list of rules; nothing if the kernel has no such ioctl.
///
/// # Errors
///
/// What the kernel says.
pub fn show(file: impl AsFd) -> Result<Option<Vec<u8>>, Errno> {
    let mut text = vec![0; ROOM];
    for _ in 0..ATTEMPTS {
        let length = match rules::show(file.as_fd(), &mut text) {
            Err(Errno::NOTTY) => return Ok(None),
            length => length?,
        };
        let fits = length <= text.len();
        text.resize(length, 0);
        if fits {
            return Ok(Some(text));
        }
    }
    Err(Errno::AGAIN)
}

/// Has the kernel obey a list of rules; `false` if it has no such ioctl.
///
/// # Errors
///
/// What the kernel says: none of them holds then.
pub fn obey(file: impl AsFd, text: &str) -> Result<bool, Errno> {
    known(rules::obey(file.as_fd(), text, 0))
}

/// The same of rules that go with the open file.
///
/// # Errors
///
/// What the kernel says: none of them holds then.
pub fn own(file: impl AsFd, text: &str) -> Result<bool, Errno> {
    known(rules::obey(file.as_fd(), text, rules::OWNED))
}

fn known(done: Result<(), Errno>) -> Result<bool, Errno> {
    match done {
        Err(Errno::NOTTY) => Ok(false),
        done => done.map(|()| true),
    }
}
