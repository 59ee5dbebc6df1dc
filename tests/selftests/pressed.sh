#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --mem 1G --append delayacct --append tsc=reliable
# How long allocations wait for reclaim and compaction, beside what delay accounting has of the task.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/sites.sh"
source "$(dirname "$0")/lib/stalls.sh"

PARAMETERS=/sys/module/alloctag_pressed/parameters

if is_other_core || ! has CONFIG_ALLOCTAG_STALLS || ! has CONFIG_TASK_DELAY_ACCT; then
	skip "waits are as long as delay accounting has them" "this kernel does not measure one of both"
	finish
fi
# near VALUE EXPECTED: within five in a hundred.
near() {
	(($1 * 100 >= $2 * 95 && $1 * 100 <= $2 * 105)) && return
	echo "$1 and $2 differ by more than 5 %"
	return 1
}
# While this process waits, and no other.
insmod /tests/modules/alloctag_pressed.ko
reset_stalls
read -r pages compact <$PARAMETERS/delays
echo reclaim >$PARAMETERS/wait
read -r pages_after compact_after <$PARAMETERS/delays
expect "a task waits for reclaim" at_least $((pages_after - pages)) 4000000
expect "its call site has waited as long" near "$(stall ns wait_reclaim reclaim)" $((pages_after - pages))
expect "which is most of its stalls" at_least "$(stall ns wait_reclaim reclaim)" \
	$(($(sites | awk '$NF == "func:wait_reclaim" {print $10}') / 2))

# Long waits, for the ends of each are not at quite the same instruction.
# Of all that is free but for a few MiB, half is left, in single pages.
mount -t tmpfs -o size=100% none /mnt
sparse /mnt/pieces $(($(awk '$1 == "MemFree:" {print $2}' /proc/meminfo) / 1024 - 100))
reset_stalls
read -r pages compact <$PARAMETERS/delays
echo compaction >$PARAMETERS/wait
read -r pages_after compact_after <$PARAMETERS/delays
expect "a task waits for compaction" at_least $((compact_after - compact)) 10000000
expect "its call site has waited as long" near "$(stall ns wait_compaction compaction)" $((compact_after - compact))
umount /mnt
rmmod alloctag_pressed
finish
