#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --tests
# Who is given nothing has failed, once; who has another way has not. The kernel's own fault injection denies what the call
# site asks for, one time each.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/sites.sh"

DEBUGFS=/sys/kernel/debug
PARAMETERS=/sys/module/alloctag_denied/parameters

if [[ ! -d $DEBUGFS/failslab || ! -d $DEBUGFS/fail_page_alloc ]] || ! has CONFIG_ALLOCTAG_STATS; then
	skip "who is given nothing has failed once" "this kernel denies nothing, or does not say"
	finish
fi
fault() { for setting in "${@:2}"; do echo "${setting#*=}" >"$DEBUGFS/$1/${setting%=*}"; done; }
# numbers KIND: how often its call site allocated and failed.
numbers() { sites | awk -v func="func:attempt_$1" '$NF == func {allocs += $4; failed += $7} END {print allocs + 0, failed + 0}'; }
# refused FUNCTION: how often its call sites failed.
refused() { sites | awk -v func="func:$1" '$NF == func {failed += $7} END {print failed + 0}'; }
# attempt KIND: by a process that may be denied something.
attempt() { (
	exec 4>$PARAMETERS/attempt
	echo 1 >/proc/self/make-it-fail
	echo "$1" >&4
); }
# denied KIND SOURCE: the same, while one thing of that source is denied. Prints how often it was, and whether something was
# given all the same.
denied() {
	fault "$2" times=1 probability=100
	attempt "$1"
	echo "$((1 - $(cat $DEBUGFS/"$2"/times))) $(cat $PARAMETERS/given)"
	fault "$2" probability=0
}

insmod /tests/modules/alloctag_denied.ko
for cache in alloctag_denied kmalloc-8k; do echo 1 >/sys/kernel/slab/$cache/failslab; done
fault failslab cache-filter=Y task-filter=Y ignore-gfp-wait=N verbose=0
fault fail_page_alloc min-order=1 task-filter=Y ignore-gfp-wait=N verbose=0

# Where it is denied, what is given, and what the call site has then. Each first goes right. An area of two pages is these
# and the list of them.
while read -r kind source given allocs failed; do
	attempt "$kind"
	read -r before none <<<"$(numbers "$kind")"
	expect "$kind: nothing is denied, nothing failed" equal "$none $(cat $PARAMETERS/given)" "0 Y"
	expect "$kind: denied once, it has this" equal "$(denied "$kind" "$source")" "1 $given"
	expect "$kind: and so many allocations and failures" equal "$(numbers "$kind")" "$((before + allocs)) $failed"
done <<'END'
object failslab N 0 1
bulk failslab N 0 1
resize failslab N 1 1
either failslab Y 3 0
reserve failslab Y 0 0
pages fail_page_alloc N 0 1
slab fail_page_alloc Y 1 0
END

# Sheaves of kmalloc()'s own objects are not counted, and do not fail either. Which cache they come from is the kernel's to say.
if [[ $(cat /sys/kernel/slab/kmalloc-8/sanity_checks) == 1 ]]; then
	skip "many: a sheaf is denied, and all objects are given" "slabs that are checked have no sheaves"
else
	for class in 256 512 1k; do echo 1 >/sys/kernel/slab/kmalloc-$class/failslab; done
	before=$(refused __alloc_empty_sheaf)
	expect "many: a sheaf is denied, and all objects are given" equal "$(denied many failslab)" "1 Y"
	expect "many: what is not counted has not failed" equal "$(refused __alloc_empty_sheaf)" "$before"
	for class in 256 512 1k; do echo 0 >/sys/kernel/slab/kmalloc-$class/failslab; done
fi
rmmod alloctag_denied

# The first chunk of accounts is denied the words of its tallies, whatever these take, by who asks for them.
if [[ ! -e $DEBUGFS/fail_page_alloc/require-start ]]; then
	skip "a module comes for whose accounts there is no memory" "this kernel does not deny by the stack"
	finish
fi
first=$(awk '/ _R[^ ]*5tally7provide$/ {print $1}' /proc/kallsyms)
# The next symbol's: addresses are of the same length.
last=$(awk -v first="$first" '$1 > first "" && (last == "" || $1 < last "") {last = $1} END {print last}' /proc/kallsyms)
own_rows() { names | grep -cF ' [alloctag_more] '; }
load_denied() { (
	echo 1 >/proc/self/make-it-fail
	exec insmod /tests/modules/alloctag_more.ko
); }
fault failslab cache-filter=N
fault fail_page_alloc min-order=0 ignore-gfp-highmem=N
for source in failslab fail_page_alloc; do
	fault $source require-start="0x$first" require-end="0x$last" times=-1 probability=100
done
expect "a module comes for whose accounts there is no memory" load_denied
for source in failslab fail_page_alloc; do fault $source probability=0; done
expect "its call sites share one, and the log says so" grep -q 'module alloctag_more: its call sites share one' <(dmesg)
rmmod alloctag_more
insmod /tests/modules/alloctag_more.ko
expect "with memory it has as many as call sites" equal "$(own_rows)" 5000
expect "which count" equal "$(rows | awk '$4 == "[alloctag_more]" {n += $2} END {print n}')" 5000
rmmod alloctag_more
expect "no total is negative afterwards" none_negative
finish
