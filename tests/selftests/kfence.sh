#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --append kfence.sample_interval=10
# Objects that KFENCE guards are counted like all others.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

# So many at a time, until enough of them were guarded: that is one every 10 ms.
FILES=500
GUARDED=10
STATS=/sys/kernel/debug/kfence/stats

guarded() { awk '/^total allocations:/ {print $3}' $STATS; }

quiesce
make_files /tmp/warm 10
before=$(guarded)
start=$(inodes)
made=0
for round in $(seq $TRIES); do
	make_files "/tmp/files/$round" $FILES
	made=$((round * (FILES + 1)))
	(($(guarded) - before < GUARDED)) || break
done
expect "KFENCE guarded some of what was allocated meanwhile" at_least $(($(guarded) - before)) $GUARDED
if is_other_core; then
	skip "every file and directory is an inode on the row" "this core does not count what KFENCE guards"
else
	# And the directory of directories.
	expect "every file and directory is an inode on the row" equal "$(inodes)" $((start + made + 1))
fi
rm -r /tmp/files
is_other_core || expect "and none of them once they are gone" settles "$start" inodes
expect "no total is negative afterwards" none_negative
finish
