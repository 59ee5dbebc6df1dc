#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --tests --cpus 2 --with chroot
# What alloctag trace says of call sites that allocate known amounts is what they did, to the byte; and nothing of the tracer
# stays.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

TRACING=/sys/kernel/tracing
WRITTEN=/sys/module/alloctag_written/parameters/times
CALLERS=/sys/module/alloctag_callers/parameters

if is_other_core || ! has CONFIG_ALLOCTAG_EVENTS; then
	expect "trace says what a kernel lacks that tells no events" grep -qE 'tracefs is not mounted|CONFIG_ALLOCTAG_EVENTS' \
		<(alloctag trace --for 1s 2>&1)
	finish
fi
mount -t tracefs none $TRACING 2>/dev/null

# of FUNCTION COLUMN…: numbers of a call site in what trace has printed as TSV.
of() {
	local func=$1
	shift
	awk -F '\t' -v func="$func" -v wanted="$*" '
		NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i; n = split(wanted, names, " "); next}
		$at["func"] == func {for (i = 1; i <= n; i++) printf "%s%s", $at[names[i]], i < n ? " " : "\n"}' /tmp/trace
}
# trace ARGUMENT…: keeps the rows, and says on standard error what is said there.
trace() { alloctag trace --format tsv "$@" >/tmp/trace; }
# row FUNCTION: its bytes and calls in /proc/allocinfo.
row() { rows | awk -v func="func:$1" '$0 ~ func " " {print $1, $2}'; }
# told: how many of both events, of what is allocated and of what is freed, some tracer is told of.
told() { cat "$TRACING"/instances/alloctag-*/events/alloctag/{alloc,free}/enable 2>/dev/null | grep -c '^1'; }
# meanwhile COMMAND…: does that, and has the tracer in the background end then.
meanwhile() {
	local tracer=$!
	settles 2 told
	"$@"
	kill -INT "$tracer"
	wait "$tracer"
}
instances() { find $TRACING/instances -maxdepth 1 -name 'alloctag-*' | wc -l; }
# ends_with STATUS COMMAND…
ends_with() {
	local wanted=$1 status=0
	shift
	"$@" || status=$?
	equal "$status" "$wanted"
}

insmod /tests/modules/alloctag_written.ko
insmod /tests/modules/alloctag_callers.ko

trace -w module=alloctag_written -- sh -c "echo 1000 >$WRITTEN"
expect "a thousand allocations are a thousand, and so are their frees" equal "$(of passes_through allocs requested frees left_objects)" \
	"1000 64000 1000 0"
expect "what was given is what was freed" equal "$(of passes_through allocated)" "$(of passes_through freed)"
expect "none lived for long" at_most "$(of passes_through life_p50)" 10000000
expect "nothing stays of the tracer" equal "$(instances)" 0
trace -w module=alloctag_written -- sh -c 'true'
expect "a command that does nothing of the kind has no row" equal "$(tail -n +2 /tmp/trace)" ""

for kind in object pages area vmalloc; do
	trace -w module=alloctag_callers -- sh -c "echo first $kind 5 >$CALLERS/allocate"
	# Pages that vmalloc() splits are one allocation, and each a call of its own afterwards.
	columns=left_objects
	[[ $kind != vmalloc ]] || columns=
	expect "$kind: what a command leaves behind is what its call site has" equal "$(of helper_$kind left_bytes $columns)" \
		"$(row helper_$kind | cut -d' ' -f"1${columns:+-2}")"
	expect "$kind: and all that it was given" equal "$(of helper_$kind allocated frees)" "$(row helper_$kind | cut -d' ' -f1) 0"
	trace -w module=alloctag_callers -- sh -c "echo first $kind 7 >$CALLERS/allocate; echo 7 >$CALLERS/free"
	# Of those seven that are freed one was there before.
	expect "$kind: what it frees of its own does not stay" equal "$(($(of helper_$kind left_bytes) * 7))" "$(of helper_$kind allocated)"
	expect "$kind: and the rest of it is freed" equal "$(of helper_$kind freed)" "$(($(of helper_$kind left_bytes) * 6))"
	[[ $kind == vmalloc ]] || expect "$kind: each by itself" equal "$(of helper_$kind allocs frees left_objects)" "7 6 1"
	echo 100 >$CALLERS/free
	expect "$kind: and all is gone" equal "$(row helper_$kind)" "0 0"
done

