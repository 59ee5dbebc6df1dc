// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! A file that is looked at.

use std::path::{Path, PathBuf};

use super::remark::{remarks, unreadable, Remark};
use crate::args::input::input;
use crate::command::Context;
use crate::error::Error;
use crate::model::{Meta, Names, Profile};
use crate::render::junit::Case;
use crate::render::style::Ink;
use crate::render::Cell;
use crate::source::{self, Request};
use crate::time::Clock;

/// What was found out about a file.
pub(super) struct Finding {
    pub(super) path: PathBuf,
    file: String,
    pub(super) whole: bool,
    /// `None` if it cannot be read.
    pub(super) meta: Option<Meta>,
    rows: usize,
    bytes: i64,
    pub(super) remarks: Vec<Remark>,
}

impl Finding {
    /// Looks at a file. `previous` is the one before that could be read.
    pub(super) fn of(file: &Path, previous: Option<&Finding>, context: &Context<'_>, names: &mut Names) -> Finding {
        let name = file.display().to_string();
        let previous = previous.and_then(|finding| Some((finding.meta.as_ref()?, &finding.remarks[..])));
        let request = Request { input: input(Some(file)), ..Request::live(&context.global.procfs) };
        // Of contexts and times alone a file may be, too.
        let request = Request { contexts: true, timings: true, ..request };
        match source::read(&request, names) {
            Ok(profile) => Finding {
                path: file.to_owned(),
                file: name,
                whole: unreadable(&profile).iter().all(|(unreadable, ..)| unreadable.count == 0),
                rows: rows(&profile),
                bytes: profile.totals().sites.bytes,
                remarks: remarks(&profile, previous),
                meta: Some(profile.meta),
            },
            Err(error) => Finding::broken(file, &error),
        }
    }

    /// What cannot be read: a file, or a recording of which there are none.
    pub(super) fn broken(path: &Path, error: &Error) -> Finding {
        let file = path.display().to_string();
        let remarks = vec![Remark::new(reason(error, &file))];
        Finding { path: path.to_owned(), file, whole: false, meta: None, rows: 0, bytes: 0, remarks }
    }

    /// Whether there is something to say that was not said of the one before.
    pub(super) fn is_news(&self) -> bool {
        !self.whole || self.remarks.iter().any(|remark| remark.is_news)
    }

    /// It as a test that fails if it is broken.
    pub(super) fn case(&self) -> Case {
        let remarks = self.said("\n");
        Case { name: self.file.clone(), failure: (!self.whole).then(|| ("broken".to_owned(), remarks)) }
    }

    /// Its row of the table.
    pub(super) fn cells(&self, clock: &Clock) -> Vec<Cell<'_>> {
        let verdict = if self.whole { "ok".into() } else { Cell::Word(Ink::Alarm, "BROKEN") };
        let (rows, bytes) = match self.meta {
            Some(_) => (Cell::size(self.rows), Cell::Bytes(self.bytes)),
            None => (Cell::Empty, Cell::Empty),
        };
        let time = self.meta.as_ref().and_then(|meta| meta.time_ms).map(|time| clock.date(time));
        let time = time.map_or(Cell::Empty, |time| Cell::Text(time.into()));
        vec![verdict, time, rows, bytes, self.file.as_str().into(), Cell::Text(self.said("; ").into())]
    }

    fn said(&self, between: &str) -> String {
        self.remarks.iter().map(|remark| remark.text.as_str()).collect::<Vec<_>>().join(between)
    }
}

/// How many rows it has: of call sites, or else of what it has in their place.
fn rows(profile: &Profile) -> usize {
    let others = || profile.contexts.list().len() + profile.timings.known().map(|(_, list)| list.len()).sum::<usize>();
    match profile.rows().len() {
        0 => others(),
        rows => rows,
    }
}

/// An error without the file's name in front, which stands beside it.
fn reason(error: &Error, name: &str) -> String {
    let text = error.to_string();
    text.strip_prefix(name).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(&text).to_owned()
}
