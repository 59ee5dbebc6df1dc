// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The format in which profiles are kept: one profile a file, `.alloctag`.
//!
//! ```text
//! file    = magic major:u8 minor:u8 block…
//! magic   = 89 41 4C 54 41 47 0D 0A                 "\x89ALTAG\r\n"
//! block   = kind:4 length:u32 crc:u32 payload       little endian; the CRC-32 is over kind and payload
//! payload = gzip
//! ```
//!
//! | kind   | unpacked                                                                       |
//! |--------|--------------------------------------------------------------------------------|
//! | `META` | JSON: `meta` and `unreadable`                                                  |
//! | `BASE` | of a snapshot that rests on another one: the length and the name of its file, and its CRC-32 |
//! | `DIFF` | of the same: count of rows, then lengths and values of three columns: place, bytes, calls |
//! | `more` | of the same: count of columns, then for each its name and values, what is counted besides |
//! | `STRS` | the string table: count, then for each string its length and its UTF-8         |
//! | `ROWS` | count of rows, count of columns, then for each column its name, encoding, length in bytes and values |
//! | `ctxs` | the contexts, as the text of `/sys/kernel/debug/alloctag/contexts`                |
//! | `time` | how long allocations took and lived, as the texts of `stalls`, `latency` and `lifetimes` beside it |
//! | `DONE` | the count of rows; nothing comes behind it, and a file without it was cut off  |
//!
//! With a base, `ROWS` has only the rows that the base has not, or that differ from the base's in more than their numbers. A place is 0
//! for the next one of these, else one more than how far the base's row is from the one behind that of the place
//! before, with its sign; bytes and calls are what has been added to the base's, with its sign, and only of rows that it has. So are
//! the columns of `more`, each value one more than that and 0 if it is not known.
//!
//! Numbers in all blocks but `META` are LEB128 varints. The encodings of columns are in [`column`]. The first byte of
//! the magic has bit 7 set and its end is a DOS line end, so that a transfer as text is noticed.
//!
//! What a reader does not know it skips: fields of the JSON, columns by their name or encoding, blocks whose kind begins
//! with a small letter. Another block that it does not know, and another major version, it refuses.

pub(crate) mod block;
pub mod column;
mod delta;
mod more;
mod read;
pub(crate) mod varint;
mod write;

use std::fmt;

pub use delta::{checksum, Base, Rest};
pub use read::{decode, decode_on, meta, rest};
pub use write::{encode, encode_on};

/// How a snapshot begins.
pub const MAGIC: &[u8; 8] = b"\x89ALTAG\r\n";

/// How the names of snapshots end, without the dot.
pub const EXTENSION: &str = "alloctag";

/// Changes when old readers would go wrong.
const MAJOR: u8 = 1;
/// Changes when they would not.
const MINOR: u8 = 0;

/// The same of snapshots that rest on a base. What is new in them is in blocks that a reader must know.
const MINOR_ON_BASE: u8 = 1;

/// The same of those of kernels that count more than bytes and calls. Whoever does not know these numbers skips them.
const MINOR_WITH_NUMBERS: u8 = 2;

/// The same of those with contexts, which are skipped, too.
const MINOR_WITH_CONTEXTS: u8 = 3;

/// The same of those with times.
const MINOR_WITH_TIMES: u8 = 4;

/// Why bytes are no whole snapshot. Displays to follow the name of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SnapshotError {
    /// It ends before its end.
    Cut,
    /// A later major version than this code knows.
    Newer(u8),
    /// It rests on a base, which is not at hand: its name.
    Rests(String),
    /// A block that must be understood and is not.
    UnknownBlock(String),
    /// Something does not fit: where, and what.
    Damaged(&'static str, String),
}

impl SnapshotError {
    fn damaged(place: &'static str, problem: impl fmt::Display) -> Self {
        SnapshotError::Damaged(place, problem.to_string())
    }
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SnapshotError::Cut => f.write_str("is a snapshot that was cut off"),
            SnapshotError::Newer(major) => {
                write!(f, "is a snapshot of version {major}, which this alloctag does not know; update it")
            }
            SnapshotError::Rests(name) => {
                write!(f, "rests on {name}, which has to lie beside it; `alloctag snap FILE -o WHOLE` makes one that stands alone")
            }
            SnapshotError::UnknownBlock(kind) => {
                write!(f, "is a snapshot with a block {kind}, which this alloctag does not know; update it")
            }
            SnapshotError::Damaged(place, problem) => write!(f, "is a damaged snapshot ({place}: {problem})"),
        }
    }
}

impl std::error::Error for SnapshotError {}

#[cfg(test)]
mod tests;
