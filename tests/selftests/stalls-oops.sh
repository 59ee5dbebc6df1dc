#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --warns NULL.pointer.dereference|null-ptr-deref|Oops:
# A task that is killed while it waits leaves nothing of its stall behind, and what it allocates on its way is measured.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/sites.sh"
source "$(dirname "$0")/lib/stalls.sh"

WAIT=/sys/module/alloctag_slow/parameters/wait

if is_other_core || ! has CONFIG_ALLOCTAG_STALLS; then
	skip "a task that is killed while it waits leaves no stall" "this kernel measures nothing"
	finish
fi
insmod /tests/modules/alloctag_slow.ko
echo 0 >/proc/sys/kernel/panic_on_oops
for _ in 1 2 3; do echo killed >$WAIT; done
expect "three tasks are killed while they wait" equal "$(kernel_log | grep -c 'Oops:.*')" 3
expect "their stalls have no end, and are none" equal "$(stalls_of die)" ""
expect "nobody's time is absurd" equal "$(stalls | awk '$4 > 600e9')" ""
echo slab >$WAIT
expect "others are measured as before" equal "$(stall count wait_slab slab)" 1
finish
