#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --cpus 4
# Who chooses call sites waits until every task has slept that may run a hook of before. Who begins to trace does not wait for
# that, with all of tracing locked.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/events.sh"

# That is enough for what waits for nothing, on any machine; the other may have to wait for ever.
AT_ONCE=20

if ! has_events || ! has CONFIG_PREEMPTION; then
	skip "who begins to trace waits for no hook" "nothing can be told, or there is nothing to wait for"
	finish
fi
mount_tracing
# within SECONDS PID: whether it has ended by then.
within() {
	local tenth
	for ((tenth = 0; tenth < $1 * 10; tenth++)); do
		kill -0 "$2" 2>/dev/null || return 0
		sleep 0.1
	done
	return 1
}
waits() { fails within 3 "$1"; }

insmod /tests/modules/alloctag_busy.ko
echo '* +c by=comm' >$CONTROL &
chooser=$!
expect "who chooses waits for a task that does not sleep" waits $chooser
look alloc free &
expect "who begins to trace does not" within $AT_ONCE $!
no_look &
expect "nor who ceases to" within $AT_ONCE $!
expect "the other still waits" kill -0 $chooser
rmmod alloctag_busy
wait $chooser
expect "until it has gone" equal $? 0
echo '=_' >$CONTROL
finish
