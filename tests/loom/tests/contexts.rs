// SPDX-License-Identifier: GPL-2.0-only

//! The table of contexts.

use alloctag_loom::{
    model::{
        context::{Key, Start},
        handle::Handle,
        load::Load,
        rule::Keys,
    },
    orders,
    platform::contexts::{Context, Published, Table},
};
use kernel::{
    cpu::{migrate, on},
    sync::{
        atomic::{Atomic, Relaxed},
        rcu,
    },
};

/// As few as there are.
const CAPACITY: usize = 16;

/// What tells a process's context apart.
fn key(pid: u32) -> Key<'static> {
    let mut key = Key::new(Handle::from_word(7), Start::new(1, Keys::OF_TASK, false));
    key.set_pid(pid);
    key
}

fn load() -> Load {
    Load::of(64, 0)
}

/// Makes a table, and looks at the chains of these processes and at as many of its places.
fn publish(pids: &[u32]) -> Published {
    let table = Published::new(Table::make(CAPACITY).unwrap());
    for pid in pids {
        let context = table.find_or_make(key(*pid)).unwrap();
        assert_eq!(context.totals().calls, 0);
        assert!(context.born() > 0);
    }
    // The place that was taken first is free first again.
    for place in table.places().rev() {
        let context = table.context(place).unwrap();
        context.unlink();
        assert!(context.mark() && context.free());
    }
    table
}

/// Charges an object to a process's context. Returns what the object keeps.
fn allocate(pid: u32) -> Handle {
    let guard = rcu::read_lock();
    let context = Published::get(&guard)
        .unwrap()
        .find_or_make(key(pid))
        .unwrap();
    context.give(load());
    context.handle()
}

/// Frees an object that keeps that. Nothing is held, for the object itself keeps the context.
fn free(kept: Handle) {
    Context::of(kept).unwrap().take(load());
}

/// Takes away what is idle, as it is done where there is little room.
fn tidy(table: &Table) {
    let contexts = || table.places().filter_map(|place| table.context(place));
    contexts().for_each(Context::unlink);
    let marked: Vec<_> = contexts().filter(|context| context.mark()).collect();
    rcu::synchronize_rcu();
    // Hooks that begin now are not waited for.
    kernel::elsewhere();
    for context in marked {
        context.free();
    }
}

/// How many objects each context has.
fn alive(table: &Table) -> Vec<u64> {
    let contexts = table.places().filter_map(|place| table.context(place));
    contexts.map(|context| context.totals().calls).collect()
}

#[test]
fn two_that_find_none_make_one() {
    orders::all(|| {
        let table = publish(&[1]);
        let other = on(1, || allocate(1));
        let kept = allocate(1);
        assert_eq!(other.join().unwrap(), kept);
        assert_eq!(alive(&table), [2]);
    });
}

#[test]
fn who_finds_a_context_finds_what_it_is() {
    orders::all(|| {
        let table = publish(&[1]);
        let before = table.left();
        let other = on(1, || allocate(1));
        {
            let guard = rcu::read_lock();
            if let Some(found) = Published::get(&guard).unwrap().find(key(1)) {
                assert!(found.is_linked());
                assert_eq!(found.key(), key(1));
                assert!(found.born() > 1, "when the one before began");
            }
        }
        other.join().unwrap();
        assert_eq!(table.left(), before - 1);
    });
}

#[test]
fn who_walks_over_the_places_finds_what_is_there() {
    orders::all(|| {
        let table = publish(&[1]);
        let other = on(1, || allocate(1));
        for context in table.places().filter_map(|place| table.context(place)) {
            assert_eq!(context.key(), key(1));
            assert!(context.born() > 1, "when the one before began");
        }
        other.join().unwrap();
    });
}

#[test]
fn a_context_stays_as_long_as_something_is_charged_to_it() {
    orders::all(|| {
        let table = publish(&[1, 2]);
        let other = on(1, || allocate(1));
        tidy(&table);
        let kept = other.join().unwrap();
        assert_eq!(alive(&table), [1]);
        assert_eq!(Context::of(kept).unwrap().key(), key(1));
        free(kept);
        tidy(&table);
        assert_eq!(alive(&table), []);
    });
}

#[test]
fn what_is_never_idle_does_not_look_so() {
    orders::all(|| {
        let table = publish(&[1]);
        let first = allocate(1);
        let context = Context::of(first).unwrap();
        let other = on(1, move || {
            allocate(1);
            free(first);
        });
        assert!(!context.is_idle());
        other.join().unwrap();
        assert_eq!(alive(&table), [1]);
    });
}

#[test]
fn a_place_is_nobody_elses_as_long_as_somebody_looks_at_it() {
    orders::all(|| {
        let table = publish(&[1, 2]);
        free(allocate(1));
        let other = on(1, || {
            let guard = rcu::read_lock();
            if let Some(found) = Published::get(&guard).unwrap().find(key(1)) {
                let born = found.born();
                kernel::elsewhere();
                assert_eq!((found.key(), found.born()), (key(1), born));
            }
        });
        tidy(&table);
        allocate(2);
        other.join().unwrap();
        assert_eq!(alive(&table), [1]);
    });
}

#[test]
fn what_comes_and_goes_meanwhile_keeps_the_place_for_who_takes_it_away() {
    orders::all(|| {
        let table = publish(&[1, 2]);
        free(allocate(1));
        let other = on(1, || {
            let guard = rcu::read_lock();
            let table = Published::get(&guard).unwrap();
            let context = table.find_or_make(key(1)).unwrap();
            kernel::elsewhere();
            context.give(load());
            let kept = context.handle();
            drop(guard);
            migrate(2);
            kernel::elsewhere();
            let _guard = rcu::read_lock();
            let context = Context::of(kept).unwrap();
            let born = context.born();
            context.take(load());
            kernel::elsewhere();
            assert_eq!((context.key(), context.born()), (key(1), born));
        });
        kernel::elsewhere();
        tidy(&table);
        allocate(2);
        other.join().unwrap();
    });
}

#[test]
fn who_frees_what_has_a_contexts_handle_finds_the_table() {
    static KEPT: Atomic<u32> = Atomic::new(0);

    orders::all(|| {
        KEPT.load(Relaxed);
        // Has loom know the words that say where the table is.
        drop(publish(&[]));
        let other = on(1, || {
            let _guard = rcu::read_lock();
            // Not ordered: C's hooks read a reference as any other word.
            let kept = KEPT.load(Relaxed);
            assert!(kept == 0 || Context::of(Handle::from_word(kept)).is_some());
        });
        let table = publish(&[1]);
        KEPT.store(allocate(1).get(), Relaxed);
        other.join().unwrap();
        drop(table);
    });
}

#[test]
fn who_finds_the_table_has_it_as_long_as_he_looks() {
    orders::all(|| {
        let table = publish(&[]);
        assert_eq!(table.left(), CAPACITY);
        let other = on(1, || {
            let guard = rcu::read_lock();
            if let Some(table) = Published::get(&guard) {
                assert_eq!(table.left(), CAPACITY);
            }
        });
        drop(table);
        other.join().unwrap();
    });
}
