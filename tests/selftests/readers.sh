#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --tests --cpus 4 --mem 1G --timeout 300
# Usage: readers.sh [SECONDS]
# Readers stand in the middle of a module's rows while it goes. An hour is: scripts/run --tests --cpus 4 --mem 1G
# --timeout 4000 -- /tests/readers.sh 3600
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

# Under checkers everything takes several times as long, a round of modules up to half a minute.
DURATION=${1:-$((HAS_KASAN ? 120 : 30))}
MODULES=/tests/modules

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
	done
	echo $rounds >/tmp/rounds
}
stands() { sed -n 's/.* \([0-9]*\) stands/\1/p' "$@" | awk '{n += $1} END {print n + 0}'; }

insmod $MODULES/alloctag_keeper.ko
names >/tmp/names
load_and_unload &
loader=$!
readers=()
for module in alloctag_many alloctag_exact alloctag_outlive; do
	/tests/bin/stand64 $module "$DURATION" >/tmp/reader.$module &
	readers+=("$!")
done
/tests/bin/stand32 alloctag_many "$DURATION" >/tmp/reader.compat &
readers+=("$!")
for reader in "${readers[@]}"; do
	wait "$reader"
	expect "a reader meets every built-in row once in every pass" equal $? 0
done
touch /tmp/stop
wait "$loader"
expect "modules were loaded and unloaded meanwhile, without an error" equal $? 0
tail -n 1 /tmp/reader.* | grep . | sed 's/^/# /'
expect "that was in several rounds" at_least "$(cat /tmp/rounds)" 2
expect "readers stood in a module's rows at least ten times" at_least "$(stands /tmp/reader.*)" 10
expect "all rows are as before" cmp /tmp/names <(names)
expect "no total is negative afterwards" fails grep -E '^ *-' <(rows)
finish
