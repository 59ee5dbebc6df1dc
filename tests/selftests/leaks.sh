#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --mem 2G --warns kmemleak:.*suspected
# What the core allocates for rules, modules, readers and tracers, and is done with, it gives back: kmemleak finds nothing of it
# that nobody points to.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/events.sh"

DIRECTORY=/sys/kernel/debug/alloctag
KMEMLEAK=/sys/kernel/debug/kmemleak
MODULES=/tests/modules
ROUNDS=3
# kmemleak passes over what is younger than 5 s, and says nothing of what it has not found the same by two scans.
PATIENCE=6
SCANS=3

if [[ ! -e $KMEMLEAK ]]; then
	skip "what the core is done with it gives back" "this kernel has no kmemleak"
	finish
fi
rule() { echo "$1" >"$DIRECTORY/control"; }
lost() {
	local scan
	for scan in $(seq "$SCANS"); do
		echo scan >"$KMEMLEAK"
		[[ $scan == "$SCANS" ]] || sleep "$PATIENCE"
	done
	cat "$KMEMLEAK"
}
# round: all that comes and goes, once.
round() {
	local file
	insmod "$MODULES/alloctag_callers.ko" || return
	rule "* +c by=stack,comm,cgroup every=64K; module alloctag_callers +cls by=stack,pid,node,gfp; module alloctag_callers +t"
	for kind in object pages area vmalloc; do
		echo "first $kind 50" >/sys/module/alloctag_callers/parameters/allocate
		echo 50 >/sys/module/alloctag_callers/parameters/free
	done
	for file in sites contexts stalls latency lifetimes control; do
		[[ ! -e $DIRECTORY/$file ]] || cat "$DIRECTORY/$file" >/dev/null || return
	done
	cat /proc/allocinfo >/dev/null || return
	alloctag contexts -n 5 >/dev/null || return
	alloctag trace --for 1s -- true >/dev/null || return
	# What is alive when its rule and its module go.
	echo "first object 9" >/sys/module/alloctag_callers/parameters/allocate
	rule '=_'
	echo 9 >/sys/module/alloctag_callers/parameters/free
	rmmod alloctag_callers || return
	if [[ -e /sys/kernel/debug/fail_alloctag ]]; then
		rule 'file fs/inode.c +f times=1' && rule '=_'
	fi
	for file in stalls latency lifetimes; do rule "reset $file" 2>/dev/null; done
	# Modules that leave something behind, have more call sites than there is room for, do not come, or are in Rust.
	insmod "$MODULES/alloctag_keeper.ko" && ! insmod "$MODULES/alloctag_outlive.ko" error=-12 2>/dev/null || return
	insmod "$MODULES/alloctag_outlive.ko" && rmmod alloctag_outlive && rmmod alloctag_keeper || return
	insmod "$MODULES/alloctag_many.ko" && rmmod alloctag_many || return
	insmod "$MODULES/alloctag_lines.ko" && rmmod alloctag_lines || return
	insmod "$MODULES/alloctag_holder.ko" && insmod "$MODULES/alloctag_lender.ko" && rmmod alloctag_lender && rmmod alloctag_holder || return
	[[ $(</proc/sys/vm/mem_profiling) == 0 ]] || echo 1 2>/dev/null >/proc/sys/vm/mem_profiling
	return 0
}
rounds() {
	local number
	for number in $(seq "$ROUNDS"); do round || { echo "in round $number"; return 1; }; done
}

mount_tracing
insmod "$MODULES/alloctag_denied.ko"
echo lost >/sys/module/alloctag_denied/parameters/attempt
lost >/tmp/lost
expect "what a module has lost is found" grep -q attempt_lost /tmp/lost
# That is known.
echo clear >"$KMEMLEAK"
expect "rules, modules, readers and tracers come and go $ROUNDS times" rounds
lost >/tmp/lost
expect "what the core is done with it gives back" equal "$(grep -i alloctag /tmp/lost)" ""
sed 's/^/# /' /tmp/lost
finish
