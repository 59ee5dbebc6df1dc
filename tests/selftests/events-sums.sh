#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --cpus 4 --mem 1G
# The sums of events are what call sites say.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/sites.sh"
source "$(dirname "$0")/lib/events.sh"

if ! has_events; then
	skip "the sums of events are what call sites say" "not by this kernel"
	finish
fi
mount_tracing
insmod /tests/modules/$MODULE.ko

# of_events, of_sites: "BYTES SITE", as events add up, and as call sites have it.
of_events() {
	awk '/ alloc: | free: / {
		match($0, / bytes_alloc=[0-9]+/); bytes = substr($0, RSTART + 13, RLENGTH - 13)
		sign = / alloc: / ? 1 : -1
		site = $0; sub(/.* (alloc|free): /, "", site); sub(/ account=.*/, "", site)
		sum[site] += sign * bytes
	}
	END {for (site in sum) if (sum[site]) print sum[site], site}' $TRACING/trace | sort
}
of_sites() { sites | awk '{bytes = $1; sub(/^([-0-9]+ )+/, ""); print bytes, $0}'; }
# difference FILE FILE: bytes by call site that are others in the second, of a module.
difference() {
	awk 'NR == FNR {bytes = $1; $1 = ""; before[$0] = bytes; next}
		{bytes = $1; $1 = ""; by = bytes - before[$0]; if (by) print by $0}' "$1" "$2" | sort
}
echo 65536 >$TRACING/buffer_size_kb
# What churns on all CPUs, allocated on one and freed on another, but for what goes on beside: chosen is what only this does.
echo "file mm/shmem.c func shmem_alloc_inode +t; module $MODULE +t" >$CONTROL
chosen() { grep -E ' func:(shmem_alloc_inode|tell_[a-z]*|keep)$'; }
: >/tmp/before
: >/tmp/after
quiesce
of_sites | chosen >/tmp/before
look alloc free
for cpu in 0 1 2 3; do churn $cpu & done
wait
let_go
no_look
of_sites | chosen >/tmp/after
expect "none was lost" equal "$(lost)" 0
expect "many were told" at_least "$(told '(alloc|free)' | wc -l)" 2000
expect "on 4 CPUs the sum of events is what call sites have more, to the byte" equal "$(of_events)" "$(difference /tmp/before /tmp/after)"
rm -r /tmp/churn?
echo '=_' >"$CONTROL"
rmmod $MODULE
finish
