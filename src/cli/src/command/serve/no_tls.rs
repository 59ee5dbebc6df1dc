// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! No TLS: without the feature `tls` there is nothing to speak it with.

use std::convert::Infallible;
use std::io;
use std::net::TcpStream;
use std::path::Path;

use super::deadline::{Deadline, Timed};
use crate::error::{Error, Result};

/// Nobody.
pub(super) struct Tls(Infallible);

impl Tls {
    /// Says that there is none.
    ///
    /// # Errors
    ///
    /// In any case.
    pub(super) fn load(_: &Path, _: &Path) -> Result<Tls> {
        Err(Error::Usage("--tls-cert: this alloctag is built without TLS; cargo build --features tls".to_owned()))
    }

    /// Never happens.
    pub(super) fn converse(
        &self,
        _: Deadline<TcpStream>,
        _: impl FnOnce(&mut dyn Timed) -> io::Result<()>,
    ) -> io::Result<()> {
        match self.0 {}
    }
}
