// SPDX-License-Identifier: GPL-2.0-only

//! What is followed until it is freed.

use alloctag_loom::{
    model::{capacity::Capacity, handle::Handle},
    orders,
    platform::followed::{self, Followed, Handles},
};
use kernel::{
    bindings::printed,
    cpu::on,
    sync::{
        atomic::{Acquire, Atomic, Relaxed, Release},
        rcu,
    },
};

const SITE: Handle = Handle::from_word(7);
const OTHER: Handle = Handle::from_word(8);
/// The first handle that is nobody's.
const BEHIND: usize = 1000;

/// Begins to follow something at the first place that is free.
fn begin(site: Handle, now: u64) -> Followed {
    Followed::begin(site, site, now, 0).unwrap()
}

/// Makes the smallest table. Returns the first of its handles.
fn make() -> usize {
    let least = Capacity::of(Capacity::LEAST).unwrap();
    assert!(followed::set_capacity(least));
    followed::make(BEHIND).unwrap()
}

/// The same, and looks at so many of its places.
fn prepare(places: usize) -> usize {
    let first = make();
    // SAFETY: Nobody has one of them.
    let handles = unsafe { Handles::publish(first) };
    let taken: Vec<_> = (0..places).map(|_| begin(SITE, 2)).collect();
    for followed in taken {
        assert_eq!(Followed::of(followed.handle()).unwrap().end(), (SITE, 2));
    }
    drop(handles);
    first
}

/// Lets them be had, for as long as the test runs.
fn publish(first: usize) {
    // SAFETY: Nobody has one of them.
    core::mem::forget(unsafe { Handles::publish(first) });
}

#[test]
fn a_place_is_had_by_one_at_a_time() {
    orders::all(|| {
        publish(prepare(2));
        let other = on(1, || {
            let followed = begin(OTHER, 20);
            let handle = followed.handle();
            assert_eq!(Followed::of(handle).unwrap().kept(), OTHER);
            assert_eq!(followed.end(), (OTHER, 20));
        });
        let followed = begin(SITE, 10);
        assert_eq!(followed.kept(), SITE);
        assert_eq!(followed.end(), (SITE, 10));
        other.join().unwrap();
        assert!(followed::is_empty());
        assert_eq!(printed(), 0);
    });
}

#[test]
fn what_another_cpu_frees_is_what_was_allocated() {
    static KEPT: Atomic<u32> = Atomic::new(0);

    orders::all(|| {
        publish(prepare(1));
        KEPT.load(Relaxed);
        let other = on(1, || {
            // Acquire: who frees something was given it.
            let kept = KEPT.load(Acquire);
            kept > 0 && {
                let followed = Followed::of(Handle::from_word(kept)).unwrap();
                assert_eq!(followed.end(), (SITE, 10));
                true
            }
        });
        KEPT.store(begin(SITE, 10).handle().get(), Release);
        let is_freed = other.join().unwrap();
        assert_eq!(followed::is_empty(), is_freed);
    });
}

#[test]
fn who_looks_at_a_place_finds_no_call_site_with_anothers_time() {
    orders::all(|| {
        publish(prepare(1));
        let other = on(1, || {
            begin(SITE, 10).end();
            begin(OTHER, 20).end();
        });
        followed::each(|_, site, since| {
            assert!(
                [(SITE, 10), (OTHER, 20)].contains(&(site, since)),
                "{site:?} {since}"
            )
        });
        other.join().unwrap();
    });
}

#[test]
fn who_frees_what_has_such_a_handle_finds_that_it_is_one() {
    static KEPT: Atomic<u32> = Atomic::new(0);

    orders::all(|| {
        let first = prepare(1);
        KEPT.load(Relaxed);
        let other = on(1, || {
            let _guard = rcu::read_lock();
            // Not ordered: C's hooks read a reference as any other word.
            let kept = KEPT.load(Relaxed);
            assert!(kept == 0 || Followed::of(Handle::from_word(kept)).is_some());
        });
        publish(first);
        KEPT.store(begin(SITE, 10).handle().get(), Relaxed);
        other.join().unwrap();
    });
}

#[test]
fn an_account_is_not_taken_for_one_when_the_first_come() {
    let is_followed = || Followed::of(SITE).is_some();
    orders::all(move || {
        assert!(!is_followed());
        let first = make();
        let other = on(1, is_followed);
        publish(first);
        assert!(!other.join().unwrap());
    });
}

#[test]
fn a_handle_that_an_account_gets_afterwards_is_not_taken_for_one() {
    static KEPT: Atomic<u32> = Atomic::new(0);

    orders::all(|| {
        let first = prepare(1);
        KEPT.load(Relaxed);
        // SAFETY: Nobody has one of them.
        let handles = unsafe { Handles::publish(first) };
        let other = on(1, || {
            let _guard = rcu::read_lock();
            let kept = KEPT.load(Relaxed);
            assert!(kept == 0 || Followed::of(Handle::from_word(kept)).is_none());
        });
        drop(handles);
        KEPT.store(first as u32, Relaxed);
        other.join().unwrap();
    });
}
