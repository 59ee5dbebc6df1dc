#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests
# Programs read contexts and rules by the ioctls of /proc/allocinfo: what people read as text, in 64 and in 32 bits. Rules ask
# for a capability, names of functions for what kallsyms asks for its addresses.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

DIRECTORY=/sys/kernel/debug/alloctag
PARAMETERS=/sys/module/alloctag_callers/parameters
RESTRICTION=/proc/sys/kernel/kptr_restrict
BIN=/tests/bin

if [[ ! -e $DIRECTORY/control ]]; then
	skip "programs read contexts" "this kernel has no debugfs to compare them with"
	finish
fi
asked() { "$BIN/contexts$BITS" "$@"; }
allocate() { echo "$*" >$PARAMETERS/allocate; }
release() { echo "$1" >$PARAMETERS/free; }
# own: of a text with contexts those of the tests' module, without what programs look up by themselves.
own() { awk '/^ / {if (own) print; next} {own = /\[alloctag_callers\]/} own' | sed -E 's/( cgroup:[0-9]+),\S*/\1/'; }
text() { own <$DIRECTORY/contexts; }
same() { diff <(text) <(asked "$1" | own); }

insmod /tests/modules/alloctag_callers.ko
for BITS in 64 32; do
	expect "$BITS bits: rules are obeyed" asked --obey 'module alloctag_callers +c by=stack depth=4; func helper_pages +c by=order,node,cgroup
		func helper_area +c by=node,caller; func helper_vmalloc +c by=comm,pid'
	expect "$BITS bits: and listed as people see them" equal "$(asked --rules)" "$(cat $DIRECTORY/control)"
	expect "$BITS bits: there is more than there is room for" equal "$(asked --rules 7)" "control... of $(wc -c <$DIRECTORY/control) bytes"
	for kind in object pages area vmalloc; do
		allocate first $kind 3
		allocate second $kind 2
	done
	allocate third object 1
	release 5
	expect "$BITS bits: there are contexts of all kinds" at_least "$(text | grep -c ' ctx:')" 7
	for room in 16384 7 1; do
		expect "$BITS bits: $room records at a time, they are as people see them" same $room
	done
	expect "$BITS bits: what is no question is refused" equal "$(asked --refused)" \
		"as it should be: taken
an unknown flag: EINVAL
a record that is too short: EINVAL
a query that is too short: EINVAL
a longer query of zeroes: taken
a longer query with something in it: E2BIG
no memory for records: EFAULT
a place that is none: taken
frames: taken
frames by an unknown flag: EINVAL
frames of one context	yes
rules: taken
rules by an unknown flag: EINVAL
obeying by an unknown flag: EINVAL
no memory for rules: EFAULT
a text that is too long: E2BIG
a text that is no rule: EINVAL"
	expect "$BITS bits: who has the file and nothing else reads what names no function" equal "$(asked --unprivileged)" \
		"contexts: taken
frames: EPERM
rules: taken
obeying: EPERM"
	echo 2 >$RESTRICTION
	expect "$BITS bits: where kallsyms shows no addresses, nobody reads names" equal "$(asked --refused | grep '^frames: ')" "frames: EPERM"
	echo 0 >$RESTRICTION
	expect "$BITS bits: a list that is wrong changes nothing" fails asked --obey '=_; func x +q'
	expect "$BITS bits: the rules are what they were" equal "$(asked --rules | wc -l)" 6
	expect "$BITS bits: all can be taken back" asked --obey '=_'
	release 8
done
expect "contexts of which something is alive stay" at_least "$(text | grep -c ' ctx:')" 1
rmmod alloctag_callers
expect "the module has gone, and its contexts" settles 0 eval 'asked | own | wc -l'

LOCKDOWN=/sys/kernel/security/lockdown
mount -t securityfs none "${LOCKDOWN%/*}" 2>/dev/null
if [[ -e $LOCKDOWN ]]; then
	echo integrity >$LOCKDOWN
	BITS=64
	into_debugfs() { echo '* +c by=comm' >"$DIRECTORY/control"; }
	expect "locked down, debugfs takes no rules" fails into_debugfs 2>/dev/null
	expect "but the ioctl does" asked --obey '* +c by=comm'
	expect "save where they have allocations fail" fails asked --obey '* +f'
	expect "which the tool says in one line" equal "$(alloctag fault func x -- true 2>&1)" \
		"alloctag: the kernel is locked down, and has nothing fail"
	expect "of a sweep as well" equal "$(alloctag sweep -- true 2>&1)" "alloctag: the kernel is locked down, and has nothing fail"
	expect "and contexts read" at_least "$(asked | wc -l)" 2
	asked --obey '=_'
else
	skip "locked down, rules are obeyed by ioctl" "this kernel knows no lockdown"
fi
finish
