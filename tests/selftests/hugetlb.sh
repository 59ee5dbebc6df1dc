#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --mem 8G
# Pages of each size of the hugetlb pool are counted when the pool grows, and taken off when it shrinks.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

POOLS=/sys/kernel/mm/hugepages
# As many as these are of each size, but no more of the larger ones than a quarter of the memory: a GiB has to be found in one
# piece, where KASAN's shadow and what the kernel never moves lie about.
PAGES=20
quarter=$(awk '$1 == "MemTotal:" {printf "%d", $2 / 4}' /proc/meminfo)

# in_pool: bytes on its rows, which also have what is not for the pool, smaller than any page of this size.
in_pool() { rows | awk -v least=$((size * 1024)) 'index($3, "mm/hugetlb.c:") == 1 && $1 >= least {n += $1} END {print n + 0}'; }

quiesce
mapfile -t sizes < <(find $POOLS -mindepth 1 -maxdepth 1 -printf '%f\n' | sed -nE 's/^hugepages-([0-9]+)kB$/\1/p' | sort -n)
# x86 has the larger ones where its CPU does.
if grep -q '^flags' /proc/cpuinfo && ! grep -qw pdpe1gb /proc/cpuinfo; then
	skip "there are pools of two sizes at least" "this CPU has pages of two sizes alone"
else
	expect "there are pools of two sizes at least" at_least "${#sizes[@]}" 2
fi
for size in "${sizes[@]}"; do
	pool=$POOLS/hugepages-${size}kB/nr_hugepages
	pages=$((quarter / size < PAGES ? quarter / size : PAGES))
	if ((pages == 0)); then
		skip "$size KiB: an empty pool holds nothing" "it would take more than a quarter of the memory"
		continue
	fi
	expect "$size KiB: an empty pool holds nothing" equal "$(in_pool)" 0
	echo $pages >"$pool"
	expect "the pool has $pages pages" equal "$(cat "$pool")" $pages
	expect "which are as many bytes on its rows" equal "$(in_pool)" $((pages * size * 1024))
	left=$((pages / 4))
	echo $left >"$pool"
	expect "$left are left" settles $((left * size * 1024)) in_pool
	echo 0 >"$pool"
	expect "and none" settles 0 in_pool
done
finish
