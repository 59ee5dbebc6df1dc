// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! How many contexts of the kernel's table are looked at until one is found, with hashes begun by any numbers.

use std::hash::BuildHasher;

use alloctag_core::model::context::{Key, Seed, Start};
use alloctag_core::model::handle::Handle;
use alloctag_core::model::rule::{By, Keys};
use foldhash::quality::FixedState;

/// Chains of a table as it is by default: as many as contexts.
const CHAINS: usize = 1 << 14;

/// Tables that are filled.
const ATTEMPTS: u64 = 50;

/// Contexts, how many of them are looked at for 100 found ones at the most (at random it would be 103 and 130), and for any.
const FILLED: [(u32, usize, usize); 2] = [(1_000, 107, 6), (10_000, 135, 11)];

/// What hashes begin with, from the number of an attempt: random by any measure, as the kernel's is.
fn seed(attempt: u64) -> Seed {
    [1, 2].map(|word| {
        let hash = FixedState::with_seed(attempt).hash_one(word);
        hash.rotate_left(32) ^ FixedState::with_seed(hash).hash_one(attempt)
    })
}

/// One of a thousand functions.
fn function(number: u32) -> u64 {
    0xffff_ffff_8100_0000 + 0x140 * u64::from(number % 1000)
}

/// A context that differs from others of its kind by its number alone.
fn key(by: By, number: u32, frames: &mut [u64; 8]) -> Key<'_> {
    let keys = Keys::NONE.with(by);
    let mut key = Key::new(Handle::from_word(1234), Start::new(1, keys, false));
    match by {
        By::Pid => key.set_pid(number),
        By::Cgroup => key.set_cgroup(number.into()),
        By::Comm => {
            let mut comm = [0; 16];
            let name = format!("kworker/{number}");
            comm[..name.len()].copy_from_slice(name.as_bytes());
            key.set_comm(comm);
        }
        By::Stack => {
            // Most callers are the same: contexts differ by one of them here and by another one there.
            *frames = [1, 2, 3, number, number / 1000, 6, 7, 8].map(function);
            return key.with_stack(frames);
        }
        _ => unreachable!("no other is asked for"),
    }
    key
}

#[test]
fn few_contexts_are_looked_at_for_one_of_a_thousand_or_of_ten_thousand() {
    for attempt in 0..ATTEMPTS {
        let seed = seed(attempt);
        for by in [By::Pid, By::Cgroup, By::Comm, By::Stack] {
            for (contexts, mean, most) in FILLED {
                let (mut chains, mut looked_at, mut longest) = (vec![0usize; CHAINS], 0, 0);
                for number in 0..contexts {
                    let hash = key(by, number, &mut [0; 8]).hash(seed);
                    let chain = &mut chains[hash as usize % CHAINS];
                    // The last one is the first of its chain, and each of the others one further down: the sum is the same.
                    *chain += 1;
                    looked_at += *chain;
                    longest = longest.max(*chain);
                }
                let of_a_hundred = 100 * looked_at / contexts as usize;
                assert!(of_a_hundred <= mean && longest <= most, "{by:?} {contexts}: {of_a_hundred} {longest}");
            }
        }
    }
}
