#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --mem 512M
# More lines of Rust code than there are places: the rest share a row, and the log says so. What that costs them, each time and
# the one that the log is told by, is the suite crowd's to see; so is that the log is told deferred, for lockdep lets a console
# write under a raw spinlock (printk_legacy_allow_spinlock_enter()).
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

MODULE=alloctag_crowd
# Its objects, and the list of them.
OBJECTS=2601
REST="mm/alloctag/src/registry/overflow.rs no_account_left"
MESSAGE='no place is left for some call sites of Rust code'

load() { insmod "/tests/modules/$1.ko"; }
# shellcheck disable=SC2086 # two words
rest() { calls $REST; }
listed() { rows | awk -v name="[$MODULE]" '$4 == name {n += $2} END {print n + 0}'; }
warnings() { dmesg | grep -cF "$MESSAGE"; }
unchanged() { cmp /tmp/names <(names); }

if ! has CONFIG_ALLOCTAG_RUST_CALLERS; then
	skip "lines without a place share a row" "not with this core, or not in this configuration"
	finish
fi
places=$((1 << $(zcat /proc/config.gz | sed -n 's/^CONFIG_ALLOCTAG_RUST_CALLERS_ORDER=//p')))
if ((places >= OBJECTS)); then
	skip "lines without a place share a row" "there are $places places"
	finish
fi

before=$(rest)
names >/tmp/names
expect "more lines of Rust code than there are places load" load $MODULE
held=$(($(rest) - before))
expect "some of them share a row" at_least $held $((OBJECTS - places * 7 / 8))
expect "most of the places are used" at_most $held $((OBJECTS - places * 3 / 5))
expect "every object is counted" equal $(($(listed) + held)) $OBJECTS
expect "the log says so, once" equal "$(warnings)" 1
expect "another module loads meanwhile" load alloctag_lines
rmmod alloctag_lines
expect "it unloads" rmmod $MODULE
expect "the shared row has no more than before" equal "$(rest)" "$before"
expect "all rows are as before" unchanged
expect "loaded again, its lines have places" load $MODULE
expect "most of those that there are" at_least "$(listed)" $((places * 3 / 5))
expect "and the log says so again" equal "$(warnings)" 2
rmmod $MODULE
expect "all rows are as before, again" unchanged
finish
