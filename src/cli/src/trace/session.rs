// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! From pieces of a trace to events in their order, and what they add up to.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use super::decode::{Decoder, Undecoded};
use super::event::{Actor, Event, Freed, What};
use super::flags::Flags;
use super::format::Format;
use super::head::{Head, Tail, Task};
use super::merge::Merge;
use super::page::{Layout, Lost};
use super::piece::Piece;
use super::sites::Sites;
use super::tally::{Scope, Seen, Tally};
use crate::model::Site;

/// An event, with what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Told<'t> {
    /// The event.
    pub event: &'t Event,
    /// What becomes of it.
    pub seen: Seen,
    /// The call site that it is about.
    pub site: Option<&'t Site>,
    /// Who did it, if their name is known.
    pub task: Option<&'t Task>,
    /// The function that it was freed from, if it was and that is known.
    pub caller: Option<&'t str>,
    /// What the flags are called that memory is asked for with.
    pub flags: &'t Flags,
}

/// Which call sites are wanted.
pub type Choice<'c> = Box<dyn Fn(&Site) -> bool + 'c>;

/// Who is told of each event that is counted, in order.
pub type Watch<'w> = dyn FnMut(&Told<'_>) -> io::Result<()> + 'w;

/// A trace that is being read.
pub struct Session<'c> {
    layout: Layout,
    decoder: Decoder,
    choice: Choice<'c>,
    /// Of each site whether it is wanted.
    wanted: Vec<bool>,
    merge: Merge,
    strangers: BTreeSet<u32>,
    /// Of the addresses that were met the functions, as far as they are known.
    callers: BTreeMap<u64, Option<String>>,
    /// Those that nobody was asked about.
    unnamed: BTreeSet<u64>,
    flags: Flags,
    /// The call sites.
    pub sites: Sites,
    /// Who threads belong to.
    pub tasks: BTreeMap<u32, Task>,
    /// What it adds up to.
    pub tally: Tally,
    /// Pages, and events, that could not be read.
    pub damaged: u64,
    /// What was told at the end.
    pub tail: Option<Tail>,
    /// The time of the last event or mark.
    pub last: u64,
}

impl<'c> Session<'c> {
    /// Begins to read a trace.
    ///
    /// # Errors
    ///
    /// If what stands in front of it makes no sense.
    pub fn new(head: &Head, choice: Choice<'c>) -> Result<Session<'c>, String> {
        let (layout, formats) = head.parse()?;
        let scope = Scope { tracer: head.tracer, command: head.command.is_some(), page_size: head.page_size };
        Ok(Session {
            layout,
            decoder: Decoder::new(&formats)?,
            choice,
            wanted: Vec::new(),
            merge: Merge::default(),
            strangers: BTreeSet::new(),
            callers: BTreeMap::new(),
            unnamed: BTreeSet::new(),
            flags: formats.iter().map(flags).find(|flags| !flags.is_empty()).unwrap_or_default(),
            sites: Sites::default(),
            tasks: BTreeMap::new(),
            tally: Tally::new(scope),
            damaged: 0,
            tail: None,
            last: head.begin,
        })
    }

    /// Takes a piece.
    ///
    /// # Errors
    ///
    /// Those of who is told.
    pub fn take(&mut self, piece: &Piece<'_>, watch: &mut Watch<'_>) -> io::Result<()> {
        match piece {
            Piece::Pages(cpu, pages) => {
                for page in pages.chunks(self.layout.size()) {
                    self.page(*cpu, page);
                }
                Ok(())
            }
            Piece::Tasks(tasks) => {
                self.tasks.extend(tasks.iter().map(|(thread, task)| (*thread, task.clone())));
                Ok(())
            }
            Piece::Callers(callers) => {
                self.callers.extend(callers.iter().map(|(address, name)| (*address, Some(name.clone()))));
                Ok(())
            }
            Piece::Mark(time) => {
                self.last = self.last.max(*time);
                self.tell(Some(*time), watch)
            }
            Piece::Tail(tail) => {
                self.last = self.last.max(tail.end);
                self.tail = Some(tail.clone());
                self.tell(None, watch)
            }
        }
    }

    /// Takes what is left of a trace that has no end.
    ///
    /// # Errors
    ///
    /// Those of who is told.
    pub fn end(&mut self, watch: &mut Watch<'_>) -> io::Result<()> {
        self.tell(None, watch)
    }

    /// The threads that have been seen since the last time that this was asked, and of which nothing is known.
    pub fn strangers(&mut self) -> BTreeSet<u32> {
        std::mem::take(&mut self.strangers)
    }

    /// The addresses that something was freed from since the last time that this was asked, and not before.
    pub fn unnamed(&mut self) -> BTreeSet<u64> {
        std::mem::take(&mut self.unnamed)
    }

    fn page(&mut self, cpu: u32, page: &[u8]) {
        let Some(page) = self.layout.read(page) else {
            self.damaged += 1;
            return;
        };
        if page.lost != Lost::None {
            let what = What::Lost(page.lost);
            self.merge.push(Event { time: page.records.time(), cpu, actor: Actor::Interrupt, what });
        }
        for record in page.records {
            let record = record.map_err(|_| Undecoded::Damaged);
            match record.and_then(|record| self.decoder.read(&record, cpu, &mut self.sites)) {
                Ok(event) if self.is_wanted(&event) => {
                    if let Actor::Task(thread) = event.actor {
                        if !self.tasks.contains_key(&thread) {
                            self.strangers.insert(thread);
                        }
                    }
                    if let What::Free(_, Freed { by }) = event.what {
                        if by != 0 && !self.callers.contains_key(&by) {
                            self.callers.insert(by, None);
                            self.unnamed.insert(by);
                        }
                    }
                    self.merge.push(event);
                }
                Ok(_) | Err(Undecoded::Foreign) => {}
                Err(Undecoded::Damaged) => self.damaged += 1,
            }
        }
    }

    fn is_wanted(&mut self, event: &Event) -> bool {
        while let Some(site) = self.sites.get(self.wanted.len()) {
            self.wanted.push((self.choice)(site));
        }
        event.what.site().is_none_or(|site| self.wanted.get(site).copied().unwrap_or(false))
    }

    /// Counts what is due, and tells it.
    fn tell(&mut self, until: Option<u64>, watch: &mut Watch<'_>) -> io::Result<()> {
        let due: Box<dyn Iterator<Item = Event> + '_> = match until {
            Some(time) => Box::new(self.merge.until(time)),
            None => Box::new(self.merge.rest()),
        };
        for event in due {
            self.last = self.last.max(event.time);
            let seen = self.tally.count(&event);
            if !seen.counted {
                continue;
            }
            let task = match event.actor {
                Actor::Task(thread) => self.tasks.get(&thread),
                Actor::Interrupt => None,
            };
            let site = event.what.site().and_then(|site| self.sites.get(site));
            let caller = match &event.what {
                What::Free(_, freed) => self.callers.get(&freed.by).and_then(Option::as_deref),
                _ => None,
            };
            watch(&Told { event: &event, seen, site, task, caller, flags: &self.flags })?;
        }
        Ok(())
    }
}

fn flags(format: &Format) -> Flags {
    Flags::parse(&format.print, "gfp_flags")
}

#[cfg(test)]
#[path = "session/tests.rs"]
mod tests;
