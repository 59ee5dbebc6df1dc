// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! Profiles side by side: for each call site, what it held in each of them.

use std::collections::HashMap;

use crate::compare::{pairs, Confidence};
use crate::model::{Name, Row, Site};

/// What a site held in one profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) bytes: i64,
    pub(super) calls: i64,
}

/// A call site, or several of a file.
#[derive(Clone, Debug)]
pub(super) struct Track {
    pub(super) site: Site,
    pub(super) accurate: bool,
    /// How many sites were folded into this one; 0 for a site that stands for itself.
    pub(super) folded: usize,
    /// One for each profile.
    pub(super) held: Vec<Held>,
}

impl Track {
    /// By how much this one matters: the most it held, in any profile.
    fn weight(&self) -> u64 {
        self.held.iter().map(|held| held.bytes.unsigned_abs()).max().unwrap_or_default()
    }
}

/// Profiles side by side.
#[derive(Clone, Debug, Default)]
pub struct Series {
    pub(super) tracks: Vec<Track>,
    /// How many matches were between sites that do not look the same.
    moved: usize,
}

impl Series {
    /// Matches the rows of each profile with what is known of earlier ones, as [`compare`](crate::compare) does; with `exact`, sites
    /// whose line has moved are taken for others. A site is called what the latest profile calls it. Sites that never held
    /// anything are left out.
    pub fn new<'p>(profiles: impl IntoIterator<Item = Vec<&'p Row>>, exact: bool) -> Series {
        let profiles: Vec<Vec<&Row>> = profiles.into_iter().collect();
        let mut latest: Vec<&Row> = Vec::new();
        let mut series = Series::default();
        for (number, rows) in profiles.iter().enumerate() {
            let mut places: Vec<Option<usize>> = vec![None; rows.len()];
            for pair in pairs(&latest, rows) {
                let moved = pair.confidence != Confidence::Exact;
                if moved && exact {
                    continue;
                }
                series.moved += usize::from(moved);
                places[pair.after] = Some(pair.before);
            }
            for (&row, place) in rows.iter().zip(places) {
                let place = place.unwrap_or_else(|| {
                    let held = vec![Held::default(); profiles.len()];
                    series.tracks.push(Track { site: row.site.clone(), accurate: true, folded: 0, held });
                    latest.push(row);
                    latest.len() - 1
                });
                latest[place] = row;
                let track = &mut series.tracks[place];
                track.site = row.site.clone();
                track.held[number] = Held { bytes: row.bytes, calls: row.calls };
                track.accurate &= row.accurate;
            }
        }
        series.tracks.retain(|track| track.held.iter().any(|held| *held != Held::default()));
        // The largest first: where folding begins is then a place in this list.
        series.tracks.sort_by(|a, b| b.weight().cmp(&a.weight()).then_with(|| a.site.cmp(&b.site)));
        series
    }

    /// How often a site was found again at another line or in another file.
    pub fn moved(&self) -> usize {
        self.moved
    }

    /// How many sites there are.
    pub fn len(&self) -> usize {
        self.tracks.len()
    }

    /// Whether no site ever held anything.
    pub fn is_empty(&self) -> bool {
        self.tracks.is_empty()
    }

    /// Keeps the `keep` largest sites; of the others, those of a file and module become one.
    pub(super) fn fold(&self, keep: usize) -> Series {
        let (kept, small) = self.tracks.split_at(keep.min(self.tracks.len()));
        let mut places: HashMap<(&Name, &Option<Name>), Vec<&Track>> = HashMap::new();
        for track in small {
            places.entry((&track.site.file, &track.site.module)).or_default().push(track);
        }
        let mut folded: Vec<Track> = places.into_values().map(|tracks| join(&tracks)).collect();
        folded.sort_by(|a, b| a.site.cmp(&b.site));
        Series { tracks: kept.iter().cloned().chain(folded).collect(), ..*self }
    }

    /// The same of some of the profiles.
    pub(super) fn pick(&self, profiles: &[usize]) -> Series {
        let pick = |track: &Track| {
            let held: Vec<Held> = profiles.iter().map(|&number| track.held[number]).collect();
            Track { held, ..track.clone() }
        };
        Series { tracks: self.tracks.iter().map(pick).collect(), ..*self }
    }
}

