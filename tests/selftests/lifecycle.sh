#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --tests --mem 1G
# The rows of modules: they come and go with them, but for what is alive; a load that fails leaves nothing.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

MODULES=/tests/modules
KEEPER=/sys/kernel/debug/alloctag_keeper
# What alloctag_outlive leaves behind, in the order in which it is freed.
PIECES=4
MANY=3000
# More than there are spare accounts: they come in chunks.
MORE=5000

load() { insmod "$MODULES/$1.ko" "${@:2}"; }
content() { /tests/bin/content_id64; }
module_names() { names | grep -F " [$1] "; }
count_rows() { rows | grep -cF " [$1] "; }
# live MODULE: its bytes and calls.
live() { rows | awk -v name="[$1]" '$4 == name {bytes += $1; calls += $2} END {print bytes + 0, calls + 0}'; }
live_calls() { live "$1" | cut -d ' ' -f 2; }
# one_each MODULE: how many objects its rows have, each number once.
one_each() { rows | awk -v name="[$1]" '$4 == name {print $2}' | sort -u; }
chunks() { calls mm/alloctag/src/platform/counters.c alloctag_percpu_area; }
# moved BY COMMAND…: the content id moves by that much.
moved() {
	local before by=$1
	before=$(content)
	shift
	"$@" || true
	equal $(($(content) - before)) "$by"
}
# refused PATTERN COMMAND…: it fails and says so.
refused() {
	local pattern=$1 message
	shift
	if message=$("$@" 2>&1); then
		echo "it succeeded"
		return 1
	fi
	grep -q "$pattern" <<<"$message" || { echo "$message"; return 1; }
}
unchanged() { cmp /tmp/names <(names); }
free_kept() { echo "$1" >"$KEEPER"; }

names >/tmp/names
expect "the content id moves on when a module is loaded" moved 1 load alloctag_exact
module_names alloctag_exact >/tmp/exact
expect "its call sites are there, under its name" at_least "$(wc -l </tmp/exact)" 40
expect "every record is found by its place, these among them" /tests/bin/every_place64
expect "a second load is refused" refused "File exists" load alloctag_exact
expect "and moves no content id" moved 0 load alloctag_exact 2>/dev/null
expect "the content id moves on when it is unloaded" moved 1 rmmod alloctag_exact
expect "then all rows are as before" unchanged
cycle() {
	local round
	for round in 1 2 3 4 5 6 7 8 9 10; do
		load alloctag_exact && cmp /tmp/exact <(module_names alloctag_exact) && rmmod alloctag_exact || return 1
	done
}
expect "reloaded ten times, it shows the same rows" cycle
expect "and is gone each time" unchanged

expect "a module without a call site loads" load alloctag_empty
expect "and has no row" unchanged
expect "nor does it move the content id, here" moved 0 rmmod alloctag_empty

expect "a module whose init function fails is refused" refused "not supported" load alloctag_fails
expect "it came and went" moved 2 load alloctag_fails 2>/dev/null
expect "a module with a wrong parameter is refused" refused "Invalid parameters" load alloctag_fails size=x
# A parameter may be a function of the module that allocates, so that here it had come.
is_other_core && came=0 || came=2
expect "after or before it came" moved "$came" load alloctag_fails size=x 2>/dev/null
expect "a module that lacks a symbol is refused" refused "Unknown symbol" load alloctag_outlive
expect "before it came as well" moved 0 load alloctag_outlive 2>/dev/null
head -c 3000 $MODULES/alloctag_exact.ko >/tmp/half.ko
expect "half a module is refused" fails insmod /tmp/half.ko
expect "none of these has left a row" unchanged

