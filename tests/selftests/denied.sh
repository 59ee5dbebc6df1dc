#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests
# Who is given nothing has failed, once; who has another way has not. The kernel's own fault injection denies what the call
# site asks for, one time each.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/sites.sh"
source "$(dirname "$0")/lib/events.sh"

DEBUGFS=/sys/kernel/debug
PARAMETERS=/sys/module/alloctag_denied/parameters

if [[ ! -d $DEBUGFS/failslab || ! -d $DEBUGFS/fail_page_alloc ]] || ! has CONFIG_ALLOCTAG_STATS; then
	skip "who is given nothing has failed once" "this kernel denies nothing, or does not say"
	finish
fi
if ! has_modules || [[ ! -d /sys/kernel/slab ]]; then
	skip "who is given nothing has failed once" "nobody is there to ask, or no cache to say which"
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
# within NAME: only what is asked for in this function, by an awk pattern, is denied from now on.
within() {
	local first last source
	first=$(awk -v name="$1" '$3 ~ name {print $1}' /proc/kallsyms)
	# The next symbol's: addresses are of the same length.
	last=$(awk -v first="$first" '$1 > first "" && (last == "" || $1 < last "") {last = $1} END {print last}' /proc/kallsyms)
	for source in failslab fail_page_alloc; do fault $source require-start="0x$first" require-end="0x$last"; done
}
anywhere() { for source in failslab fail_page_alloc; do fault $source require-start=0 require-end=0xffffffffffffffff; done; }
denies_by_stack() { [[ -e $DEBUGFS/fail_page_alloc/require-start ]]; }
# denied KIND SOURCE: the same, while one thing of that source is denied. Prints how often it was, and whether something was
# given all the same. Pages a process also takes for itself, and for what checkers keep.
denied() {
	local by_stack
	[[ $2 != fail_page_alloc ]] || ! denies_by_stack || by_stack=y
	[[ -z ${by_stack-} ]] || within "^attempt_$1\$"
	fault "$2" times=1 probability=100
	attempt "$1"
	echo "$((1 - $(cat $DEBUGFS/"$2"/times))) $(cat $PARAMETERS/given)"
	fault "$2" probability=0
	[[ -z ${by_stack-} ]] || anywhere
}

# may_deny VALUE SIZE…: whether kmalloc()'s caches of these sizes can be denied something; with KMALLOC_PARTITION_CACHES there are
# several of each.
may_deny() {
	local value=$1 size cache
	shift
	for size in "$@"; do
		for cache in /sys/kernel/slab/kmalloc-{,part-[0-9]*-}"$size"; do [[ ! -e $cache ]] || echo "$value" >"$cache/failslab"; done
	done
}

insmod /tests/modules/alloctag_denied.ko
echo 1 >/sys/kernel/slab/alloctag_denied/failslab
may_deny 1 8k
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
if has_events; then
	mount_tracing
	look fail
	expect "bulk: denied once more" equal "$(denied bulk failslab)" "1 N"
	no_look
	expect "bulk: tracers are told of all that was asked for" grep -q ' bytes_req=8192 ' <(told fail 'func:attempt_bulk ')
else
	skip "bulk: tracers are told of all that was asked for" "not by this kernel"
fi

# A hash table that has to be made anew is made of pages of their own where there is no piece for it, by who may not sleep.
if denies_by_stack; then
	within '^rhashtable_insert_slow$'
	# The piece of kmalloc(), the pages of vmalloc() all at once, and the first of these one by one, at the most.
	fault fail_page_alloc min-order=0 ignore-gfp-highmem=N times=3 probability=100
	attempt table
	fault fail_page_alloc min-order=1 ignore-gfp-highmem=Y probability=0
	anywhere
	expect "table: neither kmalloc() nor vmalloc() has a piece" at_most "$(cat $DEBUGFS/fail_page_alloc/times)" 1
	expect "table: that is no failure" equal "$(numbers table | cut -d ' ' -f 2)" 0
else
	skip "table: that is no failure" "nothing can be denied by who asks for it"
fi

# Of kmalloc_nolock(), which has no larger cache to go to then.
NOLOCK="nolock: what the largest cache has not got has failed once"
if ! has CONFIG_SMP || ! has CONFIG_TRACEPOINTS; then
	skip "$NOLOCK" "nobody is there to hold the lock"
elif has_nodes; then
	skip "$NOLOCK" "another node has it"
else
	before=$(refused alloc_slab_page)
	expect "nolock: it is asked for under the zone's lock" equal "$(attempt locked && cat $PARAMETERS/given)" Y
	expect "$NOLOCK" equal "$(numbers nolock | cut -d ' ' -f 2)" 1
	expect "nolock: and no slab of it has" equal "$(refused alloc_slab_page)" "$before"
