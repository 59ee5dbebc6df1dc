// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The format in which traces are kept.
//!
//! ```text
//! file  = magic major:u8 minor:u8 block…
//! magic = 89 41 4C 54 52 43 0D 0A                 "\x89ALTRC\r\n"
//! ```
//!
//! Blocks are those of a snapshot ([`snapshot`](crate::snapshot)): a kind, a length, a checksum, and what gzip made of this:
//!
//! | kind   | unpacked                                                                     |
//! |--------|------------------------------------------------------------------------------|
//! | `HEAD` | JSON: the kernel's own description of pages and events, and the circumstances; the first one |
//! | `PAGE` | the number of a CPU, 32 bits, and sub-buffers of its, as the kernel gave them |
//! | `task` | JSON: who threads belong to, and what they are called                        |
//! | `func` | JSON: which functions addresses lie in                                       |
//! | `MARK` | a time, 64 bits: all from before has been written                            |
//! | `TAIL` | JSON: when it ended, and what was lost; nothing comes behind it               |
//!
//! Numbers are little endian. A file is written as it goes on. One without `TAIL` was cut off, and what it has is still as good
//! as it was: perhaps the machine went down, and that is what one wants to see.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read, Write};

use super::head::{Head, Tail, Task};
use super::piece::Piece;
use crate::error::describe;
use crate::snapshot::block::{self, Kind};
use crate::snapshot::SnapshotError;

/// How a trace begins.
pub const MAGIC: &[u8; 8] = b"\x89ALTRC\r\n";
/// Changes when old readers would go wrong.
const MAJOR: u8 = 1;
/// Changes when they would not.
const MINOR: u8 = 1;

/// The most bytes that a block has, packed.
const LONGEST: u64 = 256 << 20;

/// Why a file cannot be read, or not to its end. Displays to follow its name.
#[derive(Debug)]
pub enum TraceError {
    /// It is none.
    Foreign,
    /// A later major version than this code knows.
    Newer(u8),
    /// It ends before its end.
    Cut,
    /// Something does not fit: where, and what.
    Damaged(&'static str, String),
    /// It cannot be read.
    Io(io::Error),
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraceError::Foreign => f.write_str("is no trace, such as `alloctag trace -o FILE` writes"),
            TraceError::Newer(major) => {
                write!(f, "is a trace of version {major}, which this alloctag does not know; update it")
            }
            TraceError::Cut => f.write_str("is a trace that was cut off"),
            TraceError::Damaged(place, problem) => write!(f, "is a damaged trace ({place}: {problem})"),
            TraceError::Io(error) => f.write_str(&describe(error)),
        }
    }
}

impl From<SnapshotError> for TraceError {
    fn from(error: SnapshotError) -> TraceError {
        match error {
            SnapshotError::Damaged(place, problem) => TraceError::Damaged(place, problem),
            _ => TraceError::Cut,
        }
    }
}

/// A trace that is being written.
#[derive(Debug)]
pub struct Writer<W>(W);

impl<W: Write> Writer<W> {
    /// Begins one.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn new(mut out: W, head: &Head) -> io::Result<Writer<W>> {
        out.write_all(MAGIC)?;
        out.write_all(&[MAJOR, MINOR])?;
        let mut writer = Writer(out);
        writer.block(*b"HEAD", &serde_json::to_vec(head)?)?;
        Ok(writer)
    }

    /// Writes a piece.
    ///
    /// # Errors
    ///
    /// Those of the output.
    pub fn put(&mut self, piece: &Piece<'_>) -> io::Result<()> {
        match piece {
            Piece::Pages(cpu, pages) => self.block(*b"PAGE", &[&cpu.to_le_bytes()[..], pages].concat()),
            Piece::Tasks(tasks) => self.block(*b"task", &serde_json::to_vec(tasks)?),
            Piece::Callers(callers) => self.block(*b"func", &serde_json::to_vec(callers)?),
            Piece::Mark(time) => self.block(*b"MARK", &time.to_le_bytes()),
            Piece::Tail(tail) => {
                self.block(*b"TAIL", &serde_json::to_vec(tail)?)?;
                self.0.flush()
            }
        }
    }

    fn block(&mut self, kind: Kind, content: &[u8]) -> io::Result<()> {
        let mut bytes = Vec::new();
        block::put_fast(&mut bytes, kind, content);
        self.0.write_all(&bytes)
    }
}

