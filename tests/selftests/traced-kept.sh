#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# arch: x86_64
# guest: --tests --mem 2G --reboots --append memmap=16M$0x40000000 --append trace_instance=kept^traceoff@0x40000000:16M
# Events in a buffer that outlives its kernel: the next one shows them, with the names of call sites of a module that it has never
# seen.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/events.sh"

# Said to the second kernel alone.
AGAIN=alloctag_kept
KEPT=$TRACING/instances/kept

if ! has_events || ! has CONFIG_KEXEC_FILE; then
	skip "the next kernel shows what this one has told" "there are no events, or there is no next one"
	finish
fi
mount_tracing
go_on() { kexec /boot/kernel /boot/initramfs "$(cat /proc/cmdline) $AGAIN=$1"; }
# kept EVENT: how many the buffer has of the objects of the test's module.
kept() { grep " $1: .*told.c:[0-9]* \[$MODULE\] func:tell_object account=" $KEPT/trace | grep -c ' bytes_req=200 '; }

if ! before=$(grep -o "$AGAIN=[0-9]*" /proc/cmdline); then
	expect "there is a buffer that will stay" test -d $KEPT
	insmod /tests/modules/$MODULE.ko
	for event in alloc free; do
		echo "module == \"$MODULE\"" >$KEPT/events/alloctag/$event/filter
		echo 1 >$KEPT/events/alloctag/$event/enable
	done
	echo 1 >$KEPT/tracing_on
	for _ in $(seq 7); do tell object; done
	echo 0 >$KEPT/tracing_on
	expect "it takes events" equal "$(kept alloc) $(kept free)" "7 7"
	rmmod $MODULE
	sync
	expect "another kernel follows" go_on "$expect_count"
	finish
fi
expect_count=${before#*=}
expect "another kernel follows, and has the buffer" grep -qw "$MODULE" $KEPT/last_boot_info
expect "with all events of the first one, and their call sites" equal "$(kept alloc) $(kept free)" "7 7"
finish
