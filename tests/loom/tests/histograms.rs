// SPDX-License-Identifier: GPL-2.0-only

//! Histograms that all CPUs count in.

use alloctag_loom::{
    model::{capacity::Capacity, handle::Handle, histogram::Histogram, probe, stall::Cause},
    orders,
    platform::histograms::{self, Place, Pool, LATENCY, STALLS},
};
use kernel::{
    cpu::on,
    sync::{
        atomic::{Atomic, Relaxed},
        rcu,
    },
};

const ACCOUNT: Handle = Handle::from_word(7);

/// The place where an account's first kind is looked for first, as the table has its keys.
fn home(account: Handle) -> usize {
    Cause::COUNT + probe::home(Capacity::LEAST.ilog2(), account.index() << 3)
}

/// Makes the smallest table, and looks at all of it.
fn prepare() {
    histograms::set_capacity(Capacity::of(Capacity::LEAST).unwrap());
    STALLS.prepare().unwrap();
    assert_eq!(all(&STALLS), []);
}

/// Counts one, as who waits does.
fn add(account: Handle, ns: u64) {
    if let Some(recording) = STALLS.record(&rcu::read_lock()) {
        recording.add(account, 0, ns);
    }
}

/// What there is.
fn all<const KINDS: usize>(pool: &Pool<KINDS>) -> Vec<(Handle, Histogram)> {
    let places = (0..).map_while(|place| pool.at(place));
    let own = places.filter_map(|place| match place {
        Place::Own(account, 0, histogram) => Some((account, histogram)),
        Place::Own(..) | Place::Shared(..) => panic!("nobody counted in that"),
        Place::Empty => None,
    });
    own.collect()
}

/// What is counted of so many that took as long.
fn of(times: &[u64]) -> Histogram {
    let mut histogram = Histogram::EMPTY;
    times.iter().for_each(|ns| histogram.add(*ns));
    histogram
}

#[test]
fn two_that_find_none_take_the_same_and_neither_is_lost() {
    orders::all(|| {
        prepare();
        let other = on(1, || add(ACCOUNT, 3));
        add(ACCOUNT, 9);
        other.join().unwrap();
        assert_eq!(all(&STALLS), [(ACCOUNT, of(&[3, 9]))]);
    });
}

#[test]
fn two_accounts_that_want_the_same_take_two() {
    let mut others = (ACCOUNT.get() + 1..).map(Handle::from_word);
    let rival = others.find(|other| home(*other) == home(ACCOUNT)).unwrap();
    orders::all(move || {
        prepare();
        let other = on(1, move || add(rival, 3));
        add(ACCOUNT, 9);
        other.join().unwrap();
        assert!(matches!(STALLS.at(home(ACCOUNT)), Some(Place::Own(..))));
        let mut all = all(&STALLS);
        all.sort_by_key(|(account, _)| account.get());
        assert_eq!(all, [(ACCOUNT, of(&[9])), (rival, of(&[3]))]);
    });
}

#[test]
fn who_finds_that_there_is_one_finds_all_of_it() {
    // As long as the one before, shorter, longer.
    for ns in [9, 3, 20] {
        orders::all(move || {
            prepare();
            add(ACCOUNT, 9);
            let place = (0..)
                .position(|place| matches!(STALLS.at(place), Some(Place::Own(..))))
                .unwrap();
            let other = on(1, move || add(ACCOUNT, ns));
            let Some(Place::Own(ACCOUNT, 0, found)) = STALLS.at(place) else {
                panic!("it has gone");
            };
            if found.count == 2 {
                assert_eq!(found, of(&[9, ns]));
            }
            other.join().unwrap();
        });
    }
}

/// Whether of what one CPU forgets, while another one counts 9, nothing is left, or that; 11 came behind both.
fn is_whole(left: &[(Handle, Histogram)]) -> bool {
    [&[11][..], &[9, 11]]
        .map(|times| [(ACCOUNT, of(times))])
        .iter()
        .any(|whole| whole == left)
}

#[test]
fn what_is_forgotten_meanwhile_is_there_as_a_whole_or_not_at_all() {
    static FORGOTTEN: Atomic<u32> = Atomic::new(0);

    // Hundreds of words are cleared: two interruptions among these are many orders.
    orders::with(1, || {
        FORGOTTEN.load(Relaxed);
        prepare();
        add(ACCOUNT, 3);
        add(ACCOUNT, 20);
        let other = on(1, || add(ACCOUNT, 9));
        STALLS.forget(|| FORGOTTEN.store(1, Relaxed));
        other.join().unwrap();
        assert_eq!(FORGOTTEN.load(Relaxed), 1);
        add(ACCOUNT, 11);
        let left = all(&STALLS);
        assert!(is_whole(&left), "{left:?}");
    });
}

#[test]
fn and_so_it_is_where_nobody_asks_whether_it_is_forgotten() {
    let add = |ns| {
        let _guard = rcu::read_lock();
        // SAFETY: By the guard.
        unsafe { LATENCY.add_within(ACCOUNT, 0, ns) }
    };
    orders::with(1, move || {
        histograms::set_capacity(Capacity::of(Capacity::LEAST).unwrap());
        LATENCY.prepare().unwrap();
        assert_eq!(all(&LATENCY), []);
        add(3);
        add(20);
        let other = on(1, move || add(9));
        LATENCY.forget(|| ());
        other.join().unwrap();
        add(11);
        let left = all(&LATENCY);
        assert!(is_whole(&left), "{left:?}");
    });
}
