// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! What is doubtful about a saved profile, and what of it is new.

use crate::model::{Meta, Profile, Totals, Unreadable};
use crate::render::units::count;
use crate::source::file::ignored;

/// Something doubtful.
pub(super) struct Remark {
    pub(super) text: String,
    /// Whether it was not said of the one before, maybe with another number: real kernels always have some sites that are
    /// `accurate:no`.
    pub(super) is_news: bool,
    /// What lasts, without its number; `None` of what has happened once.
    lasting: Option<&'static str>,
}

impl Remark {
    /// What has happened once.
    pub(super) fn new(text: String) -> Remark {
        Remark { text, is_news: true, lasting: None }
    }
}

/// All that is doubtful about a profile that can be read. `previous` is the one before, with its remarks.
pub(super) fn remarks(profile: &Profile, previous: Option<(&Meta, &[Remark])>) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for (unreadable, word, of) in unreadable(profile).into_iter().filter(|(unreadable, ..)| unreadable.count > 0) {
        let first = unreadable.first.as_deref().unwrap_or_default();
        remarks.push(Remark::new(format!("{}{of} cannot be read (first: {first})", count(unreadable.count, word))));
    }
    let known = previous.map_or(&[][..], |(_, remarks)| remarks);
    remarks.extend(states(profile).map(|(what, text)| {
        let is_news = known.iter().all(|remark| remark.lasting != Some(what));
        Remark { text, is_news, lasting: Some(what) }
    }));
    remarks.extend(ignored(&profile.meta).map(Remark::new));
    if profile.meta.torn {
        remarks.push(Remark::new("modules came or went while it was read".to_owned()));
    }
    let since = previous.into_iter().flat_map(|(meta, _)| events(meta, &profile.meta));
    remarks.extend(since.map(|event| Remark::new(event.to_owned())));
    remarks
}

/// What of a profile cannot be read: of each kind of rows, with what one is called.
pub(super) fn unreadable(profile: &Profile) -> [(&Unreadable, &'static str, &'static str); 3] {
    [
        (profile.unreadable(), "row", ""),
        (profile.contexts.unreadable(), "context", ""),
        (profile.timings.unreadable(), "line", " of times"),
    ]
}

/// What may be so for long, and in words.
fn states(profile: &Profile) -> impl Iterator<Item = (&'static str, String)> {
    let (meta, totals) = (&profile.meta, profile.totals());
    let all = [totals.sites, totals.slab, totals.percpu];
    let sum = |of: fn(&Totals) -> usize| all.iter().map(of).sum::<usize>();
    let numbers = [
        (sum(|totals| totals.inaccurate), "site", "accurate:no"),
        (sum(|totals| totals.negative), "site", "below zero"),
        (profile.rows().iter().filter(|row| row.clipped).count(), "site", "with a clipped name"),
        (usize::try_from(meta.profiling.uncounted.unwrap_or(0)).unwrap_or(usize::MAX), "allocation", "uncounted"),
    ];
    let facts = [
        (meta.filtered, "only rows that match a filter"),
        (meta.profiling.enabled == Some(false), "profiling was off"),
    ];
    let numbers = numbers.into_iter().filter(|(number, ..)| *number > 0);
    let numbers = numbers.map(|(number, of, what)| (what, format!("{} {what}", count(number, of))));
    numbers.chain(facts.into_iter().filter(|fact| fact.0).map(|fact| (fact.1, fact.1.to_owned())))
}

/// What has happened between two snapshots.
fn events(before: &Meta, now: &Meta) -> impl Iterator<Item = &'static str> {
    let rebooted = matches!((&before.boot_id, &now.boot_id), (Some(a), Some(b)) if a != b);
    let reloaded = matches!((before.content_id, now.content_id), (Some(a), Some(b)) if a != b);
    let set_back = matches!((before.time_ms, now.time_ms), (Some(a), Some(b)) if b < a);
    let events = [
        (rebooted, "another boot than before"),
        (reloaded && !rebooted, "modules came or went since before"),
        (set_back, "the clock was set back"),
    ];
    events.into_iter().filter(|event| event.0).map(|event| event.1)
}
