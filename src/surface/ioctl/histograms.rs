// SPDX-License-Identifier: GPL-2.0-only

//! Records of histograms: how long things took, of call sites.
//!
//! C header: `include/uapi/linux/alloctag.h`.

use super::{
    plain::{zeroes, Plain},
    query::{add, Full, Record},
};
use crate::{
    model::{cursor::Cursor, histogram, histogram::Histogram, stall::Cause},
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

impl Record for alloctag_histogram {
    /// The kinds that are measured.
    const FIELDS: u32 = (1 << Cause::COUNT) - 1;

    fn gather(cursor: &mut Cursor, batch: &mut KVec<Self>, wanted: usize) -> Result<u64, Full> {
        let sections = registry::read();
        let [mut place, _] = cursor.to_words();
        while batch.len() < wanted {
            let Some(found) = STALLS.at(place as usize) else {
                break;
            };
            resched::at_step(place);
            if let Some(record) = record(&sections, found) {
                add(batch, record)?;
            }
            place += 1;
        }
        *cursor = Cursor::from_words([place, 0]);
        Ok(sections.content())
    }
}

/// What is to be said of what is at a place.
fn record(sections: &Sections, place: Place) -> Option<alloctag_histogram> {
    match place {
        Place::Empty => None,
        Place::Shared(kind, histogram) => Some(alloctag_histogram {
            flags: bindings::ALLOCTAG_HISTOGRAM_SHARED,
            ..filled(kind, &histogram)
        }),
        Place::Own(account, kind, histogram) => Some(alloctag_histogram {
            id: sections.id_of(account).unwrap_or_default(),
            ..filled(kind, &histogram)
        }),
    }
}

/// The numbers.
fn filled(kind: usize, histogram: &Histogram) -> alloctag_histogram {
    let mut record = alloctag_histogram {
        kind: kind as u32,
        count: histogram.count,
        ns: histogram.sum,
        min_ns: histogram.least,
        max_ns: histogram.most,
        ..zeroes()
    };
    for (to, from) in record.buckets.iter_mut().zip(histogram.buckets) {
        *to = from.into();
    }
    record
}
