// SPDX-License-Identifier: GPL-2.0-only

//! Records of histograms: how long things took, of call sites.
//!
//! C header: `include/uapi/linux/alloctag.h`.

use super::{
    plain::{zeroes, Plain},
    query::{add, Full, Record},
};
#[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
use crate::detail::lifetimes::{self, Of};
#[cfg(CONFIG_ALLOCTAG_LATENCY)]
use crate::platform::histograms::LATENCY;
use crate::{
    model::{
        cursor::Cursor,
        handle::Handle,
        histogram::{self, Histogram},
        stall::Cause,
    },
    platform::{
        histograms::{Place, STALLS},
        resched,
    },
    registry::{self, Sections},
};
use core::mem::size_of;
use kernel::{
    bindings::{self, alloctag_histogram},
    prelude::*,
};

const _: () = assert!(size_of::<alloctag_histogram>() == 384);
const _: () = assert!(histogram::BUCKETS == bindings::ALLOCTAG_HISTOGRAM_BUCKETS as usize);
/// Causes have the numbers that the ABI gives to their kinds.
const _: () = assert!(Cause::Vmalloc as u32 == bindings::ALLOCTAG_HISTOGRAM_VMALLOC);

// SAFETY: Words; by the size above there is no gap.
unsafe impl Plain for alloctag_histogram {}

/// After how many places others who wait for the list have their turn. At each, all that is followed may be looked at.
const LOOKS: u64 = 64;

impl Record for alloctag_histogram {
    /// The kinds that are measured.
    const FIELDS: u32 = (1 << Cause::COUNT) - 1
        | (cfg!(CONFIG_ALLOCTAG_LATENCY) as u32) << bindings::ALLOCTAG_HISTOGRAM_LATENCY
        | (cfg!(CONFIG_ALLOCTAG_LIFETIMES) as u32) << bindings::ALLOCTAG_HISTOGRAM_LIFETIMES
        | (cfg!(CONFIG_ALLOCTAG_LIFETIMES) as u32) << bindings::ALLOCTAG_HISTOGRAM_AGES;

    fn gather(cursor: &mut Cursor, batch: &mut KVec<Self>, wanted: usize) -> Result<u64, Full> {
        let mut sections = registry::read();
        // As it is at the first record; the list may be another one at the last.
        let content = sections.content();
        let [mut place, mut list] = cursor.to_words();
        while batch.len() < wanted {
            let Some(look) = LISTS.get(list as usize) else {
                break;
            };
            resched::at_step(place);
            if place % LOOKS == LOOKS - 1 {
                drop(sections);
                sections = registry::read();
            }
            match look(&sections, place as usize) {
                Found::End => (place, list) = (0, list + 1),
                Found::Nothing => place += 1,
                Found::Record(record) => {
                    add(batch, record)?;
                    place += 1;
                }
            }
        }
        *cursor = Cursor::from_words([place, list]);
        Ok(content)
    }
}

/// What is found at a place of a list.
enum Found {
    /// It is behind the last one.
    End,
    /// Nothing was measured.
    Nothing,
    /// What is to be said.
    Record(alloctag_histogram),
}

/// Looks at a place of a list.
type Look = fn(&Sections, usize) -> Found;

/// What there is, one behind the other.
const LISTS: &[Look] = &[
    of_stalls,
    #[cfg(CONFIG_ALLOCTAG_LATENCY)]
    of_latency,
    #[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
    of_lifetimes,
    #[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
    of_ages,
];

fn of_stalls(sections: &Sections, place: usize) -> Found {
    found(sections, STALLS.at(place), |cause| cause as u32)
}

#[cfg(CONFIG_ALLOCTAG_LATENCY)]
fn of_latency(sections: &Sections, place: usize) -> Found {
    found(sections, LATENCY.at(place), |_| {
        bindings::ALLOCTAG_HISTOGRAM_LATENCY
    })
}

/// What is to be said of what is at a place.
fn found(sections: &Sections, place: Option<Place>, kind: impl Fn(usize) -> u32) -> Found {
    match place {
        None => Found::End,
        Some(Place::Empty) => Found::Nothing,
        Some(Place::Shared(number, histogram)) => Found::Record(shared(kind(number), &histogram)),
        Some(Place::Own(account, number, histogram)) => {
            Found::Record(own(sections, account, kind(number), &histogram))
        }
    }
}

/// How long lived what was freed, and how many were lost.
#[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
fn of_lifetimes(sections: &Sections, place: usize) -> Found {
    const KIND: u32 = bindings::ALLOCTAG_HISTOGRAM_LIFETIMES;
    let (lost, record) = match lifetimes::at(place) {
        None => return Found::End,
        Some(Of::Shared(all)) if !all.is_empty() => (all.lost, shared(KIND, &all.freed)),
        Some(Of::Own(account, all)) if !all.is_empty() => {
            (all.lost, own(sections, account, KIND, &all.freed))
        }
        Some(_) => return Found::Nothing,
    };
    Found::Record(alloctag_histogram { lost, ..record })
}

/// How old is what lives.
#[cfg(CONFIG_ALLOCTAG_LIFETIMES)]
fn of_ages(sections: &Sections, place: usize) -> Found {
    const KIND: u32 = bindings::ALLOCTAG_HISTOGRAM_AGES;
    match lifetimes::at(place) {
        None => Found::End,
        Some(Of::Shared(all)) if !all.alive.is_empty() => Found::Record(shared(KIND, &all.alive)),
        Some(Of::Own(account, all)) if !all.alive.is_empty() => {
            Found::Record(own(sections, account, KIND, &all.alive))
        }
        Some(_) => Found::Nothing,
    }
}

/// A record of what call sites share.
fn shared(kind: u32, histogram: &Histogram) -> alloctag_histogram {
    alloctag_histogram {
        flags: bindings::ALLOCTAG_HISTOGRAM_SHARED,
        ..filled(kind, histogram)
    }
}

/// A record of the call site that has an account.
fn own(
    sections: &Sections,
    account: Handle,
    kind: u32,
    histogram: &Histogram,
) -> alloctag_histogram {
    alloctag_histogram {
        id: sections.id_of(account).unwrap_or_default(),
        ..filled(kind, histogram)
    }
}

/// The numbers.
fn filled(kind: u32, histogram: &Histogram) -> alloctag_histogram {
    let mut record = alloctag_histogram {
        kind,
        count: histogram.count,
        ns: histogram.sum,
        min_ns: if histogram.is_empty() {
            0
        } else {
            histogram.least
        },
        max_ns: histogram.most,
        ..zeroes()
    };
    for (to, from) in record.buckets.iter_mut().zip(histogram.buckets) {
        *to = from.into();
    }
    record
}
