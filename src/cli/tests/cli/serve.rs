// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! `alloctag serve`, asked by hand.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use crate::harness::{directory, patiently, run, tool};

/// A running server, ended with the test.
pub struct Server {
    child: Child,
    pub address: String,
}

impl Server {
    pub fn start(line: &str) -> Server {
        Server::of(tool(line).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap())
    }

    /// That process, which has yet to say where it listens.
    pub fn of(mut child: Child) -> Server {
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let address = first.trim().split_once("://").and_then(|(_, rest)| rest.strip_suffix("/metrics"));
        Server { address: address.expect("it says where it listens").to_owned(), child }
    }

    pub fn ask(&self, request: &[u8]) -> String {
        String::from_utf8(self.ask_bytes(request)).unwrap()
    }

    pub fn ask_bytes(&self, request: &[u8]) -> Vec<u8> {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        // It may answer, and close, before it has read everything.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        answer
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn a_scrape_is_what_export_writes() {
    let server = Server::start("serve c-7.3.4.txt --listen 127.0.0.1:0");
    let answer = server.ask(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(
        head.starts_with("HTTP/1.1 200 OK\r\nContent-Type: application/openmetrics-text; version=1.0.0; "),
        "{head}"
    );
    assert!(head.contains(&format!("\r\nContent-Length: {}\r\n", body.len())), "{head}");
    assert_eq!(body, run("export c-7.3.4.txt --format openmetrics").clean());
    let head = server.ask(b"HEAD /metrics HTTP/1.1\r\n\r\n");
    assert!(head.ends_with("\r\n\r\n") && head.contains(&format!("Content-Length: {}", body.len())), "{head}");
}

#[test]
fn what_is_no_scrape_is_turned_down() {
    let server = Server::start("serve crafted-2.0.txt --listen 127.0.0.1:0 -g file -n 2");
    for (request, expected) in [
        (&b"GET / HTTP/1.1\r\n\r\n"[..], "HTTP/1.1 200 "),
        (b"GET /../etc/passwd HTTP/1.1\r\n\r\n", "HTTP/1.1 404 "),
        (b"POST /metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 405 "),
        (b"\x16\x03\x01 not http \r\n\r\n", "HTTP/1.1 400 "),
    ] {
        assert!(server.ask(request).starts_with(expected), "{expected}");
    }
    // Far beyond any head: it is not read to its end.
    let endless = [b"GET /metrics HTTP/1.1\r\nX: ".to_vec(), vec![b'x'; 1 << 20]].concat();
    server.ask(&endless);
    assert!(server.ask(b"GET /metrics HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 200 "), "it goes on");
}

#[test]
fn a_client_that_stalls_holds_up_nobody() {
    let server = Server::start("serve crafted-2.0.txt --listen 127.0.0.1:0");
    patiently(|_| {
        let stalled: Vec<TcpStream> = (0..3).map(|_| TcpStream::connect(&server.address).unwrap()).collect();
        assert!(server.ask(b"GET /metrics HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 200 "));
        // The answer has not waited for the server to give them up, unless the machine is as slow as that.
        let is_held = |mut stream: &TcpStream| {
            stream.set_nonblocking(true).unwrap();
            matches!(stream.read(&mut [0]), Err(error) if error.kind() == ErrorKind::WouldBlock)
        };
        stalled.iter().all(is_held).then_some(()).ok_or_else(|| "the stalled clients went first".to_owned())
    });
}

#[test]
fn a_profile_that_goes_away_is_told_to_the_scraper() {
    let directory = directory(&[("a.txt", "8 1 a.c:1 func:f \n")]);
    let file = directory.path().join("a.txt");
    let server = Server::start(&format!("serve {} --listen 127.0.0.1:0", file.display()));
    std::fs::remove_file(&file).unwrap();
    let answer = server.ask(b"GET /metrics HTTP/1.1\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 500 ") && answer.contains("no such file"), "{answer}");
}

#[test]
fn this_machine_has_a_name() {
    let server = Server::start("serve crafted-2.0.txt --listen localhost:0");
    assert!(server.address.starts_with("127.0.0.1:") || server.address.starts_with("[::1]:"), "{}", server.address);
    assert!(server.ask(b"GET /metrics HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 200 "));
}

#[test]
fn what_cannot_be_served_is_said_at_once() {
    assert!(run("serve /no/such/file").failed(1).contains("no such file"));
    assert!(run("serve -").failed(2).contains("standard input"));
    assert!(run("serve crafted-2.0.txt -n 0").failed(2).contains("-n 0"));
    for nowhere in ["nowhere", "localhost", "localhost:x", "nohost:9797", "127.0.0.1"] {
        let error = run(&format!("serve crafted-2.0.txt --listen {nowhere}")).failed(2);
        assert!(error.contains("no address and port such as 127.0.0.1:9797"), "{error}");
    }
    let server = Server::start("serve crafted-2.0.txt --listen 127.0.0.1:0");
    let error = run(&format!("serve crafted-2.0.txt --listen {}", server.address)).failed(1);
    assert!(error.contains("address already in use"), "{error}");
    assert!(run("serve --help").clean().contains("[default: 127.0.0.1:9797]"));
}
