#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --mem 1G
# While a program in BPF looks at what an allocator returns, who calls it and who frees is told as ever.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/events.sh"

TYPES=/sys/kernel/btf/vmlinux
CONTEXTS=/sys/kernel/debug/alloctag/contexts

if ! has_modules || ! has_events || [[ ! -e $TYPES || ! -e $CONTROL ]]; then
	skip "programs in BPF stand around allocators" "this kernel has no types for these, or no modules"
	finish
fi
mount_tracing
insmod /tests/modules/$MODULE.ko

# freed_by FUNCTION WAY: who frees what was allocated in that way while that function is traced, without the offset.
freed_by() {
	look free
	fexit "$1" bash -c "echo $2 >/sys/module/$MODULE/parameters/tell"
	no_look
	told free "$(of "tell_$2")" | field call_site | sed 's/+.*//' | sort -u | xargs
}
for traced in "kfree object" "kmem_cache_free_bulk row" "free_percpu area"; do
	read -r function way <<<"$traced"
	expect "who calls $function() is told while that is traced" equal "$(freed_by "$function" "$way")" "tell_$way"
done

# frames KEY [TRACED]: the frames of the contexts of an object that is allocated, and freed, while that function is traced.
frames() {
	echo "module $MODULE func tell_object +c $1" >$CONTROL
	if [[ -n ${2:-} ]]; then
		fexit "$2" bash -c "echo object >/sys/module/$MODULE/parameters/tell"
	else
		bash -c "echo object >/sys/module/$MODULE/parameters/tell"
	fi
	grep -oE 'caller:.*|^  .*' $CONTEXTS
	echo '=_' >$CONTROL
}
for key in by=caller 'by=stack depth=3'; do
	expected=$(frames "$key")
	expect "without a trace contexts $key have frames" grep -q 'set_tell' <<<"$expected"
	expect "with one they have the same" equal "$(frames "$key" __kmalloc_cache_noprof)" "$expected"
done
rmmod $MODULE
expect "no total is negative" none_negative
finish
