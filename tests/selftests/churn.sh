#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --cpus 4 --tests --append alloctag.contexts=32
# Tasks, names, cgroups and CPUs come and go while contexts are told apart by them: what has come and gone leaves its place to
# others, and its numbers to its call site; what is alive is taken from where it was charged.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

DIRECTORY=/sys/kernel/debug/alloctag
PARAMETERS=/sys/module/alloctag_callers/parameters
GROUPS_OF_TASKS=/tmp/cgroup
# As the boot parameter has it, and an eighth of it.
PLACES=32
LEFT=4
# Twice as many.
MANY=64
# The last CPU, which can go.
CPU=3

if [[ ! -e $DIRECTORY/control ]]; then
	skip "contexts come and go" "this kernel has no debugfs"
	finish
fi
rule() { echo "$1" >$DIRECTORY/control; }
lost() { awk 'END {print $4}' "$DIRECTORY/control"; }
release() { echo "$1" >$PARAMETERS/free; }
contexts() { tail -n +3 $DIRECTORY/contexts | grep -F 'func:helper_object '; }
# numbers PATTERN: bytes, calls, allocs and frees of those of its contexts that match.
numbers() {
	contexts | grep -E -- "$1" | awk '{
		bytes += $1; calls += $2
		for (i = 3; i <= NF; i++) {if (split($i, f, ":") == 2 && f[1] == "allocs") allocs += f[2]; if (f[1] == "frees") frees += f[2]}
	} END {print bytes + 0, calls + 0, allocs + 0, frees + 0}'
}
row() { rows | awk '/func:helper_object / {print $1, $2}'; }
# within GROUP COUNT: objects of a process of that cgroup.
within() { bash -c 'echo $$ >"$1/cgroup.procs"; echo "first object $2" >"$3"' - "$GROUPS_OF_TASKS/$1" "$2" $PARAMETERS/allocate; }
# named NAME: an object that comes and goes for a task of that name.
named() { bash -c 'echo "$1" >/proc/$$/comm; echo first object 1 >"$2"; echo 1 >"$3"' - "$1" "$PARAMETERS"/{allocate,free}; }
# passing RULE COMMAND…: many come and go under it, half as many at a time as are left of the places when room begins to be
# made: some may be another rule's yet.
passing() {
	local number try
	rule "=_; func helper_object $1"
	shift
	for number in $(seq $MANY); do
		"$@" "$number"
		((number % (LEFT / 2) == 0)) || continue
		for try in $(seq $TRIES); do
			(($(contexts | wc -l) > PLACES - LEFT)) || break
			sleep 0.1
		done
	done
	: "$try"
}
task() { named "task$1"; }
group() {
	mkdir "$GROUPS_OF_TASKS/$1"
	within "$1" 1
	release 1
	rmdir "$GROUPS_OF_TASKS/$1"
}
insmod /tests/modules/alloctag_callers.ko
mkdir $GROUPS_OF_TASKS
mount -t cgroup2 none $GROUPS_OF_TASKS
echo +memory >$GROUPS_OF_TASKS/cgroup.subtree_control

if has CONFIG_MEMCG; then
	rule 'func helper_object +c by=cgroup'
	mkdir $GROUPS_OF_TASKS/mortal
	within mortal 5
	read -r bytes _ <<<"$(row)"
	expect "a cgroup has what its tasks asked for" equal "$(numbers ' cgroup:[0-9]+,/mortal$')" "$bytes 5 5 0"
	rmdir $GROUPS_OF_TASKS/mortal
	expect "when it has gone, this is still told apart" equal "$(numbers ' cgroup:[0-9]+,gone$')" "$bytes 5 5 0"
	mkdir $GROUPS_OF_TASKS/mortal
	within mortal 2
	expect "and from what one of the same name has" equal "$(numbers ' cgroup:[0-9]+,gone$' | cut -d' ' -f2) $(numbers ',/mortal$' | cut -d' ' -f2)" "5 2"
	release 7
	expect "whoever frees it" equal "$(numbers . | cut -d' ' -f1-2)" "0 0"
	rmdir $GROUPS_OF_TASKS/mortal
	passing '+c by=cgroup' group
	expect "$MANY cgroups come and go in the places of $PLACES" equal "$(lost)" 0
fi
passing '+c by=comm,pid' task
expect "$MANY processes and their names come and go in the places of $PLACES" equal "$(lost)" 0
expect "nothing of theirs is alive" equal "$(numbers . | cut -d' ' -f1-2) $(row)" "0 0 0 0"

rule '=_; func helper_object +c by=stack,node depth=3'
# shellcheck disable=SC2016 # for that shell
taskset -c $CPU bash -c 'echo second object 9 >"$1"' - $PARAMETERS/allocate
read -r bytes _ <<<"$(row)"
if { echo 0 >/sys/devices/system/cpu/cpu$CPU/online; } 2>/dev/null; then
	expect "what a CPU allocated is there when it has gone" equal "$(numbers .)" "$bytes 9 9 0"
	release 4
	expect "and is freed by others" equal "$(numbers .)" "$((bytes * 5 / 9)) 5 9 4"
	echo 1 >/sys/devices/system/cpu/cpu$CPU/online
	expect "and it comes back to the rest" equal "$(taskset -c $CPU cat $DIRECTORY/contexts | grep -cF func:helper_object)" 1
else
	release 4
	skip "what a CPU allocated is there when it has gone" "no CPU of this machine goes"
fi
release 5
rule '=_'
rmmod alloctag_callers
expect "no total is negative" none_negative
finish
