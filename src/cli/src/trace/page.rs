// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! The kernel's ring buffer as it hands it out: sub-buffers of some pages, each with a head and records.
//!
//! ```text
//! page   = time:u64 commit:long record…          where each lies, `header_page` says
//! commit = bytes of records, bit 31: some before these are lost, bit 30: how many stands behind them, as a long
//! record = type_len:5 time_delta:27 …            nanoseconds since the record before, or since the time of the page
//! ```
//!
//! | type_len | what it is | bytes in all |
//! |----------|------------|--------------|
//! | 0        | an event whose length is the next word                              | 4 + that word |
//! | 1…28     | an event of so many words                                           | 4 + 4 times that |
//! | 29       | nothing, to the end if time_delta is 0; else the next word tells    | 4 + that word |
//! | 30       | time_delta and the next word, above it, are nanoseconds that passed | 8 |
//! | 31       | the same, the time itself without its five highest bits             | 8 |
//!
//! See `include/linux/ring_buffer.h` and `rb_update_read_stamp()` of Linux 7.3.

use super::format::{fields, find, Field};

/// Bits of a record's first word that tell its kind.
const KIND_BITS: u32 = 5;
/// Those that tell the time.
const TIME_BITS: u32 = 27;
/// The largest kind that is an event.
const LONGEST_SHORT: u32 = 28;
const PADDING: u32 = 29;
const TIME_EXTEND: u32 = 30;
/// Bits of a time that a record cannot tell.
const UNTOLD: u64 = 0xf8 << 56;

/// Some events before the page are lost.
const MISSED: u64 = 1 << 31;
/// How many stands behind its records.
const MISSED_STORED: u64 = 1 << 30;

/// Where what is in a page lies.
///
/// # Invariants
///
/// `time`, `commit` and `data` lie within `size` bytes; `size` is more than where `data` begins, and at most 16 MiB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    time: Field,
    commit: Field,
    /// Where records begin.
    data: usize,
    size: usize,
}

impl Layout {
    /// Reads the text of `header_page`.
    ///
    /// # Errors
    ///
    /// What is missing.
    pub fn parse(text: &str) -> Result<Layout, String> {
        let fields = fields(text);
        let field = |name: &str| find(&fields, name).ok_or_else(|| format!("a page has no field `{name}`"));
        let (time, commit, data) = (field("timestamp")?, field("commit")?, field("data")?);
        let is_number = |field: &Field| (4..=8).contains(&field.size) && field.offset + field.size <= data.offset;
        if !is_number(time) || !is_number(commit) || data.size == 0 {
            return Err("a page's head is of an unknown shape".to_owned());
        }
        Ok(Layout { time: time.clone(), commit: commit.clone(), data: data.offset, size: data.offset + data.size })
    }

    /// Bytes of a page.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Reads the head of a page. `None` if it is of another length, or says that it has more than it can have.
    pub fn read<'p>(&self, page: &'p [u8]) -> Option<Page<'p>> {
        if page.len() != self.size {
            return None;
        }
        let time = self.time.number(page)?;
        let commit = self.commit.number(page)?;
        let length = usize::try_from(commit & (MISSED_STORED - 1)).ok()?;
        let (records, behind) = page.get(self.data..)?.split_at_checked(length)?;
        let stored = Field { offset: 0, signed: false, ..self.commit.clone() };
        let lost = match (commit & MISSED, commit & MISSED_STORED) {
            (0, _) => Lost::None,
            (_, 0) => Lost::Some,
            _ => Lost::So(stored.number(behind)?),
        };
        Some(Page { lost, records: Records { rest: records, time } })
    }
}

/// How many events were lost in front of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// None.
    None,
    /// Some.
    Some,
    /// So many.
    So(u64),
}

/// What is in a page.
#[derive(Clone, Debug)]
pub struct Page<'p> {
    /// What is missing in front of it.
    pub lost: Lost,
    /// Its events.
    pub records: Records<'p>,
}

/// An event of which nothing but its time is known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'p> {
    /// When, in nanoseconds of the buffer's clock.
    pub time: u64,
    /// Its bytes, up to a word more than it has.
    pub event: &'p [u8],
}

/// A page is damaged where one of its records should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

/// The events of a page, in their order.
#[derive(Clone, Debug)]
pub struct Records<'p> {
    rest: &'p [u8],
    /// That of the record before.
    time: u64,
}

impl Records<'_> {
    /// When the next record is, if it says nothing else.
    pub fn time(&self) -> u64 {
        self.time
    }
}

impl<'p> Iterator for Records<'p> {
    type Item = Result<Record<'p>, Damaged>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.rest.is_empty() {
            match self.step() {
                Some(None) => {}
                Some(Some(record)) => return Some(Ok(record)),
                None => {
                    self.rest = &[];
                    return Some(Err(Damaged));
                }
            }
        }
        None
    }
}

impl<'p> Records<'p> {
    /// Takes a record off the front: an event, or something else. `None` if it is damaged.
    fn step(&mut self) -> Option<Option<Record<'p>>> {
        let head = self.word()?;
        let (kind, delta) = (head & ((1 << KIND_BITS) - 1), u64::from(head >> KIND_BITS));
        match kind {
            PADDING if delta == 0 => self.rest = &[],
            // Whoever gave an event up left its time in it, which counts for nothing.
            PADDING => {
                let length = self.word()?.checked_sub(4)?;
                self.bytes(length)?;
            }
            kind if kind > PADDING => {
                let told = u64::from(self.word()?) << TIME_BITS | delta;
                self.time = if kind == TIME_EXTEND { self.time.wrapping_add(told) } else { whole(told, self.time) };
            }
            kind => {
                // The word that tells the length is part of it.
                let length = if kind == 0 { self.word()?.checked_sub(4)? } else { kind * 4 };
                let event = self.bytes(length)?;
                self.time = self.time.wrapping_add(delta);
                return Some(Some(Record { time: self.time, event }));
            }
        }
        Some(None)
    }

    fn word(&mut self) -> Option<u32> {
        let (word, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(u32::from_le_bytes(*word))
    }

    fn bytes(&mut self, length: u32) -> Option<&'p [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(usize::try_from(length).ok()?)?;
        self.rest = rest;
        Some(bytes)
    }
}

/// A time of which the highest bits are those of the one before, or one more where the rest has begun anew.
fn whole(told: u64, before: u64) -> u64 {
    if before & UNTOLD == 0 {
        return told;
    }
    let time = told | before & UNTOLD;
    if time < before {
        time.wrapping_add(1 << 59)
    } else {
        time
    }
}

const _: () = assert!(LONGEST_SHORT + 1 == PADDING && KIND_BITS + TIME_BITS == 32);

#[cfg(test)]
#[path = "page/tests.rs"]
mod tests;
