// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag serve` where others are on the network: packed, with a token, by a socket that was there before, by TLS.

use std::io::Read;
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};

use flate2::read::GzDecoder;

use crate::harness::{directory, run, tool};
use crate::serve::Server;

#[test]
fn a_scrape_is_packed_for_those_who_unpack() {
    let server = Server::start("serve c-7.3.4.txt --listen 127.0.0.1:0");
    let answer = server.ask_bytes(b"GET /metrics HTTP/1.1\r\nAccept-Encoding: gzip, deflate\r\n\r\n");
    let end = answer.windows(4).position(|end| end == b"\r\n\r\n").unwrap() + 4;
    let head = String::from_utf8(answer[..end].to_vec()).unwrap();
    assert!(
        head.contains("\r\nContent-Encoding: gzip\r\n") && head.contains("\r\nVary: Accept-Encoding\r\n"),
        "{head}"
    );
    assert!(head.contains(&format!("\r\nContent-Length: {}\r\n", answer.len() - end)), "{head}");
    let mut body = String::new();
    GzDecoder::new(&answer[end..]).read_to_string(&mut body).unwrap();
    assert_eq!(body, run("export c-7.3.4.txt --format openmetrics").clean());
    assert!((answer.len() - end) * 3 < body.len(), "{} of {}", answer.len() - end, body.len());
    for refusing in ["identity", "gzip;q=0", "br"] {
        let request = format!("GET /metrics HTTP/1.1\r\nAccept-Encoding: {refusing}\r\n\r\n");
        assert!(server.ask(request.as_bytes()).ends_with(&body), "{refusing}");
    }
    let small = server.ask(b"GET / HTTP/1.1\r\nAccept-Encoding: gzip\r\n\r\n");
    assert!(small.ends_with("see /metrics\n"), "what is small is sent as it is: {small}");
}

#[test]
fn a_token_lets_in_those_who_know_it_and_others_are_told_what_it_takes() {
    let directory = directory(&[("token", "s3cret-T0ken\n")]);
    let file = directory.path().join("token");
    chmod(&file, "600");
    let server = Server::start(&format!("serve c-7.3.4.txt --listen 127.0.0.1:0 --token-file {}", file.display()));
    for (path, field, expected) in [
        ("/metrics", "", "401 Unauthorized"),
        ("/", "", "401 Unauthorized"),
        ("/nowhere", "", "401 Unauthorized"),
        ("/metrics", "Authorization: Bearer s3cret-T0keN\r\n", "401 Unauthorized"),
        ("/metrics", "Authorization: Basic s3cret-T0ken\r\n", "401 Unauthorized"),
        ("/metrics", "Authorization: Bearer s3cret-T0ken\r\n", "200 OK"),
        ("/metrics", "authorization: bearer s3cret-T0ken\r\n", "200 OK"),
        ("/nowhere", "Authorization: Bearer s3cret-T0ken\r\n", "404 Not Found"),
    ] {
        let answer = server.ask(format!("GET {path} HTTP/1.1\r\n{field}\r\n").as_bytes());
        assert!(answer.starts_with(&format!("HTTP/1.1 {expected}\r\n")), "{path} {field}: {answer}");
        let asks = answer.contains("\r\nWWW-Authenticate: Bearer realm=\"alloctag\"\r\n");
        assert_eq!((asks, answer.contains("kernel_alloc")), (expected.starts_with("401"), expected == "200 OK"));
    }
}

#[test]
fn what_is_wrong_with_a_token_is_said_at_once() {
    let directory = directory(&[("empty", "\n"), ("two", "one two\n")]);
    for (name, part) in [("empty", "holds no token"), ("two", "holds no token"), ("none", "no such file")] {
        let path = directory.path().join(name);
        let error = run(&format!("serve crafted-2.0.txt --token-file {}", path.display())).failed(1);
        assert!(error.contains(part) && error.contains(name), "{error}");
    }
}

fn chmod(path: &std::path::Path, mode: &str) {
    assert!(Command::new("chmod").arg(mode).arg(path).status().unwrap().success());
}

/// Starts the tool as systemd does, with a socket as its descriptor 3.
fn activated(listener: &TcpListener, sockets: &str, options: &str) -> Command {
    let tool = tool(&format!("serve crafted-2.0.txt {options}"));
    let mut shell = Command::new("sh");
    // A shell need not know descriptors of two digits, and the listener's may be one.
    shell.stdin(OwnedFd::from(listener.try_clone().unwrap()));
    shell.args(["-c", &format!("export LISTEN_PID=$$ LISTEN_FDS={sockets}; exec \"$@\" 3<&0 </dev/null"), "sh"]);
    shell.arg(tool.get_program()).args(tool.get_args()).current_dir(tool.get_current_dir().unwrap());
    shell
}

#[test]
fn a_socket_that_systemd_listens_on_is_taken() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let mut command = activated(&listener, "1", "--listen 127.0.0.1:1");
    let server = Server::of(command.stdout(Stdio::piped()).spawn().unwrap());
    assert_eq!(server.address, address, "it goes before --listen");
    assert!(server.ask(b"GET /metrics HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 200 "));
}

