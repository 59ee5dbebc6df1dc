#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --mem 512M
# What a memcg refuses after it was taken is a failure of the call site, and neither an allocation nor a free.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

SITES=/sys/kernel/debug/alloctag/sites
GROUP=/tmp/cgroup/refused
PARAMETERS=/sys/module/alloctag_refused/parameters
# More than the group may have, of each.
LIMIT=$((8 << 20))
PAIRS=2000
OBJECTS=10000
ROWS=1000

if is_other_core || ! has CONFIG_ALLOCTAG_STATS; then
	skip "what a memcg refuses is a failure" "this kernel does not count them"
	finish
fi
# of FUNCTION: calls, allocations, frees and failures on its line.
of() { awk -v func="func:$1" '$NF == func {print $3, $4, $5, $7}' $SITES; }
# In the group, by a process that has little of its own.
# shellcheck disable=SC2016 # the arguments of that shell
asks() { bash -c 'echo $$ >"$1/cgroup.procs"; echo "$3" >"$2"' - "$GROUP" "$PARAMETERS/$1" "$2"; }
# refuses KIND FUNCTION CALLS EACH: of so many calls some are refused; each of the others is so many allocations.
refuses() {
	local kind=$1 function=$2 calls=$3 each=$4 given refused returned
	expect "$kind are asked for" asks "$kind" "$calls"
	read -r given refused returned <"$PARAMETERS/$kind"
	expect "some of them are given" at_least "$given" 100
	expect "some are refused" at_least "$refused" 100
	expect "those are failures, and nothing else" equal "$(of "$function")" \
		"$(((given - returned) * each)) $((given * each)) $((returned * each)) $refused"
	echo 0 >"$PARAMETERS/$kind"
	expect "what was given is free again" equal "$(of "$function")" "0 $((given * each)) $((given * each)) $refused"
}

mkdir /tmp/cgroup && mount -t cgroup2 none /tmp/cgroup
echo +memory >/tmp/cgroup/cgroup.subtree_control
mkdir $GROUP
echo $LIMIT >$GROUP/memory.max
insmod /tests/modules/alloctag_refused.ko
refuses pages give_page $PAIRS 1
refuses objects give_object $OBJECTS 1
refuses rows give_row $ROWS 16
rmmod alloctag_refused
expect "no total is negative afterwards" none_negative
finish
