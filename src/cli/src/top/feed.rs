// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Where the readings come from: the running kernel, or a recording at any place.

use std::path::PathBuf;

use crate::error::Result;
use crate::model::{Contexts, Names, Profile};
use crate::source::{self, contexts, Input, Request};

/// Where the readings come from.
#[derive(Debug)]
pub struct Feed {
    request: Request,
    /// The snapshots of a recording; none if the kernel is read.
    files: Vec<PathBuf>,
    /// The place of the last reading among them.
    at: Option<usize>,
}

/// How far a recording has been replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The place of the reading that is shown, from 0.
    pub at: usize,
    /// How many there are.
    pub of: usize,
}

impl Progress {
    /// Whether the last one is shown.
    pub fn is_at_end(self) -> bool {
        self.at + 1 >= self.of
    }
}

/// A reading that has been taken.
#[derive(Debug)]
pub struct Taken {
    /// The reading, or why there is none.
    pub reading: Result<Profile>,
    /// Its place in the recording; of the kernel it is always behind all others.
    pub place: usize,
}

impl Feed {
    /// The kernel, if there are no `files`, or a recording.
    pub fn new(request: Request, files: Vec<PathBuf>) -> Feed {
        Feed { request, files, at: None }
    }

    /// How far a recording has been replayed; `None` for the kernel.
    pub fn progress(&self) -> Option<Progress> {
        let of = self.files.len();
        (of > 0).then(|| Progress { at: self.at.unwrap_or(0), of })
    }

    /// The contexts of the reading that was taken last: of a recording its own, of the kernel those that there are now, and none
    /// where it has none.
    pub fn contexts(&self, reading: &Profile, names: &mut Names) -> Contexts {
        if self.files.is_empty() && self.request.input == Input::Live {
            return contexts::read(&self.request.procfs, names).map(|live| live.contexts).unwrap_or_default();
        }
        reading.contexts.clone()
    }

    /// Takes the reading that is `steps` behind the last one, or before it. Of the kernel there is only the next one.
    /// `None` if it has been taken: a recording ends.
    pub fn take(&mut self, steps: isize, names: &mut Names) -> Option<Taken> {
        let Some(last) = self.files.len().checked_sub(1) else {
            return Some(Taken { reading: source::read(&self.request, names), place: usize::MAX });
        };
        let place = self.at.map_or(0, |at| at.saturating_add_signed(steps).min(last));
        if self.at == Some(place) {
            return None;
        }
        self.at = Some(place);
        let request = Request { input: Input::File(self.files[place].clone()), ..self.request.clone() };
        Some(Taken { reading: source::read(&request, names), place })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn a_recording_is_passed_through_either_way_and_has_two_ends() {
        let files = (0..5).map(|number| format!("/no/{number}").into()).collect();
        let mut feed = Feed::new(Request::live(Path::new("/no")), files);
        let mut names = Names::new();
        // Steps, and the place to which they lead; none where one is there already.
        for (steps, place) in [
            (1, Some(0)),
            (1, Some(1)),
            (2, Some(3)),
            (-1, Some(2)),
            (9, Some(4)),
            (1, None),
            (-9, Some(0)),
            (-1, None),
        ] {
            let taken = feed.take(steps, &mut names);
            assert_eq!(taken.as_ref().map(|taken| taken.place), place, "{steps}");
            assert!(taken.is_none_or(|taken| taken.reading.is_err()), "what cannot be read has a place, too");
            assert_eq!(feed.progress().map(Progress::is_at_end), Some(feed.at == Some(4)));
        }
        assert_eq!(Feed::new(Request::live(Path::new("/no")), Vec::new()).progress(), None);
    }
}
