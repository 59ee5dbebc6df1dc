#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --cpus 4 --mem 1G
# Events of what a memory cgroup is charged for: once it is, and where it refuses, of a failure.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/events.sh"

if ! has_events; then
	skip "tracers are told of what a memcg is charged for" "not by this kernel"
	finish
fi
mount_tracing
insmod /tests/modules/$MODULE.ko

# As long as nobody has made a cgroup, none is charged for anything.
told_of charged alloc tell_charged >/dev/null
expect "what a memcg could be charged for is told once" equal "$(count alloc tell_charged) $(count free tell_charged)" "2 2"
mkdir -p /tmp/cgroup && mount -t cgroup2 none /tmp/cgroup && echo +memory >/tmp/cgroup/cgroup.subtree_control
mkdir -p /tmp/cgroup/told
# In a group, by a process of its own.
bash -c 'echo $$ >/tmp/cgroup/told/cgroup.procs; echo 1 >'$EVENTS'/alloc/enable; echo 1 >'$EVENTS'/free/enable; echo >'$TRACING'/trace
	echo charged >/sys/module/'$MODULE'/parameters/tell'
no_look
expect "and so it is where one is" equal "$(count alloc tell_charged) $(count free tell_charged)" "2 2"
expect "once it is" equal "$(bytes_of alloc tell_charged)" "$(bytes_of free tell_charged)"
look alloc free fail
tell lack
no_look
expect "what a memcg would be charged for and is not there is one failure" equal "$(count fail tell_lack)" 1
expect "and no allocation" equal "$(count alloc tell_lack)" "$(count free tell_lack)"
# All but one page of the group is taken by a program that lives there, so it refuses the rest.
look alloc fail
insmod /tests/modules/alloctag_refused.ko
echo $((8 << 20)) >/tmp/cgroup/told/memory.max
bash -c 'echo $$ >/tmp/cgroup/told/cgroup.procs; echo 2000 >/sys/module/alloctag_refused/parameters/pages'
no_look
read -r given refused _ </sys/module/alloctag_refused/parameters/pages
expect "what a memcg refuses is a failure and no allocation" equal \
	"$(told alloc 'func:give_page ' | wc -l) $(told fail 'func:give_page ' | wc -l)" "$given $refused"
rmmod alloctag_refused
rmmod $MODULE
finish