fi

# The same from an interrupt, where somebody may have the locks; with PREEMPT_RT, where they sleep, one may not try for them.
if has CONFIG_IRQ_WORK; then
	attempt interrupt
	given=$(cat $PARAMETERS/given)
	expect "interrupt: what it is not given has failed" equal "$(numbers interrupt)" "$([[ $given == Y ]] && echo 1 0 || echo 0 1)"
	! has CONFIG_PREEMPT_RT || expect "interrupt: it may not even try" equal "$given" N
else
	skip "interrupt: what it is not given has failed" "nothing is done in interrupts"
fi

# What kmemleak keeps of an object, in the call site's name, is not the call site's.
if [[ -e /sys/kernel/slab/kmemleak_object ]]; then
	for cache in alloctag_denied:0 kmemleak_object:1; do echo ${cache#*:} >/sys/kernel/slab/${cache%:*}/failslab; done
	read -r before none <<<"$(numbers object)"
	# That of other objects of the process as well, which come first.
	fault failslab times=-1 probability=100
	attempt object
	fault failslab probability=0
	expect "object: what is kept of it is denied, and it is given" equal "$(cat $PARAMETERS/given)" Y
	expect "object: and has not failed" equal "$(numbers object)" "$((before + 1)) $none"
	if has CONFIG_ALLOCTAG_LATENCY; then
		calls=0
		# One that is about to fail takes another way.
		for flags in l 'lf skip=9'; do
			echo "func attempt_large +$flags" >$DEBUGFS/alloctag/control
			attempt large
			echo '=_' >$DEBUGFS/alloctag/control
			calls=$((calls + 1))
			expect "large: with what is kept of it, it is one call: +$flags" equal \
				"$(awk '/ func:attempt_large$/ {print $1}' $DEBUGFS/alloctag/latency)" $calls
		done
	else
		skip "large: with what is kept of it, it is one call" "this kernel does not time calls"
	fi
	for cache in alloctag_denied:1 kmemleak_object:0; do echo ${cache#*:} >/sys/kernel/slab/${cache%:*}/failslab; done
else
	skip "object: what is kept of it is denied, and it is given" "nothing is kept of it"
fi

# Sheaves of kmalloc()'s own objects are not counted, and do not fail either. Which cache they come from is the kernel's to say.
if [[ $(cat /sys/kernel/slab/kmalloc-8/sanity_checks) == 1 ]]; then
	skip "many: a sheaf is denied, and all objects are given" "slabs that are checked have no sheaves"
else
	may_deny 1 256 512 1k
	before=$(refused __alloc_empty_sheaf)
	expect "many: a sheaf is denied, and all objects are given" equal "$(denied many failslab)" "1 Y"
	expect "many: what is not counted has not failed" equal "$(refused __alloc_empty_sheaf)" "$before"
	may_deny 0 256 512 1k
fi

if ! denies_by_stack; then
	for name in "batch: denied once, it has none" "a module comes for whose accounts there is no memory"; do
		skip "$name" "this kernel does not deny by the stack"
	done
	rmmod alloctag_denied
	finish
fi

# Pages for itself a process asks for all the time, by ones.
fault fail_page_alloc min-order=0
attempt batch
read -r before none <<<"$(numbers batch)"
expect "batch: nothing is denied, nothing failed" equal "$none $(cat $PARAMETERS/given)" "0 Y"
expect "batch: denied once, it has none" equal "$(denied batch fail_page_alloc)" "1 N"
expect "batch: and has failed once" equal "$(numbers batch)" "$before 1"
rmmod alloctag_denied

# The first chunk of accounts is denied the words of its tallies, whatever these take, by who asks for them.
within '^_R.*5tally7provide$'
fault fail_page_alloc ignore-gfp-highmem=N
own_rows() { names | grep -cF ' [alloctag_more] '; }
load_denied() { (
	echo 1 >/proc/self/make-it-fail
	exec insmod /tests/modules/alloctag_more.ko
); }
fault failslab cache-filter=N
for source in failslab fail_page_alloc; do fault $source times=-1 probability=100; done
expect "a module comes for whose accounts there is no memory" load_denied
for source in failslab fail_page_alloc; do fault $source probability=0; done
if has_log; then
	expect "its call sites share one, and the log says so" grep -q 'module alloctag_more: its call sites share one' <(dmesg)
else
	skip "its call sites share one, and the log says so" "this kernel has no log"
fi
rmmod alloctag_more
insmod /tests/modules/alloctag_more.ko
expect "with memory it has as many as call sites" equal "$(own_rows)" 5000
expect "which count" equal "$(rows | awk '$4 == "[alloctag_more]" {n += $2} END {print n}')" 5000
rmmod alloctag_more
expect "no total is negative afterwards" none_negative
finish
