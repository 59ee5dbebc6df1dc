#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --mem 1G
# A module whose parameters allocate before its init function runs, and whose load fails then or does not.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

MODULES=/tests/modules
KEEPER=/sys/kernel/debug/alloctag_keeper
EARLY=alloctag_early
ROUNDS=20

load() { insmod "$MODULES/$1.ko" "${@:2}"; }
refused() { fails load "$EARLY" "$@"; }
# early FUNCTION: the calls on that function's row of the module, nothing where there is no such row.
early() { rows | awk -v name="[$EARLY]" -v func="func:$1" '$4 == name && $5 == func {print $2}'; }
no_rows() { fails grep -F "[$EARLY]" "$ALLOCINFO"; }
unchanged() { cmp /tmp/names <(names); }

if is_other_core; then
	skip "what a module's parameters allocate is counted" "not with this core"
	finish
fi
RUST=early_box
has CONFIG_ALLOCTAG_RUST_CALLERS || RUST=none

load alloctag_keeper
names >/tmp/names
expect "a module loads whose parameters allocate and free" load $EARLY take=3
expect "nothing of that is left on its row" equal "$(early early_object)" 0
[[ $RUST == none ]] || expect "nor on that of a line of Rust" equal "$(early $RUST)" 0
rmmod $EARLY
expect "unloaded, it has no row" no_rows

expect "loaded again, its parameters leave something behind" load $EARLY keep=2
expect "which is on its row" equal "$(early early_object)" 2
[[ $RUST == none ]] || expect "and on that of a line of Rust" equal "$(early $RUST)" 2
rmmod $EARLY
expect "unloaded, it still is" equal "$(early early_object)" 2
echo 4 >$KEEPER
expect "until it is freed" no_rows

# The next parameter has the load fail: what has run until then has run all the same.
expect "its load fails after it has allocated and freed" refused take=3 refuse=1
expect "which leaves no row" no_rows
expect "its load fails after it has left something behind" refused keep=1 refuse=1
expect "whose row stays" equal "$(early early_object)" 1
[[ $RUST == none ]] || expect "and that of the line of Rust" equal "$(early $RUST)" 1
expect "it fails once more" refused keep=1 refuse=1
expect "and what is left of either is there" equal "$(early early_object)" $'1\n1'
# Where it was, there is another module now.
expect "another module loads" load alloctag_lines
expect "and all rows can be read" at_least "$(rows | wc -l)" 100
[[ $RUST == none ]] || expect "whichever code the lines are of" equal "$(early $RUST)" $'1\n1'
rmmod alloctag_lines
echo 4 >$KEEPER
expect "freed, nothing is left" no_rows

again() {
	local _
	for _ in $(seq "$ROUNDS"); do
		refused take=2 refuse=1 && load alloctag_exact && rmmod alloctag_exact || return 1
	done
}
expect "it fails $ROUNDS times, beside another that loads" again
expect "and all rows are as before" unchanged
expect "in the end it loads" load $EARLY take=1
rmmod $EARLY
expect "and goes" unchanged
rmmod alloctag_keeper
expect "no total is negative" none_negative
finish
