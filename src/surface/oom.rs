// SPDX-License-Identifier: GPL-2.0-only

//! The ten biggest call sites, in the report of a kernel that is out of memory.
//!
//! Allocates nothing, sleeps never, and stays silent where another CPU is reporting already.

use crate::{
    model::{
        cursor::Cursor,
        rank::Top,
        text::{Row, Text},
    },
    platform::{counters, switch},
    registry::{self, walk::Walk, Sections},
};
use kernel::{
    bindings,
    sync::atomic::{Acquire, AtomicFlag, Release},
};

/// How many call sites are shown.
const SHOWN: usize = 10;

/// Bytes of a call site as text; what is longer is cut.
const SITE: usize = 256;

/// Whether a report is being printed.
static REPORTING: AtomicFlag = AtomicFlag::new(false);

/// Prints the report.
pub(crate) fn show_top_users() {
    // Where there is no file either, modules come and go unseen, and their tags must not be looked at.
    if !switch::supported() {
        return;
    }
    // Acquire and Release keep one report's lines together; they guard no data.
    if REPORTING.cmpxchg(false, true, Acquire).is_err() {
        return;
    }
    if let Some(sections) = registry::try_read() {
        report(&sections);
    }
    REPORTING.store(false, Release);
}

/// Finds the biggest call sites and prints them.
fn report(sections: &Sections) {
    let top = biggest(sections);
    if top.items().is_empty() {
        return;
    }
    let state = if switch::counting() { c"on" } else { c"off" };
    // SAFETY: The format takes one C string.
    unsafe {
        bindings::_printk(
            c"\x015Memory allocations (profiling is currently turned %s):\n"
                .as_ptr()
                .cast(),
            state.as_ptr(),
        );
    }
    for &(bytes, cursor) in top.items() {
        let mut walk = Walk::at(cursor);
        if !walk.settle(sections) {
            continue;
        }
        if let Some(row) = walk.row(sections) {
            let calls = counters::total(walk.account()).calls;
            print(bytes, calls, &row);
        }
    }
}

/// Walks over all call sites once.
fn biggest(sections: &Sections) -> Top<Cursor, SHOWN> {
    let mut top = Top::new(Cursor::START);
    let mut walk = Walk::START;
    let mut more = walk.settle(sections);
    while more {
        let totals = counters::total(walk.account());
        top.offer(totals.bytes, walk.cursor());
        more = walk.advance(sections);
    }
    top
}

/// Prints one line.
fn print(bytes: i64, calls: u64, row: &Row<'_>) {
    let mut size = [0; 10];
    let mut site = [0; SITE];
    let mut text = Text::new(&mut site);
    // A site that is too long is cut behind the part that fitted.
    let _ = text.site(row);
    let length = text.used() as i32;
    // SAFETY: `size` is as long as said and gets a C string; the format takes it, a number, and
    // `length` bytes of `site`.
    unsafe {
        bindings::string_get_size(
            bytes as u64,
            1,
            bindings::string_size_units_STRING_UNITS_2,
            size.as_mut_ptr(),
            size.len() as i32,
        );
        bindings::_printk(
            c"\x015%12s %8llu %.*s\n".as_ptr().cast(),
            size.as_ptr(),
            calls,
            length,
            site.as_ptr(),
        );
    }
}
