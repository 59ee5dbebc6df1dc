# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What the rows come to, beside what the kernel says by other means. Needs allocinfo.sh.

SUMS=/tmp/sums

# The counts of all CPUs are put together, and what they keep for the next allocation is given back.
refresh() {
	local cache
	for cache in /sys/kernel/slab/*/shrink; do echo 1 >"$cache"; done
	cat /proc/sys/vm/stat_refresh >/dev/null
	sleep 0.5
}

# take_sums: all files at once and by this process alone, for another one would be in them.
take_sums() {
	local rows_read meminfo zones slabs
	mkdir -p $SUMS
	mapfile -t meminfo </proc/meminfo
	mapfile -t slabs </proc/slabinfo
	mapfile -t zones </proc/zoneinfo
	mapfile -t rows_read <"$ALLOCINFO"
	printf '%s\n' "${meminfo[@]}" >$SUMS/meminfo
	printf '%s\n' "${slabs[@]}" >$SUMS/slabinfo
	printf '%s\n' "${zones[@]}" >$SUMS/zoneinfo
	printf '%s\n' "${rows_read[@]}" >$SUMS/allocinfo
}

# All of these are bytes.
meminfo() { awk -v name="$1:" '$1 == name {printf "%.0f", $2 * 1024}' $SUMS/meminfo; }
sum_of_rows() { awk 'NR > 2 {n += $1} END {printf "%.0f", n}' $SUMS/allocinfo; }
sum_of_slab_pages() { awk '/ func:alloc_slab_page / {n += $1} END {printf "%.0f", n}' $SUMS/allocinfo; }

# What the buddy allocator has given out: the pages that it manages without those that are free, on lists of CPUs as well.
pages_given_out() {
	awk '$1 == "managed" {n += $2}
		$1 == "nr_free_pages" {n -= $2}
		$1 == "count:" {n -= $2}
		END {printf "%.0f", n * 4096}' $SUMS/zoneinfo
}

# What all objects in use take. Those that CPUs keep for the next allocation are in use there, and those of caches that are
# never counted.
objects_in_use() { awk 'NR > 2 {n += $2 * $4} END {printf "%.0f", n}' $SUMS/slabinfo; }

# near PER_MILLE NUMBER NUMBER
near() {
	local apart=$(($2 - $3))
	((${apart#-} * 1000 <= $1 * $3)) || { echo "$2 is not within $1 per mille of $3"; return 1; }
}
