#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --cpus 4 --mem 1G
# Events of allocations: each names the call site, what it was given, and who frees it.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/events.sh"

if ! has_events; then
	skip "tracers are told of allocations" "not by this kernel"
	finish
fi
mount_tracing
insmod /tests/modules/$MODULE.ko

expect "there are four events, and that of faults" equal "$(find $EVENTS -mindepth 1 -type d -printf '%f\n' | sort | xargs)" \
	"alloc alloctag_fault fail free stall"

line=$(told_of object alloc tell_object)
expect "an allocation names its call site as allocinfo does" equal "$(grep -o "^.* func:tell_object" <<<"$line")" \
	"$(rows | grep -o '[^ ]*told.c:.* func:tell_object')"
# What debuggers add is in /proc/slabinfo, which kernels without them may lack.
size=$(awk '$1 == "kmalloc-256" {print $4; exit}' /proc/slabinfo 2>/dev/null)
expect "with what was asked for and what that takes" equal "$(field bytes_req <<<"$line") $(field bytes_alloc <<<"$line")" \
	"200 ${size:-256}"
expect "and the flags by name" equal "$(field gfp_flags <<<"$line")" GFP_KERNEL
freed=$(told free "$(of tell_object)")
expect "its free names the same call site" equal "$(field account <<<"$freed")" "$(field account <<<"$line")"
expect "the same object" equal "$(field ptr <<<"$freed")" "$(field ptr <<<"$line")"
expect "as many bytes" equal "$(field bytes_req <<<"$freed") $(field bytes_alloc <<<"$freed")" \
	"$(field bytes_req <<<"$line") $(field bytes_alloc <<<"$line")"
expect "and who frees it" grep -q 'call_site=tell_object+' <<<"$freed"
freed=$(told_of moved free give_moved)
expect "what krealloc() frees, who calls it does" grep -q 'call_site=tell_moved+' <<<"$freed"

told_of row alloc tell_row >/dev/null
expect "objects in bulk are as many events" equal "$(count alloc tell_row) $(count free tell_row)" "8 8"
expect "and who frees them has called for that" equal "$(told free "$(of tell_row)" | grep -c 'call_site=tell_row+')" 8
line=$(told_of pages alloc tell_pages)
expect "pages have a number and an order" grep -qE ' pfn=0x[1-9a-f][0-9a-f]* .* bytes_alloc=16384 order=2 ' <<<"$line"
expect "and the same when they are freed" equal "$(told free "$(of tell_pages)" | field pfn)" "$(field pfn <<<"$line")"
expect "by whom" grep -q 'call_site=tell_pages+' <(told free "$(of tell_pages)")
told_of parts alloc tell_parts >/dev/null
expect "what was split is freed in parts" equal "$(count alloc tell_parts) $(count free tell_parts)" "1 4"
expect "which are all of it" equal "$(bytes_of free tell_parts)" 16384
told_of tail alloc tell_tail >/dev/null
expect "the tail of pages is freed before the first" equal "$(told free "$(of tell_tail)" | field bytes_alloc | xargs)" "12288 4096"
line=$(told_of area alloc tell_area)
expect "an area takes as much on every CPU" at_least "$(field bytes_alloc <<<"$line")" $((32768 * $(nproc)))
expect "and is of no node" equal "$(field nid <<<"$line")" -1
expect "and is freed" equal "$(told free "$(of tell_area)" | field ptr)" "$(field ptr <<<"$line")"
told_of vmalloc free tell_vmalloc >/dev/null
expect "the pages of an area are freed one by one" at_least "$(count free tell_vmalloc)" 3
expect "by who frees the area" equal "$(told free "$(of tell_vmalloc)" | grep -c 'call_site=tell_vmalloc+')" \
	"$(count free tell_vmalloc)"
expect "nobody looks any more" equal "$(cat $EVENTS/enable)" 0
rmmod $MODULE
finish
