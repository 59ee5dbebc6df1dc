#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --mem 1G
# Events of allocations that were given nothing, and of those that had to wait.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/events.sh"

if ! has_events; then
	skip "tracers are told of failures" "not by this kernel"
	finish
fi
mount_tracing
insmod /tests/modules/$MODULE.ko

look fail
tell failure
expect "a failure names its call site, and what was asked for" grep -q ' bytes_req=8388608 order=11 ' <(told fail "$(of tell_failure)")
if has CONFIG_ALLOCTAG_FAULTS; then
	echo "module $MODULE func tell_pages +f times=1" >$CONTROL
	tell pages 2>/dev/null
	expect "so does one that a rule makes" grep -q ' bytes_req=16384 order=2 .* injected=1 again=0' <(told fail "$(of tell_pages)")
	echo '=_' >"$CONTROL"
fi
no_look
rmmod $MODULE

if has CONFIG_ALLOCTAG_STALLS; then
	insmod /tests/modules/alloctag_slow.ko
	look stall
	echo slab >/sys/module/alloctag_slow/parameters/wait
	no_look
	expect "what waits is told with its cause" at_least "$(told stall 'func:wait_slab account=[0-9]+ cause=(slab|pages) ns=[0-9]+' | wc -l)" 1
	rmmod alloctag_slow
fi
finish
