#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests
# Objects whose slab finds no memory for references are handed out all the same. They are not counted, and their row, the log
# and a sysctl say so.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

FAULTS=/sys/kernel/debug/failslab
HELD=/sys/module/alloctag_starved/parameters/held

if [[ ! -e $UNCOUNTED ]]; then
	skip "what could not be counted is counted" "this kernel does not"
	finish
fi
write_there() { echo 0 >"$UNCOUNTED"; }
expect "everybody may read how many went uncounted, nobody write it" equal "$(stat -c %a $UNCOUNTED)" 444
expect "not even root" fails write_there
expect "after boot there are none" equal "$(cat $UNCOUNTED)" 0
if [[ ! -d $FAULTS ]]; then
	skip "what finds no memory for its reference is told from the rest" "this kernel has no failslab"
	finish
fi

# starved COUNT: holds so many, by a process that gets nothing of these.
starved() { (
	exec 4>"$HELD"
	echo 1 >/proc/self/make-it-fail
	echo "$1" >&4
); }
fault() { for setting in "$@"; do echo "${setting#*=}" >"$FAULTS/${setting%=*}"; done; }
# row [FUNCTION], held [FUNCTION]
row() { grep -F "func:${1:-starves}" "$ALLOCINFO"; }
held() { row "$@" | awk '{print $1, $2}'; }

insmod /tests/modules/alloctag_starved.ko
size=$(cat /sys/kernel/slab/alloctag_starved/slab_size)
objects=$(cat /sys/kernel/slab/alloctag_starved/objs_per_slab)
# Where its slabs' references would come from. The write itself takes eight bytes.
for class in 128 192 256 512 1k 2k; do echo 1 >/sys/kernel/slab/kmalloc-$class/failslab; done
fault cache-filter=Y task-filter=Y ignore-gfp-wait=N verbose=0 times=-1 probability=100

expect "objects come while their references find no memory" starved 3
expect "none of them is on the row" equal "$(held)" "0 0"
expect "which says that it is not accurate" grep -q 'accurate:no' <(row)
expect "the sysctl says how many there are" equal "$(cat $UNCOUNTED)" 3
expect "the log says so once" equal "$(dmesg | grep -c 'alloctag: .*mem_profiling_uncounted')" 1

fault probability=0
echo $((3 + objects)) >$HELD
expect "what comes with memory for references again is on the row" equal "$(held)" "$((objects * size)) $objects"
expect "and no more went uncounted" equal "$(cat $UNCOUNTED)" 3
echo 0 >$HELD
expect "once all are freed, those that were not counted among them, nothing is left" equal "$(held)" "0 0"
expect "what the row said of itself stays true" grep -q 'accurate:no' <(row)

# What a module's containers allocate goes by a tag that stands in for the module's own.
echo Y >/sys/module/alloctag_starved/parameters/lends
expect "who has lent its call site is accurate" fails grep -q 'accurate:no' <(row lends_container)
# With the references that they have.
echo 1 >/sys/kernel/slab/alloctag_starved/shrink
fault probability=100
expect "objects of its container find no memory for their references" starved 1
expect "its row says that it is not accurate" grep -q 'accurate:no' <(row lends_container)
fault probability=0
echo 0 >$HELD
expect "nothing is charged to it" equal "$(held lends_container)" "0 0"
rmmod alloctag_starved
expect "no total is negative afterwards" none_negative
finish
