#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --cpus 4 --mem 512M
# A module's parameters are written, and allocate, while the module goes: nothing is counted where its accounts were.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

MODULE=alloctag_written
PARAMETERS=/sys/module/$MODULE/parameters
CONTROL=/sys/kernel/debug/alloctag/control
ROUNDS=60

if is_other_core; then
	skip "a parameter is written while its module goes" "this core frees the module's counters while that counts in them, and crashes"
	finish
fi
# writes NUMBER: leaves how often both were taken. Where there is no module it waits for one, and leaves the CPU to what loads it.
writes() {
	local times=0 idle
	exec {idle}<> <(:)
	until [[ -e /tmp/stop ]]; do
		if echo 1000 >$PARAMETERS/times && echo 1000 >$PARAMETERS/boxes; then
			times=$((times + 1))
		elif [[ ! -e $PARAMETERS ]]; then
			nap 0.01 "$idle"
		fi
	done 2>/dev/null
	echo $times >"/tmp/written.$1"
}
# come_and_go TIMES
come_and_go() {
	local round
	for ((round = 0; round < $1; round++)); do
		insmod "/tests/modules/$MODULE.ko" || return 1
		rmmod "$MODULE" || return 1
	done
}
objects() { rows | awk -v name="[$MODULE]" '$4 == name {n += $2} END {print n + 0}'; }

names >/tmp/names
for writer in 1 2 3; do
	writes $writer &
	writers[writer]=$!
done
expect "a module comes and goes $ROUNDS times while its parameter is written" come_and_go $ROUNDS
if [[ -e $CONTROL ]]; then
	# Then the module goes far more slowly, and so do these.
	echo "module $MODULE +c by=stack depth=3" >$CONTROL
	expect "and some times while its calls are told apart by their stacks" come_and_go $((ROUNDS / 10))
	expect "no context of it is left" equal "$(grep -c "$MODULE" /sys/kernel/debug/alloctag/contexts)" 0
	echo '=_' >$CONTROL
else
	skip "and some times while its calls are told apart by their stacks" "this kernel has no debugfs"
fi
touch /tmp/stop
wait "${writers[@]}"
expect "which it is in half of the rounds or more" at_least $(($(cat /tmp/written.? | paste -sd+))) $((ROUNDS / 2))
expect "nothing is left of it" settles 0 objects
expect "all rows are as before" cmp /tmp/names <(names)
expect "no total is negative" none_negative
finish
