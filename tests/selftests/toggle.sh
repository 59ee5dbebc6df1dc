#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --cpus 4 --mem 1G --timeout 300
# Switching on and off two hundred times while four CPUs allocate and free does no harm.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

ROUNDS=200
FILES=500

# load NAME: works until /tmp/stop appears.
load() {
	until [[ -e /tmp/stop ]]; do
		make_files "/tmp/load$1" 200
		dd if=/dev/zero of="/tmp/load$1/f1" bs=64k count=16 status=none
		cat "$ALLOCINFO" >/tmp/read"$1"
		rm -r "/tmp/load$1"
	done
}

# The CPU time that the loads took shows that they did run beside the switching.
if ! may_switch; then
	skip "the switch is moved under load" "this kernel does not let it be moved"
	finish
fi
pids=()
for cpu in 0 1 2 3; do
	load "$cpu" &
	pids+=("$!")
done
for _ in $(seq "$ROUNDS"); do
	write 0
	sleep 0.01
	write 1
	sleep 0.01
done
touch /tmp/stop
wait "${pids[@]}"

expect "four CPUs were there" equal "$(nproc)" 4
expect "after $ROUNDS rounds the switch says 1" equal "$(cat "$SWITCH")" 1
expect "the file still has its header and rows" at_least "$(rows | wc -l)" 1000
expect "no total is negative" fails grep -E '^ *-' <(rows)
quiesce
start=$(inodes)
make_files /tmp/after $FILES
expect "counting is exact again" equal "$(inodes)" $((start + FILES + 1))
rm -r /tmp/after
expect "and so is its undoing" settles "$start" inodes
finish
