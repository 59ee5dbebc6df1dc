// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A socket that systemd, or who speaks its language, listens on already: `LISTEN_PID`, `LISTEN_FDS` (sd_listen_fds(3)).

#![allow(unsafe_code)]

use std::ffi::OsString;
use std::net::TcpListener;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};

use rustix::io::{fcntl_getfd, fcntl_setfd, FdFlags};
use rustix::net::sockopt::socket_acceptconn;

use crate::error::{describe, Error, Result};

/// Where the sockets begin.
const FIRST: RawFd = 3;

/// How many sockets are meant for the process of that number.
fn count(process: u32, variable: impl Fn(&str) -> Option<OsString>) -> usize {
    let number = |name| variable(name).and_then(|value| value.to_str()?.parse::<u32>().ok());
    let ours = number("LISTEN_PID") == Some(process);
    number("LISTEN_FDS").filter(|_| ours).and_then(|count| count.try_into().ok()).unwrap_or(0)
}

/// The socket that this process was given, if it was.
///
/// # Errors
///
/// If there are several, or it is none that clients can be taken from.
pub(super) fn listener() -> Result<Option<TcpListener>> {
    let failed = |problem: &str| Error::failed("LISTEN_FDS", problem);
    match count(std::process::id(), |name| std::env::var_os(name)) {
        0 => return Ok(None),
        1 => {}
        _ => return Err(failed("there are several sockets; serve answers on one")),
    }
    // SAFETY: `LISTEN_PID` says that this process was started with a descriptor of that number for it to own, and nothing of
    // this program has taken or closed one of that number: it opens files only after this, and standard streams are below.
    let socket = unsafe { OwnedFd::from_raw_fd(FIRST) };
    // Asks whether there is such a descriptor at all, too.
    let flags = fcntl_getfd(&socket).and_then(|flags| fcntl_setfd(&socket, flags | FdFlags::CLOEXEC));
    let listens = flags.and_then(|()| socket_acceptconn(&socket));
    match listens {
        Ok(true) => {}
        Ok(false) => return Err(failed("the socket does not listen; its unit needs ListenStream= and Accept=no")),
        Err(error) => {
            // It was never ours, so that it must not be closed either.
            std::mem::forget(socket);
            return Err(failed(&describe(&error.into())));
        }
    }
    let listener = TcpListener::from(socket);
    listener.set_nonblocking(false).map_err(|error| failed(&describe(&error)))?;
    Ok(Some(listener))
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn sockets_are_for_whom_they_are_meant() {
        for (process, sockets, expected) in [
            (Some("7"), Some("1"), 1),
            (Some("7"), Some("2"), 2),
            (Some("8"), Some("1"), 0),
            (None, Some("1"), 0),
            (Some("7"), None, 0),
            (Some("7"), Some("-1"), 0),
        ] {
            let value = |name: &str| if name == "LISTEN_PID" { process } else { sockets };
            assert_eq!(count(7, |name| value(name).map(Into::into)), expected, "{process:?} {sockets:?}");
        }
    }
}