/// Several tracks of a file as one. A single one stays what it is.
fn join(tracks: &[&Track]) -> Track {
    let mut sum = tracks[0].clone();
    for track in &tracks[1..] {
        sum.accurate &= track.accurate;
        for (to, from) in sum.held.iter_mut().zip(&track.held) {
            // Row's invariant rules out overflow.
            to.bytes += from.bytes;
            to.calls += from.calls;
        }
    }
    if tracks.len() > 1 {
        sum.folded = tracks.len();
        sum.site.line = 0;
        sum.site.func = format!("other ({})", tracks.len()).as_str().into();
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Builder, Meta, Names, Profile};
    use crate::source::text;

    fn profile(input: &str) -> Profile {
        let mut names = Names::new();
        let mut builder = Builder::new(&mut names);
        text::parse(input.as_bytes(), &mut builder).unwrap();
        builder.finish(Meta::default())
    }

    fn series(inputs: &[&str]) -> Series {
        let profiles: Vec<Profile> = inputs.iter().map(|input| profile(input)).collect();
        Series::new(profiles.iter().map(|profile| profile.rows().iter().collect()), false)
    }

    fn sums(series: &Series) -> Vec<(i64, i64)> {
        let profiles = series.tracks.first().map_or(0, |track| track.held.len());
        let sum = |number: usize| {
            let held = series.tracks.iter().map(|track| track.held[number]);
            held.fold((0, 0), |sum, held| (sum.0 + held.bytes, sum.1 + held.calls))
        };
        (0..profiles).map(sum).collect()
    }

    const A: &str = "8 1 a.c:1 func:f \n100 2 a.c:2 func:g \n0 0 z.c:1 func:f \n3 1 b.c:1 func:f \n";
    const B: &str = "9 1 a.c:1 func:f \n7 7 c.c:1 [m] func:f \n2 1 a.c:9 func:h accurate:no\n";

    #[test]
    fn sites_come_and_go_between_profiles() {
        let series = series(&[A, B]);
        let held: Vec<_> =
            series.tracks.iter().map(|track| (track.site.line, track.held[0].bytes, track.held[1].bytes)).collect();
        assert_eq!(held, [(2, 100, 0), (1, 8, 9), (1, 0, 7), (1, 3, 0), (9, 0, 2)], "what is always empty is left out");
        assert_eq!(sums(&series), [(111, 4), (18, 9)]);
    }

    #[test]
    fn sites_whose_line_has_moved_are_found_again() {
        let profiles = [
            profile("8 1 a.c:10 func:f \n5 1 a.c:20 func:f \n"),
            profile("9 1 a.c:12 func:f \n6 1 a.c:22 func:f \n"),
            profile("0 0 z.c:1 func:z \n"),
        ];
        let of = |exact| Series::new(profiles.iter().map(|profile| profile.rows().iter().collect()), exact);
        let held = |series: &Series| {
            series
                .tracks
                .iter()
                .map(|track| (track.site.line, track.held.iter().map(|held| held.bytes).collect::<Vec<_>>()))
                .collect::<Vec<_>>()
        };
        let series = of(false);
        assert_eq!((held(&series), series.moved()), (vec![(12, vec![8, 9, 0]), (22, vec![5, 6, 0])], 2));
        assert_eq!((of(true).len(), of(true).moved()), (4, 0));
    }

    #[test]
    fn folding_keeps_the_sums_and_the_files() {
        let series = series(&[A, B]);
        for keep in 0..6 {
            let folded = series.fold(keep);
            assert_eq!(sums(&folded), sums(&series), "{keep}");
        }
        let folded = series.fold(0);
        let names: Vec<_> = folded.tracks.iter().map(|track| track.site.to_string()).collect();
        assert_eq!(names, ["a.c:0 func:other (3)", "b.c:1 func:f", "c.c:1 [m] func:f"], "one of a kind keeps its name");
        assert_eq!((folded.tracks[0].folded, folded.tracks[0].accurate), (3, false));
    }

    #[test]
    fn profiles_can_be_picked() {
        assert_eq!(sums(&series(&[A, B, A]).pick(&[1, 2])), [(18, 9), (111, 4)]);
    }
}
