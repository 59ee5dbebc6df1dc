#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --cpus 4 --mem 1G
# Events are switched under load, while modules come and go whose events are in the buffers.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/events.sh"

if ! has_events; then
	skip "events are switched under load" "not by this kernel"
	finish
fi
mount_tracing
insmod /tests/modules/$MODULE.ko

storm() {
	local n
	for n in $(seq 15); do
		insmod /tests/modules/alloctag_exact.ko && echo 1 >/sys/kernel/debug/alloctag_exact/step && rmmod alloctag_exact || return 1
	done
}
switch() {
	local n
	for n in $(seq 15); do look alloc free; echo "func tell_* +t" >"$CONTROL"; no_look; echo '=_' >"$CONTROL"; done
}
for cpu in 0 1; do churn $cpu & done
storm &
storms=$!
expect "events are switched under load" switch
wait $storms
stormed=$?
expect "while modules come and go" equal $stormed 0
wait
look alloc
tell object
no_look
tell object
expect "afterwards one is told while somebody looks" equal "$(told alloc "$(of tell_object)" | wc -l)" 1
expect "no total is negative" none_negative
rmmod $MODULE
finish