trace -w module=alloctag_callers -- sh -c "echo third object 4 >$CALLERS/allocate"
expect "what an interrupt allocates is not the command's" equal "$(of helper_object allocs)" ""
echo 4 >$CALLERS/free
interrupts() { echo third object 4 >"$CALLERS/allocate"; echo 4 >"$CALLERS/free"; }
alloctag trace -w module=alloctag_callers --format json >/tmp/json &
meanwhile interrupts
expect "it is told as an interrupt's" grep -qE '"allocs":4,"bytes":[0-9]+,"pages":0,"frees":0,"process":null,"comm":"\(interrupt\)"' /tmp/json

trace -w module=alloctag_callers -- sh -c "echo first object 3 >$CALLERS/allocate; sleep 1; echo 3 >$CALLERS/free"
expect "what lives for a second does so" at_least "$(of helper_object life_p50)" 1000000000
expect "and not for much longer" at_most "$(of helper_object life_max)" 30000000000
if command -v taskset >/dev/null && (($(nproc) > 1)); then
	trace -w module=alloctag_callers -- sh -c "taskset 1 sh -c 'echo first object 8 >$CALLERS/allocate'; taskset 2 sh -c 'echo 8 >$CALLERS/free'"
	expect "what is freed on another CPU is told" equal "$(of helper_object crossed frees)" "8 8"
else
	skip "what is freed on another CPU is told" "there is one, or no taskset"
fi

expect "it ends as the command does" ends_with 7 trace -w func=none -- sh -c 'exit 7'
expect "or says that there is none" grep -qx 'alloctag: no-such-command: no such file or directory' <(alloctag trace -- no-such-command 2>&1)
alloctag trace --events -w module=alloctag_callers -- sh -c "echo first object 6 >$CALLERS/allocate; echo 6 >$CALLERS/free; sleep 0.3; :" >/tmp/lines
expect "each is a line" equal "$(grep -c ' alloc .* func:helper_object ptr=' /tmp/lines) $(grep -c ' free .* func:helper_object ptr=' /tmp/lines)" "6 6"
expect "with the flags by name" equal "$(grep -cE ' alloc .* gfp=[A-Z_|]+( |$)' /tmp/lines)" 6
expect "and the function that frees" equal "$(grep -cE ' free .* by=[^ ]+\+0x[0-9a-f]+ \[alloctag_callers\]' /tmp/lines)" 6
expect "in order" sort -n -c <(tail -n +2 /tmp/lines | awk '{print $1}')
expect "by the command's shell" equal "$(grep -cE ' sh-[0-9]+ +(alloc|free) ' /tmp/lines)" 12

alloctag trace -o /tmp/kept.trace -- sh -c "echo 100 >$WRITTEN" >/tmp/live
expect "what was kept is shown again" cmp <(alloctag trace --replay /tmp/kept.trace) /tmp/live
expect "to its owner and group alone" equal "$(stat -c %a /tmp/kept.trace)" 640
expect "and can be looked at otherwise" grep -q 'passes_through' <(alloctag trace --replay /tmp/kept.trace -w module=alloctag_written --events)
expect "with what was there before" grep -qE '^before the tracer: [1-9][0-9]* allocations' /tmp/live

# More than a small buffer takes: what was seen and what was lost is all.
many() { echo 100000 >"$WRITTEN"; }
alloctag trace -w module=alloctag_written --buffer 8k --format json >/tmp/json &
meanwhile many
# The row of the call site is the last line that has such a number.
number() { grep -oE "\"$1\":[0-9]+" /tmp/json | tail -n 1 | cut -d: -f2; }
expect "what is lost is counted" equal "$(($(number allocs) + $(number frees) + $(number events)))" 200000
expect "and what is there is sound" equal "$(number damaged)" 0

# waits PATTERN: until there are so many instances.
waits() { settles "$1" instances; }
for signal in INT TERM HUP; do
	alloctag trace -n 1 >/tmp/out &
	tracer=$!
	expect "a tracer has an instance" waits 1
	settles 2 told
	# Something to say.
	ls /proc >/dev/null
	kill -$signal $tracer
	wait $tracer
	expect "SIG$signal: it says what it has seen" grep -q 'by process' /tmp/out
	expect "SIG$signal: and nothing stays" equal "$(instances)" 0
done
alloctag trace -- sleep 100 >/dev/null &
tracer=$!
waits 2
kill -9 $tracer
wait $tracer 2>/dev/null
expect "what is killed leaves something behind" equal "$(instances)" 2
trace -w func=none -- true
expect "which the next one removes" equal "$(instances)" 0

expect "who is not root is told so" grep -qE ': (is for root only; run this as root|tracefs is not mounted)' \
	<(chroot --userspec=65534:65534 / alloctag trace --for 1s 2>&1)
umount $TRACING
expect "who has no tracefs is told so" grep -q 'mount -t tracefs none /sys/kernel/tracing' <(alloctag trace --for 1s 2>&1)
rmmod alloctag_callers alloctag_written
finish
