#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# /proc/allocinfo gives the same rows in the same order, however it is read.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

all=/tmp/all
names >"$all"

# The names in a whole text, header included.
same_rows() { cmp "$all" <(tail -n +3 | names_of); }
read_by() { dd if="$ALLOCINFO" bs="$1" status=none | same_rows; }
reread_after() { seek "$ALLOCINFO" "$1" | same_rows; }
starts_with_header() { seek "$ALLOCINFO" "$1" | head -n 1 | cmp - <(echo "allocinfo - version: 2.0"); }

read_at_once() {
	local size pids=() status=0 pid
	for size in 1 13 100 1000 4096 4097 65536 1000000; do
		read_by "$size" &
		pids+=("$!")
	done
	for pid in "${pids[@]}"; do wait "$pid" || status=1; done
	return "$status"
}

# A line that a reader has in part is finished from the same reading of the counters.
skipped() {
	local whole part
	whole=$(head -c 62 "$ALLOCINFO")
	part=$(dd if="$ALLOCINFO" bs=10 skip=1 count=3 status=none)
	equal "$part" "${whole:10:30}"
}

for size in 1 7 80 4095 4096 4097 65536 1048576; do
	expect "reads of $size bytes give every row once" read_by "$size"
done
for bytes in 1 61 62 5000 70000; do
	expect "after $bytes bytes and a seek to 0, all rows come again" reread_after "$bytes"
	expect "after $bytes bytes and a seek to 0, the header comes first" starts_with_header "$bytes"
done
expect "a seek into the header goes on from there" skipped
expect "a seek past the end reads nothing" equal "$(dd if="$ALLOCINFO" bs=1M skip=64 status=none | wc -c)" 0
expect "eight readers at once each get every row once" read_at_once
finish
