#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --mem 1G --append trace_event=alloctag:alloc,alloctag:free --append trace_buf_size=64M --append trace_clock=local --append tsc=unstable
# Allocations are traced from the first event on that the tracer can take, before there are interrupts or tasks; also where the
# machine's clock turns out to be unstable, for which the tracer forgets what it has unless it is told which clock to use.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/events.sh"

if ! has_events; then
	skip "tracers are told of allocations at boot" "not by this kernel"
	finish
fi
mount_tracing
no_look
expect "the command line has the events looked at" at_least "$(grep -c ' alloc: ' $TRACING/trace)" 10000
expect "from before there is a second task" grep -qE '^ +(swapper|<idle>)[^ ]*-0 .* alloc: ' $TRACING/trace
expect "with what frees" at_least "$(grep -c ' free: ' $TRACING/trace)" 1000
expect "of which call sites are named" equal "$(grep -E ' (alloc|free): ' $TRACING/trace | grep -cvE ': [^ ]+:[0-9]+ (\[[^] ]+\] )?func:[^ ]+ account=')" 0
# Those that had come before the tracer are known to allocinfo alone.
expect "and who frees" at_least "$(grep -c ' call_site=[a-zA-Z_]' $TRACING/trace)" 1000
look alloc
: >/tmp/told
no_look
: >/tmp/untold
expect "it can be turned on and off afterwards" equal "$(told alloc ' func:shmem_alloc_inode ' | wc -l)" 1
expect "no total is negative" none_negative
finish
