#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests
# Where some allocations stand for others, what contexts have is near what there is, over many runs as near as can be; rows
# stay exact; and what is freed takes off what it added.

set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

DIRECTORY=/sys/kernel/debug/alloctag
PARAMETERS=/sys/module/alloctag_callers/parameters
RUNS=100

if [[ ! -e $DIRECTORY/control ]]; then
	skip "allocations can be sampled" "this kernel has no debugfs"
	finish
fi
rule() { echo "$1" >$DIRECTORY/control; }
allocate() { echo "$*" >$PARAMETERS/allocate; }
release() { echo "$1" >$PARAMETERS/free; }
# sums FUNCTION PATTERN: bytes, calls, allocations and bytes ever allocated, of those of its contexts that match.
sums() {
	grep -F "func:$1 " $DIRECTORY/contexts | grep -E -- "$2" | awk '{
		bytes += $1; calls += $2
		for (i = 3; i <= NF; i++) {split($i, f, ":"); if (f[1] == "allocs") allocs += f[2]; if (f[1] == "allocated") allocated += f[2]}
	} END {print bytes + 0, calls + 0, allocs + 0, allocated + 0}'
}
row() { rows | awk -v func="func:$1" '$0 ~ func " " {print $1, $2}'; }
# within PER_MILLE ESTIMATE WANTED
within() { (($2 * 1000 >= $3 * (1000 - $1) && $2 * 1000 <= $3 * (1000 + $1))) || { echo "$2, not $3"; return 1; }; }

insmod /tests/modules/alloctag_callers.ko

# estimated KIND COUNT PERIOD ONE MANY: five standard deviations are so many parts of a thousand, for one run and for all.
estimated() {
	local kind=$1 count=$2 period=$3 one=$4 many=$5 run bytes calls live sum unit
	local site=helper_$kind
	allocate first "$kind" 1
	read -r unit _ <<<"$(row "$site")"
	release 1
	rule "=_; func $site +c by=caller every=$period"
	allocate first "$kind" "$count"
	expect "$kind: the row is exact" equal "$(row "$site")" "$((count * unit)) $count"
	read -r bytes calls _ <<<"$(sums "$site" "caller:first\S+ every:$period$")"
	expect "$kind: what is alive is about right" within "$one" "$bytes" $((count * unit))
	expect "$kind: and so are its objects" within "$one" "$calls" "$count"
	release "$count"
	for ((run = 1; run < RUNS; run++)); do
		allocate first "$kind" "$count"
		release "$count"
	done
	live=$(sums "$site" . | cut -d' ' -f1-2)
	expect "$kind: freeing takes off what allocating added" equal "$live" "0 0"
	sum=$(sums "$site" .)
	read -r _ _ calls bytes <<<"$sum"
	expect "$kind: over $RUNS runs the bytes come to what they were" within "$many" "$bytes" $((RUNS * count * unit))
	expect "$kind: and the objects" within "$many" "$calls" $((RUNS * count))
	expect "$kind: the row has nothing left" equal "$(row "$site")" "0 0"
}
# Of 128 bytes in 4 KiB one in 32.5 is looked at: of 4,000 some 123, and 5 / sqrt(123) is 0.45.
estimated object 4000 4096 450 45
# Of 8 KiB in 64 KiB one in 8.5: of 2,000 some 235.
estimated pages 2000 65536 326 33
# Pages of which vmalloc takes several at once, and splits them: of three in 4 KiB one in 1.6, beside a few small objects.
rule '=_; func helper_vmalloc +c by=caller every=4096'
for ((run = 0; run < RUNS; run++)); do
	allocate first vmalloc 100
	release 100
done
allocate first vmalloc 1000
read -r bytes _ <<<"$(sums helper_vmalloc 'caller:first\S+ every:4096$')"
expect "vmalloc: parts of what is split stand for others by themselves" within 100 "$bytes" "$(row helper_vmalloc | cut -d' ' -f1)"
release 1000
expect "vmalloc: freeing takes off what allocating added" equal "$(sums helper_vmalloc . | cut -d' ' -f1-2)" "0 0"

rule '=_; func helper_object +c by=caller every=4096; func helper_pages +c by=caller every=8K'
allocate first object 4000
rule '-1; func helper_object +c by=caller every=16K'
expect "another rule's are others" equal "$(sums helper_object 'every:16384$')" "0 0 0 0"
release 4000
rule '=_'
expect "nothing stays" settles 0 grep -c func:helper_ $DIRECTORY/contexts
many=$(for ((i = 1; i <= 16; i++)); do printf '* +c by=node every=%dK;' $((4 * i)); done)
expect "there are so many periods at a time, and no more" fails rule "$many"
expect "none of which holds" equal "$(tail -n +3 $DIRECTORY/control)" ""
rule '* +c by=stack,gfp,age slice=1m every=8K'
make_files /tmp/sampled 2000
expect "everything can be sampled" at_least "$(grep -c 'every:8192$' $DIRECTORY/contexts)" 20
expect "with the flags that were asked with" at_least "$(grep -c 'gfp:[^ ]*GFP_KERNEL' $DIRECTORY/contexts)" 5
expect "and the slice of time" at_least "$(grep -cE 'age:(0-60|60-120) ' $DIRECTORY/contexts)" 20
rm -r /tmp/sampled
rule '=_'
rmmod alloctag_callers
expect "no total is negative" none_negative
finish
