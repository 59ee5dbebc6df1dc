// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What has to be known to read a trace: what stands in front of it, and what is told at its end.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::format::Format;
use super::page::Layout;

/// What stands in front of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Head {
    /// The kernel's release.
    pub release: String,
    /// Milliseconds since 1970 when it began.
    pub time_ms: Option<u64>,
    /// The same in nanoseconds of the tracer's clock.
    pub begin: u64,
    /// Bytes of a page of memory.
    pub page_size: u64,
    /// What the kernel says of a sub-buffer.
    pub header_page: String,
    /// What it says of each kind of event.
    pub formats: Vec<String>,
    /// The tracer's own thread: what that does is no part of it.
    pub tracer: u32,
    /// The command that alone is traced, and what it starts; what others free of it is, too.
    pub command: Option<Vec<String>>,
    /// What of all events there is in it, where the kernel was told to leave some out.
    pub condition: Option<String>,
    /// What the kernel had counted before.
    pub before: Option<Before>,
}

/// What the kernel had counted before a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Before {
    /// Allocations.
    pub allocs: i64,
    /// Those of them that lived.
    pub calls: i64,
    /// Their bytes, without pages that back other call sites'.
    pub bytes: i64,
}

/// What is told at the end of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tail {
    /// When it ended, in nanoseconds of the tracer's clock.
    pub end: u64,
    /// What each CPU has lost.
    pub losses: BTreeMap<u32, Losses>,
}

/// What a CPU's buffer has lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Losses {
    /// Events that others were written over.
    pub overrun: u64,
    /// Events for which there was no room, for something that they had interrupted was not at its end.
    pub commit_overrun: u64,
    /// Events for which there was no room otherwise.
    pub dropped: u64,
}

/// Who a thread belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The process.
    pub process: u32,
    /// What it is called.
    pub name: String,
}

impl Head {
    /// How its pages are laid out, and its events.
    ///
    /// # Errors
    ///
    /// What of it makes no sense.
    pub fn parse(&self) -> Result<(Layout, Vec<Format>), String> {
        let formats: Result<Vec<Format>, String> = self.formats.iter().map(|text| Format::parse(text)).collect();
        Ok((Layout::parse(&self.header_page)?, formats?))
    }
}

impl Losses {
    /// Reads the text of a CPU's `stats`; what it does not tell is 0.
    pub fn parse(text: &str) -> Losses {
        let number = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            line.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
        };
        Losses {
            overrun: number("overrun"),
            commit_overrun: number("commit overrun"),
            dropped: number("dropped events"),
        }
    }

    /// All of them.
    pub fn sum(&self) -> u64 {
        self.overrun.saturating_add(self.commit_overrun).saturating_add(self.dropped)
    }

    /// Adds those of another buffer.
    pub fn add(&mut self, other: Losses) {
        self.overrun = self.overrun.saturating_add(other.overrun);
        self.commit_overrun = self.commit_overrun.saturating_add(other.commit_overrun);
        self.dropped = self.dropped.saturating_add(other.dropped);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_read_by_their_names() {
        let text = "entries: 5\noverrun: 7\ncommit overrun: 2\nbytes: 9\noldest event ts:  1.000002\n\
                    now ts:  3.000001\ndropped events: 3\nread events: 11\n";
        let losses = Losses::parse(text);
        assert_eq!((losses.overrun, losses.commit_overrun, losses.dropped, losses.sum()), (7, 2, 3, 12));
        assert_eq!(Losses::parse("overrun: x\n"), Losses::default());
    }
}
