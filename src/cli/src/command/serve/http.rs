// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! As much of an HTTP/1.1 server as a scrape takes: GET and HEAD of a path, one answer a connection.
//!
//! A client that is slow or sends too much is dropped; one that stalls holds up nobody but itself.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of a request's head that are taken. Prometheus sends about 300.
const HEAD_LIMIT: usize = 8 << 10;

/// How long a client may take to ask, and again to take the answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Clients answered at a time; further ones are turned away.
const CLIENTS: usize = 8;

/// How an answer begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Ok,
    BadRequest,
    NotFound,
    WrongMethod,
    Failed,
    Busy,
}

impl Status {
    fn line(self) -> &'static str {
        match self {
            Status::Ok => "200 OK",
            Status::BadRequest => "400 Bad Request",
            Status::NotFound => "404 Not Found",
            Status::WrongMethod => "405 Method Not Allowed",
            Status::Failed => "500 Internal Server Error",
            Status::Busy => "503 Service Unavailable",
        }
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    pub(super) status: Status,
    pub(super) media_type: &'static str,
    pub(super) body: Vec<u8>,
}

impl Reply {
    /// A line for people.
    pub(super) fn text(status: Status, text: &str) -> Reply {
        Reply { status, media_type: "text/plain; charset=utf-8", body: text.into() }
    }

    fn send(&self, with_body: bool, out: &mut impl Write) -> io::Result<()> {
        let allow = if self.status == Status::WrongMethod { "Allow: GET, HEAD\r\n" } else { "" };
        let (status, length) = (self.status.line(), self.body.len());
        let mut answer = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {}\r\nContent-Length: {length}\r\n{allow}\
             X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
            self.media_type
        )
        .into_bytes();
        if with_body {
            answer.extend_from_slice(&self.body);
        }
        out.write_all(&answer)
    }
}

/// What a head asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked<'a> {
    /// The document at a path.
    Get(&'a str),
    /// What would be said of it.
    Head(&'a str),
    /// Something else, by HTTP.
    Other,
    /// This is no HTTP, or not all of it.
    Nonsense,
}

/// Answers by `reply`, which is given a path, for as long as there is a listener.
pub(super) fn serve(listener: &TcpListener, reply: &(impl Fn(&str) -> Reply + Sync)) {
    let clients = AtomicUsize::new(0);
    thread::scope(|scope| {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else {
                // Out of file descriptors, mostly: trying again at once would only burn time.
                thread::sleep(Duration::from_millis(100));
                continue;
            };
            let clients = &clients;
            if clients.fetch_add(1, Ordering::Relaxed) >= CLIENTS {
                clients.fetch_sub(1, Ordering::Relaxed);
                let _ = stream.set_write_timeout(Some(PATIENCE));
                let _ = Reply::text(Status::Busy, "too many at a time\n").send(true, &mut stream);
                continue;
            }
            scope.spawn(move || {
                // A client that has gone needs no answer.
                let _ = answer(&mut stream, reply);
                clients.fetch_sub(1, Ordering::Relaxed);
            });
        }
    });
}

fn answer(stream: &mut TcpStream, reply: &impl Fn(&str) -> Reply) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let head = head(stream)?;
    let (with_body, reply) = match parse(&head) {
        Asked::Get(path) => (true, reply(path)),
        Asked::Head(path) => (false, reply(path)),
        Asked::Other => (true, Reply::text(Status::WrongMethod, "GET and HEAD only\n")),
        Asked::Nonsense => (true, Reply::text(Status::BadRequest, "this is no HTTP request\n")),
    };
    reply.send(with_body, stream)
}

/// Reads up to the empty line, within [`PATIENCE`] and [`HEAD_LIMIT`].
fn head(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let deadline = Instant::now() + PATIENCE;
    let (mut head, mut part) = (Vec::new(), [0; 1024]);
    while !head.windows(4).any(|end| end == b"\r\n\r\n") && head.len() < HEAD_LIMIT {
        let left = deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero());
        stream.set_read_timeout(Some(left.ok_or(io::ErrorKind::TimedOut)?))?;
        match stream.read(&mut part)? {
            0 => break,
            length => head.extend_from_slice(&part[..length]),
        }
    }
    Ok(head)
}

/// Reads the head of a request, the empty line behind it included.
pub fn parse(head: &[u8]) -> Asked<'_> {
    let complete = head.windows(4).any(|end| end == b"\r\n\r\n");
    let line = head.split(|&byte| byte == b'\r').next().and_then(|line| std::str::from_utf8(line).ok());
    let words: Vec<&str> = line.filter(|_| complete).unwrap_or_default().split(' ').collect();
    let [method, target, version] = words[..] else { return Asked::Nonsense };
    if !version.starts_with("HTTP/1.") || !target.starts_with('/') {
        return Asked::Nonsense;
    }
    let path = target.split('?').next().unwrap_or(target);
    match method {
        "GET" => Asked::Get(path),
        "HEAD" => Asked::Head(path),
        _ => Asked::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_told_from_nonsense() {
        for (head, expected) in [
            ("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", Asked::Get("/metrics")),
            ("GET /metrics?a=b HTTP/1.0\r\n\r\n", Asked::Get("/metrics")),
            ("HEAD / HTTP/1.1\r\n\r\n", Asked::Head("/")),
            ("POST /metrics HTTP/1.1\r\n\r\n", Asked::Other),
            ("GET /metrics HTTP/1.1\r\nHost: x\r\n", Asked::Nonsense),
            ("GET /metrics HTTP/2\r\n\r\n", Asked::Nonsense),
            ("GET http://x/ HTTP/1.1\r\n\r\n", Asked::Nonsense),
            ("GET\r\n\r\n", Asked::Nonsense),
            ("", Asked::Nonsense),
        ] {
            assert_eq!(parse(head.as_bytes()), expected, "{head:?}");
        }
        assert_eq!(parse(b"\xff\xfe / HTTP/1.1\r\n\r\n"), Asked::Nonsense);
    }
}
