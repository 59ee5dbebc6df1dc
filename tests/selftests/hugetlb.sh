#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --mem 1G
# Pages of the hugetlb pool are counted when the pool grows, and taken off when it shrinks.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

POOL=/proc/sys/vm/nr_hugepages
HUGE_PAGE=$((2 * 1024 * 1024))
PAGES=20

in_pool() { rows | awk 'index($3, "mm/hugetlb.c:") == 1 && $1 >= least {n += $1} END {print n + 0}' least=$HUGE_PAGE; }

quiesce
expect "an empty pool holds nothing" equal "$(in_pool)" 0
echo $PAGES >$POOL
expect "the pool has $PAGES pages" equal "$(cat $POOL)" $PAGES
expect "$PAGES huge pages are as many bytes on its rows" equal "$(in_pool)" $((PAGES * HUGE_PAGE))
echo 5 >$POOL
expect "5 are left" settles $((5 * HUGE_PAGE)) in_pool
echo 0 >$POOL
expect "and none" settles 0 in_pool
finish
