#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --mem 1G
# Containers that outlive the module on whose lines they were made: what they allocate then is on those lines.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/sites.sh"

CONTROL=/sys/kernel/debug/alloctag/control
MODULES=/tests/modules
HOLDER=/sys/kernel/debug/alloctag_holder
# The call sites of alloctag_many, each of which has one object: it takes all accounts from the first free one on.
MANY=3000
# Each round records three accounts; by default there is room for 512.
ROUNDS=180
# One in three is freed in time where the machine is busy.
TABLES=100

load() { insmod "$MODULES/$1.ko"; }
# lent FUNCTION FIELD: the bytes (1) or calls (2) on that function's row of the module that has lent it.
lent() { rows | awk -v func="func:$1" -v field="$2" '$4 == "[alloctag_lender]" && $5 == func {print $field}'; }
grow() { echo "$1" >$HOLDER; }
compared() { if [[ $(lent lend_table 1) == "$(lent lend_covered 1)" ]]; then echo same; else echo apart; fi; }
no_rows() { fails grep -F "[alloctag_lender]" "$ALLOCINFO"; }
objects() { rows | awk '$4 == "[alloctag_many]" {print $2}' | sort | uniq -c | awk '{print $1, $2}'; }
# Lines of Rust have rows from when they first allocate.
others() { names | grep -vF "[alloctag_holder]"; }
unchanged() { cmp /tmp/names <(others); }

if is_other_core; then
	skip "containers outlive the module that has made them" "this core shows nothing of modules that have gone"
	finish
fi

load alloctag_holder
others >/tmp/names
load alloctag_lender
expect "a list in Rust has nothing yet" equal "$(lent lend_list 2)" 0
expect "a table in C has its buckets" equal "$(lent lend_table 2)" 1
buckets=$(lent lend_table 1)
expect "and so has one that Rust code has made on behalf of a line" equal "$(lent lend_covered 1) $(lent lend_covered 2)" "$buckets 1"
expect "the module on whose lines they were made goes" rmmod alloctag_lender
expect "the row of the list stays" equal "$(lent lend_list 2)" 0
expect "and that of the table" equal "$(lent lend_table 1)" "$buckets"
expect "and that of the other one" equal "$(lent lend_covered 1)" "$buckets"
load alloctag_many
expect "another module takes the accounts that are free" equal "$(objects)" "$MANY 1"
expect "the list grows" grow 5
expect "its objects, and itself, are on the line where it was made" equal "$(lent lend_list 2)" 6
expect "not on the other module's" equal "$(objects)" "$MANY 1"
expect "the table grows" grow 2000
expect "on the line where it was made" at_least "$(lent lend_table 1)" $((2000 * 8))
# C has noted a tag that Rust code had recorded, and that has been moved and dropped since.
expect "the other one on its own" at_least "$(lent lend_covered 1)" $((2000 * 8))
expect "and as much" settles same compared
expect "what the other module has is still its" equal "$(objects)" "$MANY 1"
rmmod alloctag_many
expect "the list has all of its objects" equal "$(lent lend_list 2)" 2006
expect "all are dropped" grow 0
expect "and their rows go with them" no_rows
expect "all rows are as before" unchanged

# An account that is held and idle, and held no more.
load alloctag_lender && rmmod alloctag_lender
expect "a list that has nothing keeps its row as long as it is there" equal "$(lent lend_list 2)" 0
grow 0
expect "and no longer" no_rows
load alloctag_many
expect "the accounts are free again" equal "$(objects)" "$MANY 1"
rmmod alloctag_many
often() {
	local round
	for round in $(seq "$ROUNDS"); do
		load alloctag_lender && rmmod alloctag_lender && grow $((round % 3)) && grow 0 || return 1
	done
}
expect "they come and go $ROUNDS times" often
expect "for which there is always room" fails grep -F 'no room is left' <(dmesg)
expect "which leaves no row" unchanged

# A table of which nothing is counted when its module goes: it grew while nothing was, and its first part is freed, after a grace
# period, while all is; or else its row is there to stay, before that of the next one. The rule has a say of its own in what fails
# (times=), or else nothing would before somebody said so (fail_alloctag).
outgrown() {
	local try
	for ((try = 0; try < TABLES; try++)); do
		load alloctag_lender || return 1
		echo 0 >"$SWITCH"
		grow 60
		echo 1 >"$SWITCH"
		quiesce
		[[ $(lent lend_table 2 | tail -n 1) != 0 ]] || return 0
		# It was freed before.
		grow 0
		rmmod alloctag_lender
	done
	return 1
}
if has CONFIG_ALLOCTAG_FAULTS && may_switch; then
	expect "a table may have nothing that is counted" outgrown
	echo 'module alloctag_lender func lend_table +f times=1' >$CONTROL
	rmmod alloctag_lender
	expect "one whose call site was to fail grows when that has gone" grow 2000
	echo '=_' >$CONTROL
	grow 0
else
	skip "a table whose call site was to fail grows when that has gone" "this kernel has none fail, or counts all"
fi
rmmod alloctag_holder
expect "no total is negative" none_negative
finish
