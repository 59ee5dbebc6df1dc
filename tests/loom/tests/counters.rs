// SPDX-License-Identifier: GPL-2.0-only

//! Counters of accounts, of which each CPU has its own.

use alloctag_loom::{
    model::handle::Handle,
    orders,
    platform::counters::{self, Counted, Place},
};
use kernel::{
    cpu::{migrate, on},
    sync::barrier::{smp_mb, Full},
};

const ACCOUNT: Handle = Handle::from_word(3);
const PAGE: usize = 4096;

/// Charges two pages that are one.
fn allocate() -> Place {
    let place = Place::of(ACCOUNT);
    assert!(counters::is_idle(ACCOUNT));
    place.add(2 * PAGE, None, || ());
    place
}

/// Frees one of them, as put_page_testzero() finds that nobody has it any more.
fn put(place: Place) {
    smp_mb(Full);
    place.sub(PAGE, None);
}

#[test]
fn what_is_split_and_freed_meanwhile_does_not_look_idle_before() {
    orders::all(|| {
        let place = allocate();
        let other = on(1, move || {
            counters::add_calls(place, 1);
            migrate(2);
            put(place);
            put(place);
        });
        if counters::is_idle(ACCOUNT) {
            assert_eq!(counters::total(ACCOUNT).frees, 2);
        }
        other.join().unwrap();
        assert!(counters::is_idle(ACCOUNT));
        assert_eq!(counters::total(ACCOUNT).allocs, 2);
    });
}
