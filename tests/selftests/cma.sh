#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --append cma=32M
# Pages of a contiguous memory area are counted while somebody holds them, and what lay there is moved away without harm.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

AREAS=/sys/kernel/debug/cma
PAGES=1000

if [[ ! -d $AREAS ]]; then
	skip "pages of a contiguous area are on the row of who took them" "this kernel has no CMA with debugfs"
	finish
fi
area=$(dirname "$AREAS"/*/alloc)
in_area() { rows | awk 'index($3, "mm/cma.c:") == 1 {n += $1} END {print n + 0}'; }
take() { echo "$1" >"$area/alloc"; }
give() { echo "$1" >"$area/free"; }

# The area lends its pages to files, which have to go elsewhere.
start=$(in_area)
dd if=/dev/zero of=/tmp/lent bs=1M count=64 status=none
sum=$(md5sum </tmp/lent)
expect "$PAGES pages are taken" take $PAGES
expect "they are so many bytes on the area's rows" equal "$(in_area)" $((start + PAGES * PAGE))
expect "a part of them is given back" give 400
expect "the others are left" settles $((start + (PAGES - 400) * PAGE)) in_area
expect "and given back" give $((PAGES - 400))
expect "nothing is left" settles "$start" in_area
expect "what was lent to a file is as it was" equal "$(md5sum </tmp/lent)" "$sum"
rm /tmp/lent
expect "no total is negative afterwards" none_negative
finish
