#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --append alloctag.histograms=16 --append tsc=reliable
# Where there are too few histograms, call sites share some, and nothing is lost.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/sites.sh"
source "$(dirname "$0")/lib/stalls.sh"

WAIT=/sys/module/alloctag_slow/parameters/wait

if is_other_core || ! has CONFIG_ALLOCTAG_STALLS; then
	skip "where there are too few histograms, call sites share some" "this kernel measures nothing"
	finish
fi
own() { stalls | grep -cv ' func:no_histogram_left$'; }
shared() { stalls | awk '/ func:no_histogram_left$/ {n += $2} END {printf "%.0f\n", n}'; }

expect "there are as many as the parameter says" equal "$(own)" 16
expect "others share theirs" at_least "$(stalls | grep -c ' func:no_histogram_left$')" 1
insmod /tests/modules/alloctag_slow.ko
before=$(shared)
echo slab >$WAIT
expect "among them the next one" equal "$(stalls_of wait_slab)" ""
expect "whose time is there" at_least $(($(shared) - before)) 24000000
expect "and in its own numbers" at_least "$(sites | awk '$NF == "func:wait_slab" {print $11}')" 24000000
# Where slabs are checked, whatever allocates on the way there waits, too, and takes one of the 16: then it may take some tries.
tries=1
[[ $(cat /sys/kernel/slab/kmalloc-8/sanity_checks) == 0 ]] || tries=10
first_after_reset() {
	for _ in $(seq $tries); do
		reset_stalls
		echo slab >$WAIT
		[[ -z $(stall count wait_slab slab) ]] || break
	done
	stall count wait_slab slab
}
expect "whoever is first after a reset has one" equal "$(first_after_reset)" 1
rmmod alloctag_slow
finish
