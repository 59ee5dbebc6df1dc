#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --append kfence.sample_interval=0 --append tsc=reliable
# How long lives what chosen call sites allocate, and how old is what lives.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/times.sh"

if is_other_core || ! has CONFIG_ALLOCTAG_LIFETIMES; then
	skip "how long objects live is shown" "this kernel does not measure it"
	finish
fi
lifetimes_of() { lines_of lifetimes | grep -E " func:$1\$"; }
# those COLUMN… FUNCTION: numbers of its line.
those() { local n out=(); for n in "${@:1:$#-1}"; do out+=("$(time_of lifetimes "$n" "${@: -1}")"); done; echo "${out[*]}"; }
well_formed() { fails grep -vE '^([0-9]+ ){6}(-|[0-9]+:[0-9]+(,[0-9]+:[0-9]+)*) (-|[0-9]+:[0-9]+(,[0-9]+:[0-9]+)*) [^ ]+:[0-9]+ (\[[^] ]+\] )?func:[^ ]+$' <(lines_of lifetimes); }
# live_bytes FUNCTION: its row.
live_bytes() { awk -v func_="func:$1" '$NF == func_ {print $1, $2}' /proc/allocinfo; }
# of_context: how many objects of keep() its context has.
of_context() { awk '/ func:keep / {print $2}' $DEBUGFS/contexts; }

expect "the file belongs to root, who alone may read it" equal "$(stat -c '%u %g %a' $DEBUGFS/lifetimes)" "0 0 400"
expect "it begins with its version and the names of its columns" equal "$(cat $DEBUGFS/lifetimes)" \
	$'lifetimes - version: 1.0\n# count ns min_ns max_ns alive lost histogram ages tag'
insmod /tests/modules/alloctag_timely.ko
echo object >$RUN
expect "nothing is followed that no rule has chosen" equal "$(lines_of lifetimes)" ""

echo 'module alloctag_timely +s' >$CONTROL
for life in object grown area; do
	echo $life >$RUN
	expect "an object lives as long as it does, to the bucket: $life" as_known lifetimes live_$life
done
for life in order split head; do
	echo $life >$RUN
	function=live_${life/order/pages}
	expect "so do pages: $life" as_known lifetimes "$function"
	expect "of which none is left" settles "0 0" live_bytes "$function"
done
echo many >$RUN
expect "a thousand that are freed in bulk are a thousand" equal "$(those count alive lost live_many)" "1000 0 0"
echo keep >$RUN
expect "what lives is counted" equal "$(those count alive lost keep)" "0 40 0"
sleep 1
age=$(time_of lifetimes ages keep | sed 's/:.*//')
expect "and has an age" at_least "$age" 29
expect "that is not absurd" at_most "$age" 36
expect "every line has as many columns, and a call site" well_formed

echo 'reset lifetimes' >$CONTROL
expect "a reset forgets what was freed" equal "$(lifetimes_of 'live_.*')" ""
expect "and not what lives" equal "$(those count alive lost keep)" "0 40 0"
echo '=_' >$CONTROL
expect "which outlives its rule" equal "$(those count alive lost keep)" "0 40 0"
expect "and is counted" equal "$(live_bytes keep | cut -d' ' -f2)" 40
echo drop >$RUN
expect "until it is freed" equal "$(those count alive lost keep)" "40 0 0"
expect "and has none" equal "$(live_bytes keep)" "0 0"
expect "as old as it has become" at_least "$(time_of lifetimes min_ns keep)" 1000000000
echo keep >$RUN
echo drop >$RUN
expect "without a rule nothing is followed" equal "$(those count alive lost keep)" "40 0 0"

echo 'reset lifetimes; module alloctag_timely func keep +cs by=comm; func live_many +s every=4K' >$CONTROL
echo keep >$RUN
size=$(($(live_bytes keep | cut -d' ' -f1) / 40))
expect "what is followed has its context" equal "$(of_context)" 40
expect "and is followed" equal "$(those alive keep)" 40
echo drop >$RUN
expect "until both end" equal "$(those count alive keep) $(of_context)" "40 0 0"
for _ in $(seq 16); do echo many >$RUN; done
# 16,000 are allocated, of which a byte of 4 KiB falls on so many. Six standard deviations.
mean=$((16000 * size / 4096))
away=$((6 * $(awk -v mean=$mean 'BEGIN {printf "%d", sqrt(mean) + 1}')))
expect "of samples there are no fewer than there should be" at_least "$(those count live_many)" $((mean - away))
expect "and no more" at_most "$(those count live_many)" $((mean + away))

if [[ -w $SWITCH ]] && echo 0 >$SWITCH 2>/dev/null; then
	echo 1 >$SWITCH
	echo keep >$RUN
	echo 0 >$SWITCH
	expect "the switch refuses what is no number of its own" fails bash -c "echo 2 >$SWITCH" 2>/dev/null
	expect "and leaves what is followed as it was" equal "$(those alive lost keep)" "40 0"
	echo 0 >$SWITCH
	expect "so does switching off what is off" equal "$(those alive lost keep)" "40 0"
	echo 1 >$SWITCH
	expect "what may have been freed uncounted is lost" equal "$(those alive lost keep)" "0 40"
	echo drop >$RUN
	expect "and no absurd lifetime" equal "$(those count alive lost keep)" "40 0 40"
	expect "though it is counted" equal "$(live_bytes keep)" "0 0"
fi

echo keep >$RUN
rmmod alloctag_timely
expect "a module takes its lines along" equal "$(lifetimes_of '(keep|live_.*)')" ""

# A load on all CPUs, with rules that come and go.
for name in 1 2 3 4; do (for _ in $(seq 40); do head -c 100000 /dev/zero >/tmp/$name; rm /tmp/$name; done) & done
for _ in $(seq 10); do echo '=_' >$CONTROL; echo '* +s' >$CONTROL; echo 'reset lifetimes; * +cs by=node every=64K' >$CONTROL; done
wait
for _ in $(seq 200); do head -c 100000 /dev/zero >/tmp/x; done
expect "rules come and go under load" at_least "$(lines_of lifetimes | wc -l)" 5
absurd() { lines_of lifetimes | awk '$4 > 600e9 || $1 && ($3 > $4 || $2 < $4) {print $(NF - 1), $NF}'; }
expect "and no time is absurd" equal "$(steadily absurd)" ""
echo '=_; reset lifetimes' >$CONTROL
finish
