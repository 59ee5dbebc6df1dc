// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! As much of an HTTP/1.1 server as a scrape takes: GET and HEAD of a path, one answer a connection.
//!
//! A client that is slow or sends too much is dropped; one that stalls holds up nobody but itself.

use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use flate2::write::GzEncoder;
use flate2::Compression;

use super::deadline::{Deadline, Timed};
use super::tls::Tls;
use super::token::Token;

/// Bytes of a request's head that are taken. Prometheus sends about 300.
const HEAD_LIMIT: usize = 8 << 10;

/// How long a client may take to ask, and again to take the answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Bytes from which on packing an answer saves something.
const WORTH_PACKING: usize = 512;

/// Clients answered at a time; further ones are turned away.
const CLIENTS: usize = 8;

/// How an answer begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Ok,
    BadRequest,
    Unauthorized,
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
            Status::Unauthorized => "401 Unauthorized",
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

    /// It as it is sent, `packed` if the client unpacks and it is worth it.
    fn encode(&self, with_body: bool, packed: bool) -> io::Result<Vec<u8>> {
        let packed = packed && self.status == Status::Ok && self.body.len() >= WORTH_PACKING;
        let body = if packed { pack(&self.body)? } else { self.body.clone() };
        let (status, length) = (self.status.line(), body.len());
        let more = match self.status {
            Status::WrongMethod => "Allow: GET, HEAD\r\n",
            Status::Unauthorized => "WWW-Authenticate: Bearer realm=\"alloctag\"\r\n",
            _ if packed => "Content-Encoding: gzip\r\n",
            _ => "",
        };
        let mut answer = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {}\r\nContent-Length: {length}\r\n{more}\
             Vary: Accept-Encoding\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
            self.media_type
        )
        .into_bytes();
        if with_body {
            answer.extend_from_slice(&body);
        }
        Ok(answer)
    }
}

fn pack(body: &[u8]) -> io::Result<Vec<u8>> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(body)?;
    gzip.finish()
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

/// One of the [`CLIENTS`] that are answered at a time, until it is dropped: by whatever that comes.
struct Seat<'c>(&'c AtomicUsize);

impl<'c> Seat<'c> {
    /// One, if there is one left.
    fn take(clients: &'c AtomicUsize) -> Option<Seat<'c>> {
        let seat = Seat(clients);
        (clients.fetch_add(1, Ordering::Relaxed) < CLIENTS).then_some(seat)
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// How clients are answered.
pub(super) struct Server<R> {
    /// What there is at a path.
    pub(super) reply: R,
    /// What clients have to know.
    pub(super) token: Option<Token>,
    /// How what is said is hidden from others.
    pub(super) tls: Option<Tls>,
}

impl<R: Fn(&str) -> Reply + Sync> Server<R> {
    /// Answers for as long as there is a listener.
    pub(super) fn serve(&self, listener: &TcpListener) {
        let clients = AtomicUsize::new(0);
        thread::scope(|scope| {
            for stream in listener.incoming() {
                let Ok(stream) = stream else {
                    // Out of file descriptors, mostly: trying again at once would only burn time.
                    thread::sleep(Duration::from_millis(100));
                    continue;
                };
                let stream = Deadline::new(stream, PATIENCE);
                let Some(seat) = Seat::take(&clients) else {
                    self.turn_away(stream);
                    continue;
                };
                // Where there is no thread to be had, the connection is closed, and the next one tried.
                let _ = thread::Builder::new().spawn_scoped(scope, move || {
                    let _seat = seat;
                    // A client that has gone needs no answer.
                    let _ = self.attend(stream);
                });
            }
        });
    }

    /// A secret greeting takes time that there is none for.
    fn turn_away(&self, mut stream: Deadline<TcpStream>) {
        if self.tls.is_none() {
            let busy = Reply::text(Status::Busy, "too many at a time\n").encode(true, false);
            let _ = busy.and_then(|busy| stream.write_all(&busy));
        }
    }

    fn attend(&self, mut stream: Deadline<TcpStream>) -> io::Result<()> {
        match &self.tls {
            None => self.talk(&mut stream),
            Some(tls) => tls.converse(stream, |stream| self.talk(stream)),
        }
    }

    fn talk(&self, stream: &mut dyn Timed) -> io::Result<()> {
        let answer = self.answer(&head(stream)?)?;
        // Making it takes as long as it takes: that is none of the client's time.
        stream.begin_anew();
        stream.write_all(&answer)?;
        stream.flush()
    }

    fn answer(&self, head: &[u8]) -> io::Result<Vec<u8>> {
        let allowed = || self.token.as_ref().is_none_or(|token| token.opens(header(head, "authorization")));
        let reply = |path| match allowed() {
            true => (self.reply)(path),
            false => Reply::text(Status::Unauthorized, "this takes a bearer token\n"),
        };
        let (with_body, reply) = match parse(head) {
            Asked::Get(path) => (true, reply(path)),
            Asked::Head(path) => (false, reply(path)),
            Asked::Other => (true, Reply::text(Status::WrongMethod, "GET and HEAD only\n")),
            Asked::Nonsense => (true, Reply::text(Status::BadRequest, "this is no HTTP request\n")),
        };
        reply.encode(with_body, header(head, "accept-encoding").is_some_and(unpacks_gzip))
    }
}

/// Reads up to the empty line, within the stream's time and [`HEAD_LIMIT`].
fn head(stream: &mut dyn Timed) -> io::Result<Vec<u8>> {
    let (mut head, mut part) = (Vec::new(), [0; 1024]);
    while !head.windows(4).any(|end| end == b"\r\n\r\n") && head.len() < HEAD_LIMIT {
        match stream.read(&mut part)? {
            0 => break,
            length => head.extend_from_slice(&part[..length]),
        }
    }
    Ok(head)
}

/// The value of a field of a head, by its name in lower case; the first if there are several.
pub fn header<'h>(head: &'h [u8], name: &str) -> Option<&'h str> {
    let lines = head.split(|&byte| byte == b'\n').skip(1).filter_map(|line| std::str::from_utf8(line).ok());
    lines
        .filter_map(|line| line.split_once(':'))
        .find(|(known, _)| known.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.trim())
}

/// Whether a client that accepts these encodings accepts gzip (RFC 9110, 12.5.3). What names it goes before `*`.
pub fn unpacks_gzip(accepted: &str) -> bool {
    let weight = |wanted: &str| {
        let found = accepted
            .split(',')
            .map(|part| part.split_once(';').unwrap_or((part, "")))
            .find(|(name, _)| name.trim().eq_ignore_ascii_case(wanted));
        found.map(|(_, weight)| weight.trim().trim_start_matches("q=").parse::<f32>().unwrap_or(1.0))
    };
    weight("gzip").or_else(|| weight("x-gzip")).or_else(|| weight("*")).is_some_and(|weight| weight > 0.0)
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
    use std::io::Read;
    use std::sync::Mutex;

    use super::*;

    /// A connection that notes what is done with it.
    struct Noted<'n> {
        input: &'n [u8],
        done: &'n Mutex<Vec<&'static str>>,
    }