expect "a module of $MANY call sites loads" load alloctag_many
expect "it has as many rows" equal "$(count_rows alloctag_many)" $MANY
expect "each of which has one object" equal "$(one_each alloctag_many)" 1
expect "another of $MORE loads beside it" load alloctag_more
expect "it has as many rows" equal "$(count_rows alloctag_more)" $MORE
expect "each of which has one object" equal "$(one_each alloctag_more)" 1
expect "every record is found by its place, these among them" /tests/bin/every_place64
expect "the first unloads" rmmod alloctag_many
# Twenty; an area in the first chunk of the per-CPU allocator is not counted.
is_other_core || expect "it is in chunks" at_least "$(chunks)" 10
expect "the other keeps what it has" equal "$(live_calls alloctag_more) $(one_each alloctag_more)" "$MORE 1"
expect "the first loads again" load alloctag_many
expect "the other unloads" rmmod alloctag_more
expect "the first keeps what it has" equal "$(live_calls alloctag_many) $(one_each alloctag_many)" "$MANY 1"
rmmod alloctag_many
if ! is_other_core; then
	expect "what had no spare account gives back its chunks" settles 0 chunks
	expect "none had to share" fails grep -q 'its call sites share' <(dmesg)
fi
expect "all rows are as before" unchanged

# What outlives its module. The C core shows nothing of it; in either, the objects can be freed.
load alloctag_keeper
names >/tmp/names
load alloctag_outlive
held=$(live alloctag_outlive)
expect "what a module allocates is on its rows" at_least "${held#* }" 4
rows | grep -F ' [alloctag_outlive] ' | grep -v '^ *0 ' >/tmp/alive
# stand: has a reader stop behind the row of keep_object, until go_on.
mkfifo /tmp/go
stand() {
	: >/tmp/met
	/tests/bin/halfway64 alloctag_outlive keep_object </tmp/go >/tmp/met &
	reader=$!
	exec 8>/tmp/go
	expect "a reader stands in these rows" settles keep_object tail -n 1 /tmp/met
}
go_on() {
	exec 8>&-
	wait $reader
}
stand
expect "it unloads while its objects live on" rmmod alloctag_outlive
go_on
expect "a reader who stood in its rows meets none twice" equal "$(sort /tmp/met | uniq -d)" ""
if ! is_other_core; then
	expect "but all that stay" equal "$(wc -l </tmp/met)" "$(wc -l </tmp/alive)"
	expect "their rows stay, to the byte" cmp /tmp/alive <(rows | grep -F ' [alloctag_outlive] ')
	expect "it loads again meanwhile" load alloctag_outlive
	expect "the new rows count anew" equal "$(live alloctag_outlive)" "$((${held% *} * 2)) $((${held#* } * 2))"
	rmmod alloctag_outlive
	expect "a load that fails keeps what is alive of it, too" refused "Invalid" load alloctag_outlive error=-22
	expect "so that it is there three times" equal "$(live alloctag_outlive)" "$((${held% *} * 3)) $((${held#* } * 3))"
	echo $((2 * PIECES)) >$KEEPER
	expect "freed, two of them go" equal "$(live alloctag_outlive)" "$held"
	expect "and their rows with them" cmp /tmp/alive <(rows | grep -F ' [alloctag_outlive] ')
	# A reader stands in one of these rows, which goes; another one comes, and a module.
	stand
	expect "the content id stays while they do" moved 0 true
	expect "and moves on when one of them dies" moved 1 free_kept 1
	expect "with its last byte, a row disappears" equal "$(rows | grep -cF 'func:keep_object')" 0
	expect "no other row does" equal "$(count_rows alloctag_outlive)" $(($(wc -l </tmp/alive) - 1))
	expect "every record is found by its place" /tests/bin/every_place64
	expect "modules come and go meanwhile" load alloctag_exact
	rmmod alloctag_exact
	go_on
	expect "the reader meets all others" equal "$(wc -l </tmp/met)" "$(wc -l </tmp/alive)"
else
	load alloctag_outlive
	rmmod alloctag_outlive
	load alloctag_outlive error=-22 2>/dev/null
fi
echo 100 >$KEEPER
expect "what outlived its module can be freed" equal "$(cat $KEEPER)" 0
expect "and all rows are as before" unchanged
outlive_often() {
	local round
	for round in $(seq 30); do
		load alloctag_outlive && rmmod alloctag_outlive && echo $((round % 3 * PIECES)) >"$KEEPER" || return 1
	done
	echo 1000 >"$KEEPER"
}
expect "it comes and goes thirty times, and its objects later" outlive_often
expect "which leaves no row" unchanged
rmmod alloctag_keeper
expect "a module in Rust loads" modprobe rust_minimal
expect "and unloads" rmmod rust_minimal
expect "no total is negative afterwards" none_negative
finish