/// A trace that is being read.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    done: bool,
}

impl<R: Read> Reader<R> {
    /// Reads what stands in front.
    ///
    /// # Errors
    ///
    /// If it is no trace, or not even that is whole.
    pub fn new(mut input: R) -> Result<(Head, Reader<R>), TraceError> {
        let mut begin = Vec::new();
        (&mut input).take(MAGIC.len() as u64 + 2).read_to_end(&mut begin).map_err(TraceError::Io)?;
        match begin.strip_prefix(MAGIC.as_slice()) {
            Some(&[MAJOR, _]) => {}
            Some(&[] | &[MAJOR]) => return Err(TraceError::Cut),
            Some(&[major, ..]) => return Err(TraceError::Newer(major)),
            None if MAGIC.starts_with(&begin) && !begin.is_empty() => return Err(TraceError::Cut),
            None => return Err(TraceError::Foreign),
        }
        let mut reader = Reader { input, done: false };
        match reader.block()? {
            Some((kind, content)) if kind == *b"HEAD" => Ok((json("HEAD", &content)?, reader)),
            Some(_) => Err(damaged("HEAD", "it is not the first block")),
            None => Err(TraceError::Cut),
        }
    }

    /// The next piece; `None` behind the last one.
    ///
    /// # Errors
    ///
    /// If there is none, or it is damaged.
    pub fn piece(&mut self) -> Result<Option<Piece<'static>>, TraceError> {
        loop {
            if self.done {
                let mut one = Vec::new();
                (&mut self.input).take(1).read_to_end(&mut one).map_err(TraceError::Io)?;
                return if one.is_empty() { Ok(None) } else { Err(damaged("end", "something comes behind it")) };
            }
            let (kind, content) = self.block()?.ok_or(TraceError::Cut)?;
            return Ok(Some(match &kind {
                b"PAGE" => {
                    let (cpu, pages) = content.split_first_chunk().ok_or_else(|| damaged("PAGE", "it is too short"))?;
                    Piece::Pages(u32::from_le_bytes(*cpu), Cow::Owned(pages.to_vec()))
                }
                b"task" => Piece::Tasks(json::<BTreeMap<u32, Task>>("task", &content)?),
                b"func" => Piece::Callers(json::<BTreeMap<u64, String>>("func", &content)?),
                b"MARK" => {
                    let time = content.as_slice().try_into().map_err(|_| damaged("MARK", "it is no time"))?;
                    Piece::Mark(u64::from_le_bytes(time))
                }
                b"TAIL" => {
                    self.done = true;
                    Piece::Tail(json::<Tail>("TAIL", &content)?)
                }
                _ if kind[0].is_ascii_lowercase() => continue,
                _ => return Err(TraceError::Damaged("block", format!("{} is not known", block::name(kind)))),
            }));
        }
    }

    /// Takes a block off the input; `None` if there is nothing left.
    fn block(&mut self) -> Result<Option<(Kind, Vec<u8>)>, TraceError> {
        let mut bytes = Vec::new();
        let mut read = |length: u64, bytes: &mut Vec<u8>| {
            (&mut self.input).take(length).read_to_end(bytes).map_err(TraceError::Io)
        };
        if read(block::HEADER as u64, &mut bytes)? == 0 {
            return Ok(None);
        }
        let length = block::length(&bytes).ok_or(TraceError::Cut)?;
        if u64::from(length) > LONGEST {
            return Err(damaged("block", "it is longer than any"));
        }
        read(length.into(), &mut bytes)?;
        let (kind, packed) = block::take(&mut bytes.as_slice())?;
        Ok(Some((kind, block::unpack(packed)?)))
    }
}

fn json<T: serde::de::DeserializeOwned>(place: &'static str, content: &[u8]) -> Result<T, TraceError> {
    serde_json::from_slice(content).map_err(|error| damaged(place, error))
}

fn damaged(place: &'static str, problem: impl fmt::Display) -> TraceError {
    TraceError::Damaged(place, problem.to_string())
}

#[cfg(test)]
#[path = "file/tests.rs"]
mod tests;
