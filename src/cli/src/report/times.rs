// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! How long allocations of the sites took and lived, for the page's script.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::{json, Value};

use super::series::Track;
use crate::model::{Histogram, Site, Timed, Timings};

/// What there is of these sites: the place of each among them, what it is about, then how many, what half and 99 of a hundred took
/// at most, the longest, and the buckets that have something, each with its number.
pub(super) fn of_sites(tracks: &[Cow<'_, Track>], timings: &Timings) -> Vec<Value> {
    let real = tracks.iter().enumerate().filter(|(_, track)| track.folded == 0);
    let places: HashMap<&Site, usize> = real.map(|(place, track)| (&track.site, place)).collect();
    let mut told = Vec::new();
    for (timed, list) in timings.known() {
        for (timing, place) in list.iter().filter_map(|timing| Some((timing, places.get(&timing.site)?))) {
            let cause = timing.cause.as_deref().unwrap_or_default();
            let head = match timed {
                Timed::Stalls => format!("waited for {cause}"),
                Timed::Latency => "took".to_owned(),
                Timed::Lifetimes => "freed after".to_owned(),
            };
            told.extend(one(*place, &head, &timing.times));
            told.extend(one(*place, "alive for", &timing.ages));
        }
    }
    told
}

fn one(place: usize, head: &str, times: &Histogram) -> Option<Value> {
    let (half, most, longest) = (times.quantile(50)?, times.quantile(99)?, times.max_ns()?);
    let buckets: Vec<_> = times.buckets().iter().enumerate().filter(|(_, &count)| count > 0).collect();
    Some(json!([place, head, times.count(), half, most, longest, buckets]))
}
