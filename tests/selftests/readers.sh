#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --tests --cpus 4 --mem 1G
# Usage: readers.sh [SECONDS]
# Readers stand in the middle of a module's rows while it goes, for so long, and until they did so often enough. An hour is:
# scripts/run --tests --cpus 4 --mem 1G --timeout 4000 -- /tests/readers.sh 3600
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

DURATION=${1:-30}
MODULES=/tests/modules
ROUNDS=2
STANDS=10

# Modules of many and of few rows, and one whose objects outlive it.
load_and_unload() {
	local rounds=0
	until [[ -e /tmp/stop ]]; do
		insmod $MODULES/alloctag_many.ko || return 1
		insmod $MODULES/alloctag_exact.ko || return 1
		rmmod alloctag_many || return 1
		insmod $MODULES/alloctag_outlive.ko || return 1
		rmmod alloctag_exact alloctag_outlive || return 1
		echo 100 >/sys/kernel/debug/alloctag_keeper
		rounds=$((rounds + 1))
		echo $rounds >/tmp/rounds
	done
}
stands() { cat /tmp/reader.* | grep -cx stands; }
all_go_on() {
	local pid
	for pid in "$loader" "${readers[@]}"; do [[ -d /proc/$pid ]] || return 1; done
}
enough() { [[ -e /tmp/rounds ]] && (($(cat /tmp/rounds) >= ROUNDS && $(stands) >= STANDS)); }

insmod $MODULES/alloctag_keeper.ko
names >/tmp/names
load_and_unload &
loader=$!
readers=()
for module in alloctag_many alloctag_exact alloctag_outlive; do
	/tests/bin/stand64 $module /tmp/enough >/tmp/reader.$module &
	readers+=("$!")
done
/tests/bin/stand32 alloctag_many /tmp/enough >/tmp/reader.compat &
readers+=("$!")
sleep "$DURATION"
# Under checkers everything takes several times as long, a round of modules up to half a minute.
while all_go_on && ! enough; do sleep 1; done
touch /tmp/enough
for reader in "${readers[@]}"; do
	wait "$reader"
	expect "a reader meets every built-in row once in every pass" equal $? 0
done
touch /tmp/stop
wait "$loader"
expect "modules were loaded and unloaded meanwhile, without an error" equal $? 0
tail -n 1 /tmp/reader.* | grep . | sed 's/^/# /'
expect "that was in several rounds" at_least "$(cat /tmp/rounds)" $ROUNDS
expect "readers stood in a module's rows at least $STANDS times" at_least "$(stands)" $STANDS
expect "all rows are as before" cmp /tmp/names <(names)
expect "no total is negative afterwards" none_negative
finish
