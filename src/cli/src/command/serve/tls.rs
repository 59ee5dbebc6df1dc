// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! TLS, by rustls.

use std::io::{self, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;

use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::deadline::{Deadline, Timed};
use crate::error::{Error, Result};

/// Who this server is.
pub(super) struct Tls(Arc<ServerConfig>);

impl Tls {
    /// Reads a chain of certificates, the server's first, and the key of that one, as PEM.
    ///
    /// # Errors
    ///
    /// If they cannot be read, or do not fit.
    pub(super) fn load(certificates: &Path, key: &Path) -> Result<Tls> {
        let failed = |path: &Path, error: &dyn std::fmt::Display| Error::failed(path.display(), error);
        let chain: std::result::Result<Vec<CertificateDer<'static>>, _> =
            CertificateDer::pem_file_iter(certificates).and_then(Iterator::collect);
        let chain = chain.map_err(|error| failed(certificates, &error))?;
        let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| failed(key, &error))?;
        let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|config| config.with_no_client_auth().with_single_cert(chain, secret))
            .map_err(|error| failed(certificates, &error))?;
        Ok(Tls(Arc::new(config)))
    }

    /// Has a conversation that others cannot follow.
    ///
    /// # Errors
    ///
    /// Those of the connection, of the other side's TLS, and of `talk`.
    pub(super) fn converse(
        &self,
        stream: Deadline<TcpStream>,
        talk: impl FnOnce(&mut dyn Timed) -> io::Result<()>,
    ) -> io::Result<()> {
        let connection = ServerConnection::new(Arc::clone(&self.0)).map_err(io::Error::other)?;
        let mut stream = StreamOwned::new(connection, stream);
        talk(&mut stream)?;
        stream.conn.send_close_notify();
        stream.flush()
    }
}

impl Timed for StreamOwned<ServerConnection, Deadline<TcpStream>> {
    fn begin_anew(&mut self) {
        self.get_mut().begin_anew();
    }
}
