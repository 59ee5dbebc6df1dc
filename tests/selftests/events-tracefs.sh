#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --mem 1G
# The tracer's own means work on events of allocations: filters, histograms, and events made of events.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/events.sh"

if ! has_events; then
	skip "filters and histograms work on the events" "not by this kernel"
	finish
fi
mount_tracing
insmod /tests/modules/$MODULE.ko

echo 'file ~ "*told.c" && function == "tell_pages"' >$EVENTS/alloc/filter
look alloc
for what in pages object pages; do tell $what; done
no_look
expect "filters go by file and function" equal "$(told alloc | grep -oE 'func:[a-z_]+')" $'func:tell_pages\nfunc:tell_pages'
echo 0 >$EVENTS/alloc/filter
echo 'hist:keys=file,line:vals=bytes_alloc if module == "alloctag_told"' >$EVENTS/alloc/trigger
for _ in 1 2 3; do tell pages; done
expect "a histogram adds up bytes by call site" grep -qE 'told\.c *, line: +[0-9]+ *\} hitcount: +3 +bytes_alloc: +49152' $EVENTS/alloc/hist
echo '!hist:keys=file,line:vals=bytes_alloc if module == "alloctag_told"' >$EVENTS/alloc/trigger
echo 'lived u64 ns; char function[]' >$TRACING/synthetic_events
echo 'hist:keys=ptr:born=common_timestamp,what=function if module == "alloctag_told"' >$EVENTS/alloc/trigger
# shellcheck disable=SC2016 # the histogram's own variables
echo 'hist:keys=ptr:age=common_timestamp-$born,of=$what:onmatch(alloctag.alloc).lived($age,$of) if module == "alloctag_told"' >$EVENTS/free/trigger
echo 1 >$TRACING/events/synthetic/lived/enable
echo >$TRACING/trace
tell keep
tell drop
expect "an event made of both tells how long an object has lived" grep -qE 'lived: ns=[0-9]+ function=keep' $TRACING/trace
echo 0 >$TRACING/events/synthetic/lived/enable
for event in free alloc; do sed -n '/^hist/s/^/!/p' $EVENTS/$event/trigger | sed 's/ \[active\]$//' >/tmp/trigger; while read -r trigger; do echo "$trigger" >$EVENTS/$event/trigger; done </tmp/trigger; done
echo >$TRACING/synthetic_events
rmmod $MODULE
finish