#[test]
fn a_socket_that_is_of_no_use_is_told() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let several = crate::harness::Ran::from(activated(&listener, "2", "").output().unwrap());
    assert!(several.failed(1).contains("LISTEN_FDS: there are several sockets"));
    let mut shell = Command::new("sh");
    let tool = env!("CARGO_BIN_EXE_alloctag");
    shell.args(["-c", &format!("LISTEN_PID=$$ LISTEN_FDS=1 exec {tool} serve 3</dev/null")]);
    let error = crate::harness::Ran::from(shell.output().unwrap()).failed(1);
    assert!(error.starts_with("alloctag: LISTEN_FDS: "), "{error}");
    shell = Command::new("sh");
    shell.args(["-c", &format!("LISTEN_PID=$$ LISTEN_FDS=1 exec {tool} serve 3<&-")]);
    let error = crate::harness::Ran::from(shell.output().unwrap()).failed(1);
    assert!(error.starts_with("alloctag: LISTEN_FDS: "), "{error}");
}

#[cfg(not(feature = "tls"))]
#[test]
fn without_tls_it_says_how_to_get_it() {
    let error = run("serve crafted-2.0.txt --tls-cert a --tls-key b").failed(2);
    assert!(error.contains("built without TLS; cargo build --features tls"), "{error}");
}

#[test]
fn a_certificate_takes_a_key() {
    assert!(run("serve crafted-2.0.txt --tls-cert a").failed(2).contains("--tls-key"));
    assert!(run("serve crafted-2.0.txt --tls-key a").failed(2).contains("--tls-cert"));
}

#[cfg(feature = "tls")]
mod tls {
    use super::*;
    use rustls::crypto::ring::default_provider;
    use rustls::pki_types::{pem::PemObject, CertificateDer};
    use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
    use std::io::Write;
    use std::net::TcpStream;
    use std::path::Path;
    use std::sync::Arc;
    use tempfile::TempDir;

    /// A server's certificate and its key, by an authority of its own: `cert.pem`, `key.pem`, `ca.pem`.
    fn certificates() -> TempDir {
        let directory = directory(&[("names", "subjectAltName=DNS:localhost,IP:127.0.0.1\n")]);
        let new = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test";
        let script = format!(
            "{new} -keyout ca.key -out ca.pem &&
             openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -keyout key.pem -out csr &&
             openssl x509 -req -in csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out cert.pem"
        );
        let made = Command::new("sh").args(["-ec", &script]).current_dir(directory.path()).output().unwrap();
        assert!(made.status.success(), "these tests need openssl: {made:?}");
        directory
    }

    fn ask(address: &str, authority: &Path, request: &[u8]) -> std::io::Result<String> {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_file(authority).unwrap()).unwrap();
        let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let client = ClientConnection::new(Arc::new(config), "localhost".try_into().unwrap()).unwrap();
        let mut stream = StreamOwned::new(client, TcpStream::connect(address)?);
        stream.write_all(request)?;
        let mut answer = String::new();
        // An end that was not said would be an error here.
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    }

    #[test]
    fn a_scrape_by_tls_is_the_same_and_takes_the_token_as_well() {
        let directory = certificates();
        let at = directory.path();
        std::fs::write(at.join("token"), "s3cret\n").unwrap();
        chmod(&at.join("token"), "600");
        let server = Server::start(&format!(
            "serve c-7.3.4.txt --listen 127.0.0.1:0 --tls-cert {0}/cert.pem --tls-key {0}/key.pem --token-file {0}/token",
            at.display()
        ));
        let authority = at.join("ca.pem");
        let answer =
            ask(&server.address, &authority, b"GET /metrics HTTP/1.1\r\nAuthorization: Bearer s3cret\r\n\r\n").unwrap();
        assert!(answer.ends_with(&run("export c-7.3.4.txt --format openmetrics").clean()), "{answer}");
        let answer = ask(&server.address, &authority, b"GET /metrics HTTP/1.1\r\n\r\n").unwrap();
        assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
        // Who does not speak it is answered nothing that could be taken for an answer; nor does that hold up others.
        assert!(!server.ask_bytes(b"GET /metrics HTTP/1.1\r\n\r\n").starts_with(b"HTTP"));
        let stranger = certificates();
        assert!(ask(&server.address, &stranger.path().join("ca.pem"), b"GET / HTTP/1.1\r\n\r\n").is_err());
        assert!(ask(&server.address, &authority, b"HEAD / HTTP/1.1\r\n\r\n").is_ok());
    }

    #[test]
    fn what_is_wrong_with_a_certificate_is_said_at_once() {
        let (directory, other) = (certificates(), certificates());
        let (at, other) = (directory.path().display().to_string(), other.path().display().to_string());
        for (certificate, key, part) in [
            (format!("{at}/no"), format!("{at}/key.pem"), "/no: "),
            (format!("{at}/cert.pem"), format!("{at}/no"), "/no: "),
            (format!("{at}/names"), format!("{at}/key.pem"), "/names: "),
            (format!("{at}/cert.pem"), format!("{at}/cert.pem"), "/cert.pem: "),
            (format!("{at}/cert.pem"), format!("{other}/key.pem"), "/cert.pem: "),
        ] {
            let line = format!("serve crafted-2.0.txt --tls-cert {certificate} --tls-key {key}");
            let error = run(&line).failed(1);
            assert!(error.contains(part), "{error}");
        }
    }
}