    impl Read for Noted<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.input.read(buffer)
        }
    }

    impl Write for Noted<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.done.lock().unwrap().push("written");
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Timed for Noted<'_> {
        fn begin_anew(&mut self) {
            self.done.lock().unwrap().push("given time");
        }
    }

    #[test]
    fn a_client_has_its_time_from_when_the_answer_is_made() {
        let done = Mutex::new(Vec::new());
        let reply = |_: &str| {
            done.lock().unwrap().push("made");
            Reply::text(Status::Ok, "1\n")
        };
        let server = Server { reply, token: None, tls: None };
        server.talk(&mut Noted { input: b"GET / HTTP/1.1\r\n\r\n", done: &done }).unwrap();
        assert_eq!(*done.lock().unwrap(), ["made", "given time", "written"]);
    }

    #[test]
    fn a_seat_is_free_again_whatever_becomes_of_its_client() {
        let clients = AtomicUsize::new(0);
        let seats: Vec<Seat<'_>> = (0..CLIENTS).map(|_| Seat::take(&clients).unwrap()).collect();
        assert!(Seat::take(&clients).is_none() && Seat::take(&clients).is_none(), "asking takes none");
        drop(seats);
        let panicked = thread::scope(|scope| {
            let seat = Seat::take(&clients).unwrap();
            let attending = scope.spawn(move || {
                let _seat = seat;
                std::panic::resume_unwind(Box::new(()));
            });
            attending.join().is_err()
        });
        assert_eq!((panicked, clients.load(Ordering::Relaxed)), (true, 0));
    }

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

    #[test]
    fn fields_are_found_by_their_names_in_any_case() {
        let head = b"GET / HTTP/1.1\r\nHost: x\r\naccept-ENCODING:  gzip, br \r\nX: \xff\r\nHost: y\r\n\r\n";
        assert_eq!(header(head, "accept-encoding"), Some("gzip, br"));
        assert_eq!((header(head, "host"), header(head, "x"), header(head, "get /")), (Some("x"), None, None));
    }

    #[test]
    fn gzip_is_for_those_who_accept_it() {
        for (accepted, expected) in [
            ("gzip", true),
            ("deflate, GZIP;q=0.5", true),
            ("*", true),
            ("x-gzip", true),
            ("identity", false),
            ("gzip;q=0", false),
            ("gzip;q=0, *", false),
            ("gzip; q=0.001", true),
            ("*;q=0", false),
            ("gzipped", false),
            ("", false),
        ] {
            assert_eq!(unpacks_gzip(accepted), expected, "{accepted}");
        }
    }
}
