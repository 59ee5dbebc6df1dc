#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --tests --mem 1G --plug 256M --append vm_debug=-
# Pages that are still somebody's when their memory goes: what a driver has unplugged is charged to nobody any more, and what
# has failed is charged until its owner frees it. (A kernel with DEBUG_VM overwrites what described memory that went, unless told not
# to, and dies of the free.)
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/memory.sh"

if ! has_modules; then
	skip "pages stay somebody's" "this kernel has no modules to have them"
	finish
fi
FAIL=$MEMORY/hard_offline_page

ADDRESS=/sys/module/alloctag_stranded/parameters/address
# is_refused: the hardware finds fault with the page, and the kernel cannot take it from its owner.
is_refused() {
	local address
	address=$(cat "$ADDRESS") || return 1
	! echo "$address" >"$FAIL"
}
# take BLOCK: the block to do it with next, of which no page has failed.
take() {
	block=$1
	start=$((16#$(cat "${block%/*}/phys_index") * $(block_kib) * 1024 / PAGE))
	expect "plugged memory goes online" set_state online_movable "$block"
}
find_plugged
take "${blocks[0]}"
stranded() { rows | awk '$NF == "func:stranded_page" {n += $1} END {print n + 0}'; }
has_rows() { rows | grep -c 'func:stranded_page'; }

insmod /tests/modules/alloctag_stranded.ko start=$start unplugged=1
expect "a page of it is somebody's" equal "$(stranded)" "$PAGE"
expect "who lets it go offline" set_state offline "$block"
if is_other_core; then
	skip "and is charged no longer" "this core charges it for ever"
	rmmod alloctag_stranded
else
	expect "and is charged no longer" equal "$(stranded)" 0
	rmmod alloctag_stranded
	expect "no row is left of who was" settles 0 has_rows
fi
expect "it comes back" set_state online_movable "$block"

if [[ ! -e $FAIL ]]; then
	skip "a page that has failed is charged until it is freed" "this kernel has no CONFIG_MEMORY_FAILURE"
	finish
fi
insmod /tests/modules/alloctag_stranded.ko start=$start
expect "a page that is somebody's fails, and cannot be taken" is_refused
expect "its memory goes offline all the same" set_state offline "$block"
expect "it is still charged" equal "$(stranded)" "$PAGE"
rmmod alloctag_stranded
expect "freed, it is not" settles 0 stranded
expect "no row is left of who was" settles 0 has_rows

take "${blocks[1]}"
if may_switch; then
	echo 0 >"$SWITCH"
	insmod /tests/modules/alloctag_stranded.ko start=$start
	echo 1 >"$SWITCH"
	expect "a page that was never counted fails" is_refused
	expect "its memory goes offline as well" set_state offline "$block"
	expect "nothing is charged" equal "$(stranded)" 0
	expect "its owner frees it all the same" rmmod alloctag_stranded
else
	skip "a page that was never counted fails" "this kernel counts all"
fi
expect "no total is negative afterwards" none_negative
finish
