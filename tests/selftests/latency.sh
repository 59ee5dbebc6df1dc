#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --append tsc=reliable
# How long calls of allocators take, of chosen call sites.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/times.sh"

if is_other_core || ! has CONFIG_ALLOCTAG_LATENCY; then
	skip "how long calls take is shown" "this kernel does not measure it"
	finish
fi
latency_of() { lines_of latency | grep -E " func:$1\$"; }
well_formed() { fails grep -vE '^([0-9]+ ){4}[0-9]+:[0-9]+(,[0-9]+:[0-9]+)* [^ ]+:[0-9]+ (\[[^] ]+\] )?func:[^ ]+$' <(lines_of latency); }

expect "the file belongs to root, who alone may read it" equal "$(stat -c '%u %g %a' $DEBUGFS/latency)" "0 0 400"
expect "it begins with its version and the names of its columns" equal "$(cat $DEBUGFS/latency)" \
	$'latency - version: 1.0\n# count ns min_ns max_ns histogram tag'
insmod /tests/modules/alloctag_timely.ko
echo slab >$RUN
expect "nothing is timed that no rule has chosen" equal "$(lines_of latency)" ""

echo 'module alloctag_timely func call_* +l' >$CONTROL
expect "the rule is shown as it would be written" grep -q ' func call_\* module alloctag_timely +l$' $CONTROL
# What is one call of an allocator is timed once, whatever it tries.
for call in slab bulk large kvmalloc vmalloc percpu pages pool failing; do
	echo $call >$RUN
	expect "a call is timed once, to the bucket: $call" as_known latency "call_$call"
done
expect "what takes its time takes that" at_least "$(time_of latency min_ns call_slab)" 3000000
expect "and so does the first of many" at_least "$(time_of latency min_ns call_bulk)" 3000000
echo fast >$RUN
expect "fast calls are timed, each of them" equal "$(time_of latency count call_fast)" 1000
expect "every line has as many columns, and a call site" well_formed
expect "others are not timed" equal "$(lines_of latency | grep -v ' \[alloctag_timely\] ')" ""

echo 'reset latency' >$CONTROL
expect "what was measured is forgotten" equal "$(lines_of latency)" ""
echo slab >$RUN
expect "and measured anew" as_known latency call_slab
echo 'func call_slab -l' >$CONTROL
echo slab >$RUN
expect "what a later rule takes away is timed no more" equal "$(time_of latency count call_slab)" 1
echo pages >$RUN
expect "all else is" as_known latency call_pages
echo '=_' >$CONTROL
echo pages >$RUN
expect "without a rule nothing is" equal "$(time_of latency count call_pages)" 1

if has CONFIG_ALLOCTAG_FAULTS; then
	echo 'reset latency; func call_pages +lf times=1' >$CONTROL
	echo order >$RUN
	echo pages >$RUN
	echo '=_' >$CONTROL
	expect "a call that a rule has fail takes no time" equal "$(time_of latency count call_pages)" ""
fi
rmmod alloctag_timely
expect "a module takes its lines along" equal "$(latency_of 'call_.*')" ""

# Of a line of Rust code it is decided within its first call.
if has CONFIG_ALLOCTAG_RUST_CALLERS; then
	echo 'reset latency; module alloctag_lines +l' >$CONTROL
	insmod /tests/modules/alloctag_lines.ko
	true </dev/alloctag-lines
	line=$(grep -n '// row: 4096 Boxes::new$' /tests/modules/alloctag_lines.rs | cut -d: -f1)
	expect "calls of Rust code are timed from the first on" equal \
		"$(lines_of latency | sed -nE "s/^([0-9]+) .*alloctag_lines\.rs:$line .*/\1/p")" 1
	echo '=_' >$CONTROL
	rmmod alloctag_lines
fi

# A load on all CPUs, with rules that come and go.
echo 'reset latency; file mm/* +l; file fs/* +l' >$CONTROL
for name in 1 2 3 4; do (for _ in $(seq 40); do head -c 100000 /dev/zero >/tmp/$name; rm /tmp/$name; done) & done
for _ in $(seq 10); do echo '=_' >$CONTROL; echo '* +l' >$CONTROL; echo 'reset latency' >$CONTROL; done
wait
for _ in $(seq 20); do head -c 100000 /dev/zero >/tmp/x; done
expect "rules come and go under load" at_least "$(lines_of latency | wc -l)" 10
absurd() { lines_of latency | awk '$4 > 600e9 || $3 > $4 || $2 < $4 {print $(NF - 1), $NF}'; }
expect "and no time is absurd" equal "$(steadily absurd)" ""
echo '=_' >$CONTROL
finish
