// SPDX-License-Identifier: GPL-2.0-only

//! Single words that all CPUs change.

use alloctag_loom::{
    model::handle::Handle,
    orders,
    platform::{
        log::Warning,
        tally::{self, Tally},
    },
};
use kernel::{bindings::printed, cpu::on};

const ACCOUNT: Handle = Handle::from_word(3);
const HANDLES: usize = 4;

#[test]
fn a_warning_is_said_by_one() {
    static WARNING: Warning = Warning::new(c"it is");

    orders::all(|| {
        WARNING.take_back();
        let other = on(1, || WARNING.say());
        WARNING.say();
        other.join().unwrap();
        assert_eq!(printed(), 1);
        WARNING.take_back();
        WARNING.say();
        assert_eq!(printed(), 1);
    });
}

#[test]
fn of_all_who_waited_the_longest_stays() {
    orders::all(|| {
        // SAFETY: There is one thread.
        unsafe { tally::make(HANDLES) };
        let counts = || {
            [Tally::STALLS, Tally::STALL_NS, Tally::STALL_MAX_NS].map(|tally| tally.count(ACCOUNT))
        };
        assert_eq!(counts(), [0; 3]);
        let others =
            [(1, 5), (2, 3)].map(|(cpu, ns)| on(cpu, move || tally::add_stall(ACCOUNT, ns)));
        tally::add_stall(ACCOUNT, 4);
        for other in others {
            other.join().unwrap();
        }
        assert_eq!(counts(), [3, 12, 5]);
    });
}
