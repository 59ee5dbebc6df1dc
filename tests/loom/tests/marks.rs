// SPDX-License-Identifier: GPL-2.0-only

//! The bits that say which call sites have events.

use alloctag_loom::{
    model::handle::Handle,
    orders,
    platform::marks::{self, Marks},
};
use kernel::{
    cpu::on,
    sync::{
        atomic::{Atomic, Relaxed},
        rcu,
    },
};

const ACCOUNT: Handle = Handle::from_word(7);
/// In the same word.
const NEXT: Handle = Handle::from_word(8);

/// Makes the bits, and looks at all that is looked at here.
fn make() -> Marks {
    let marks = Marks::make().unwrap();
    assert!(is_marked(ACCOUNT));
    assert!(!marks::are_open());
    marks
}

fn is_marked(account: Handle) -> bool {
    marks::is_marked(account, &rcu::read_lock())
}

#[test]
fn neighbours_do_not_undo_each_other() {
    orders::all(|| {
        let _marks = make();
        let other = on(1, || marks::set(NEXT, false));
        marks::set(ACCOUNT, false);
        other.join().unwrap();
        assert_eq!([ACCOUNT, NEXT].map(is_marked), [false; 2]);
        marks::set(ACCOUNT, true);
        assert_eq!([ACCOUNT, NEXT].map(is_marked), [true, false]);
    });
}

#[test]
fn who_looks_at_a_bit_has_it_as_long() {
    orders::all(|| {
        let marks = make();
        marks::set(ACCOUNT, false);
        let other = on(1, || is_marked(ACCOUNT));
        drop(marks);
        other.join().unwrap();
        assert!(is_marked(ACCOUNT), "all are, without bits");
    });
}

#[test]
fn who_finds_that_one_has_come_finds_which() {
    static CAME: Atomic<u32> = Atomic::new(0);

    orders::all(|| {
        CAME.load(Relaxed);
        let _marks = make();
        let other = on(1, || {
            CAME.store(1, Relaxed);
            marks::open();
        });
        let found = marks::take_open();
        assert!(!found || CAME.load(Relaxed) == 1);
        other.join().unwrap();
    });
}
