#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --append tsc=reliable
# How long allocations wait, of every call site, and for what.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/sites.sh"
source "$(dirname "$0")/lib/stalls.sh"

CONTROL=/sys/kernel/debug/alloctag/control
WAIT=/sys/module/alloctag_slow/parameters/wait

if is_other_core || ! has CONFIG_ALLOCTAG_STALLS; then
	skip "how long allocations wait is shown" "this kernel does not measure it"
	finish
fi
well_formed() { fails grep -vE '^([0-9]+ ){4}(reclaim|compaction|oom|pages|slab|percpu|vmalloc) [0-9]+:[0-9]+(,[0-9]+:[0-9]+)* [^ ]+:[0-9]+ (\[[^] ]+\] )?func:[^ ]+$' <(stalls); }
# inconsistent: the causes and names of lines whose histogram has another number of stalls than the line, or whose ends are not in its buckets' range.
inconsistent() {
	stalls | awk '{
		n = split($6, buckets, ","); sum = 0
		for (i = 1; i <= n; i++) {split(buckets[i], pair, ":"); sum += pair[2]; if (i == 1) first = pair[1]; last = pair[1]}
		# 39 has no upper end.
		if (sum != $1 || $3 > $4 || $2 < $4 || $4 < 2 ^ last && last || $4 >= 2 ^ (last + 1) && last < 39 ||
			$3 < 2 ^ first && first || $3 >= 2 ^ (first + 1)) print $5, $(NF - 1), $NF
	}'
}
# bucket NANOSECONDS: the binary logarithm, rounded down.
bucket() { awk -v ns="$1" 'BEGIN {for (n = 0; ns >= 2; n++) ns = int(ns / 2); print n}'; }
# site_stalls FUNCTION: stalls, nanoseconds and the longest of a call site of the module, as the other file has them.
site_stalls() { sites | awk -v func="func:$1" '$NF == func {print $9, $10, $11}'; }
# as_long FUNCTION: its stalls since the last reset took as long as the module knows of the last one.
as_long() {
	local least most ns
	read -r least most </sys/module/alloctag_slow/parameters/took
	ns=$(site_stalls "$1" | cut -d' ' -f2)
	((least <= ns && 0 < ns && ns <= most)) && return
	echo "$ns ns, and it took from $least to $most"
	return 1
}
# differing: call sites of the module whose times differ between the files, where both have them.
differing() {
	awk 'NR == FNR {if (FNR > 2) sum[$(NF)] += $2; next} FNR > 2 && / \[alloctag_slow\] / && sum[$NF] + 0 != $10 {print}' $STALLS $SITES
}

expect "the file belongs to root, who alone may read it" equal "$(stat -c '%u %g %a' $STALLS)" "0 0 400"
expect "it begins with its version and the names of its columns" equal "$(head -n 2 $STALLS)" \
	$'stalls - version: 1.0\n# count ns min_ns max_ns cause histogram tag'
expect "every line has as many, and a call site" well_formed
expect "many call sites have waited since boot" at_least "$(stalls | wc -l)" 40
expect "slabs are what most wait for" at_least "$(stalls | grep -c ' slab ')" $(($(stalls | wc -l) / 2))
expect "some wait for areas of vmalloc()" at_least "$(stalls | grep -c ' vmalloc ')" 1
expect "histograms have what the lines have" equal "$(steadily inconsistent)" ""

insmod /tests/modules/alloctag_slow.ko
echo slab >$WAIT
expect "who waits for a slab has waited once" equal "$(stall count wait_slab slab)" 1
expect "as long as it took to make" as_long wait_slab
expect "which is in that bucket" equal "$(stall histogram wait_slab slab)" "$(bucket "$(stall max_ns wait_slab slab)"):1"
expect "for a slab, and the pages of that" equal "$(stalls_of wait_slab | grep -cvE ' (slab|pages) ')" 0
expect "which is one stall" equal "$(site_stalls wait_slab | cut -d' ' -f1)" 1
expect "the longest is the only one" equal "$(site_stalls wait_slab | cut -d' ' -f3)" "$(site_stalls wait_slab | cut -d' ' -f2)"
expect "and both files say the same" equal "$(differing)" ""

echo within >$WAIT
expect "who waits for somebody who waits is the one" as_long wait_within
expect "and the other is not" equal "$(site_stalls wait_slab | cut -d' ' -f1)" 1
for _ in 1 2 3; do echo slab >$WAIT; done
expect "four times is four stalls" equal "$(stall count wait_slab slab)" 4

echo area >$WAIT
expect "an area of vmalloc() is one stall" equal "$(site_stalls wait_area | cut -d' ' -f1)" 1
expect "which takes as long as it does" as_long wait_area
expect "and its time is that of all it waits for" equal "$(stalls_of wait_area | awk '{n += $2} END {printf "%.0f\n", n}')" \
	"$(site_stalls wait_area | cut -d' ' -f2)"
if ! has CONFIG_SLUB_DEBUG_ON; then
	echo never >$WAIT
	expect "who is given what is there does not wait, but now and then" at_most "$(site_stalls wait_never | cut -d' ' -f1)" 40
fi

expect "what is no measure is not reset" fails sh -c "echo 'reset rules' >$CONTROL"
expect "and the log says so" grep -q 'control: rules: reset must be followed by stalls' <(dmesg)
reset_stalls
expect "what was measured is forgotten" equal "$(stalls_of 'wait_.*')" ""
expect "in the other file as well" equal "$(site_stalls wait_slab)" "0 0 0"
echo slab >$WAIT
expect "and measured anew" equal "$(stall count wait_slab slab) $(site_stalls wait_slab | cut -d' ' -f1)" "1 1"
expect "as long as it takes" as_long wait_slab

if [[ -w $SWITCH ]] && echo 0 >$SWITCH 2>/dev/null; then
	echo slab >$WAIT
	expect "what is not counted is not measured" equal "$(stall count wait_slab slab)" 1
	echo 1 >$SWITCH
fi
rmmod alloctag_slow
expect "a module takes its lines along" equal "$(stalls_of 'wait_.*')" ""
insmod /tests/modules/alloctag_slow.ko
expect "and begins anew" equal "$(site_stalls wait_slab)" ""
echo slab >$WAIT
expect "at one" equal "$(stall count wait_slab slab)" 1
rmmod alloctag_slow
finish
