#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --append kfence.sample_interval=10
# Objects that KFENCE guards are counted like all others.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

FILES=2000
STATS=/sys/kernel/debug/kfence/stats

guarded() { awk '/^total allocations:/ {print $3}' $STATS; }

quiesce
make_files /tmp/warm 10
before=$(guarded)
start=$(inodes)
make_files /tmp/files $FILES
expect "KFENCE guarded some of what was allocated meanwhile" at_least $(($(guarded) - before)) 10
if is_other_core; then
	skip "$FILES files are $((FILES + 1)) inodes on the row" "this core does not count what KFENCE guards"
else
	expect "$FILES files are $((FILES + 1)) inodes on the row" equal "$(inodes)" $((start + FILES + 1))
fi
rm -r /tmp/files
is_other_core || expect "and none of them once they are gone" settles "$start" inodes
expect "no total is negative afterwards" fails grep -E '^ *-' <(rows)
finish
