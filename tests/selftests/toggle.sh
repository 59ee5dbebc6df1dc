#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --tests --cpus 4 --mem 1G
# Switching on and off for half a minute or longer does no harm while four CPUs allocate and free, and modules of thousands of
# call sites, whose accounts are in chunks, come and go.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/sites.sh"
source "$(dirname "$0")/lib/exact.sh"

DURATION=30
# Each switch patches some hundred places and waits for all CPUs after each step, which takes an emulator a second, or more.
ROUNDS=5
# How often modules come and go at the least, however long that takes.
CYCLES=2

# load NAME: works until /tmp/stop appears.
load() {
	until [[ -e /tmp/stop ]]; do
		make_files "/tmp/load$1" 200
		dd if=/dev/zero of="/tmp/load$1/f1" bs=64k count=16 status=none
		cat "$ALLOCINFO" >/tmp/read"$1"
		rm -r "/tmp/load$1"
	done
}

# come_and_go: until /tmp/stop appears. What is freed while the switch is off stays on its row, for which there is room so often.
ROOM=25
come_and_go() {
	local round
	for ((round = 0; round < ROOM; round++)); do
		insmod /tests/modules/alloctag_more.ko && rmmod alloctag_more || return 1
		echo $((round + 1)) >/tmp/modules
		[[ ! -e /tmp/stop ]] || return 0
	done
}

if ! may_switch; then
	skip "the switch is moved under load" "this kernel does not let it be moved"
	finish
fi
pids=()
for cpu in 0 1 2 3; do
	load "$cpu" &
	pids+=("$!")
done
echo 0 >/tmp/modules
if ! is_other_core; then
	come_and_go &
	modules=$!
fi
# too_few: modules have not come and gone so often, but still may. The file may be empty for a moment.
too_few() { ! is_other_core && [[ -d /proc/$modules ]] && (($(cat /tmp/modules) + 0 < CYCLES)); }
end=$((SECONDS + DURATION)) rounds=0
while ((SECONDS < end || rounds < ROUNDS)) || too_few; do
	write 0
	sleep 0.01
	write 1
	sleep 0.01
	rounds=$((rounds + 1))
done
touch /tmp/stop
wait "${pids[@]}"
if ! is_other_core; then
	wait "$modules"
	expect "modules came and went meanwhile, without an error" equal $? 0
	expect "and more than once" at_least "$(cat /tmp/modules)" $CYCLES
fi

expect "four CPUs were there" equal "$(nproc)" 4
expect "the switch went off and on at least $ROUNDS times" at_least "$rounds" "$ROUNDS"
echo "# $rounds times"
expect "it says 1 in the end" equal "$(cat "$SWITCH")" 1
expect "the file still has its header and rows" at_least "$(rows | wc -l)" 1000
expect "no total is negative" none_negative
if is_other_core; then
	skip "counting is exact again" "this core keeps the reference of what is freed while it is off, for what has its place next"
	finish
fi
expect_exact
finish
