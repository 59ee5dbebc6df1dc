#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests
# Chosen call sites fail when their rule says so, or the kernel's fault injection: each call as a whole, in every way to
# allocate; and none other.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/sites.sh"

DEBUGFS=/sys/kernel/debug
CONTROL=$DEBUGFS/alloctag/control
ATTRIBUTE=$DEBUGFS/fail_alloctag
PARAMETERS=/sys/module/alloctag_faulty/parameters
TRACING=/sys/kernel/tracing

if ! has CONFIG_ALLOCTAG_FAULTS || [[ ! -d $ATTRIBUTE ]]; then
	skip "chosen call sites fail" "this kernel has none fail, or no debugfs"
	finish
fi
rule() { echo "$1" >$CONTROL; }
refused() { ! { echo "$1" >"$CONTROL"; } 2>/dev/null; }
attribute() { for setting in "$@"; do echo "${setting#*=}" >"$ATTRIBUTE/${setting%=*}"; done; }
# attempt KIND [COUNT]: tries so often; prints Y for each that was given something, else N.
attempt() {
	local try given
	for ((try = 0; try < ${2:-1}; try++)); do
		echo "$1" >$PARAMETERS/attempt
		read -r given <$PARAMETERS/given
		printf %s "$given"
	done
}
# marked COMMAND…: by a process that has asked to fail.
marked() { (
	echo 1 >/proc/self/make-it-fail
	"$@"
); }
# failures FUNCTION: how often its call site failed, and how often of these it was made to.
failures() { sites | awk -v func="func:$1" '$NF == func {failed += $7; injected += $8} END {print failed + 0, injected + 0}'; }
logged() { dmesg | grep -c 'name fail_alloctag,'; }
wanted() { grep -c '^[1-9]' $CONTROL; }

attribute verbose=0
rule 'func attempt_kmalloc +f times=1'
insmod /tests/modules/alloctag_faulty.ko
expect "a rule waits for a module: its call site fails once" equal "$(attempt kmalloc 3)" NYY
rule '=_'

# The way to allocate, the function with the call site, and whether that fails. What has its own contract does not, nor what does
# not allocate: an object that shrinks stays where it is.
while read -r kind func fails; do
	expect "$kind: nothing is wanted, nothing fails" equal "$(attempt "$kind")" Y
	read -r failed injected <<<"$(failures "$func")"
	rule "func $func module alloctag_faulty +f times=1"
	if [[ $fails == yes ]]; then
		expect "$kind: wanted once, it fails as a whole, and then no more" equal "$(attempt "$kind" 3)" NYY
		expect "$kind: which is one failure, of those that were wanted" equal "$(failures "$func")" "$((failed + 1)) $((injected + 1))"
	else
		expect "$kind: it never fails" equal "$(attempt "$kind" 3)" YYY
		expect "$kind: nor is it counted" equal "$(failures "$func")" "$failed $injected"
	fi
	rule '=_'
done <<'END'
kmalloc attempt_kmalloc yes
variable attempt_variable yes
cache attempt_cache yes
bulk attempt_bulk yes
large attempt_large yes
nolock attempt_nolock no
never attempt_never no
either attempt_either yes
nothing attempt_nothing no
shrink resize no
grow grow yes
regrow grow_either yes
sure grow_surely no
first attempt_first yes
stay stay_either no
vmalloc attempt_vmalloc yes
percpu attempt_percpu yes
page attempt_page yes
folio attempt_folio yes
pages attempt_pages yes
exact attempt_exact yes
reserve attempt_reserve yes
waiting attempt_waiting no
locked locked yes
irq in_interrupt_work yes
softirq in_timer yes
END

rule 'func make_table module alloctag_faulty +f times=1'
attempt table >/dev/null
expect "a table that grows later fails for who made it, once" equal "$(failures make_table)" "1 1"
rule '=_'
expect "a fault that is no other's: its neighbours have none" equal "$(sites | awk '/\[alloctag_faulty\]/ {n += $8} END {print n}')" 21

# A rule's own attribute.
once() { rule "=_; func attempt_kmalloc +f $1"; }
once 'skip=2 times=1'
expect "the third one, once" equal "$(attempt kmalloc 6)" YYNYYY
once 'skip=1'
expect "all but the first" equal "$(attempt kmalloc 4)" YNNN
once 'times=2'
expect "the first two" equal "$(attempt kmalloc 4)" NNYY
once 'interval=3'
expect "every third one" equal "$(attempt kmalloc 7)" YYNYYNY
once 'interval=2 times=2 skip=1'
expect "skipped first, then every other one, twice" equal "$(attempt kmalloc 7)" YYNYNYY
once 'probability=50'
some=$(attempt kmalloc 200 | tr -d Y | wc -c)
expect "one in two, more or less" at_least "$some" 50
expect "and not more" at_most "$some" 150
once 'times=1 task-filter=Y'
expect "for tasks that ask for it: not for others" equal "$(attempt kmalloc 2)" YY
expect "but for these" equal "$(marked attempt kmalloc 2)" NY
expect "the rule is shown as it is" equal "$(tail -n 1 $CONTROL | cut -d' ' -f5-)" "func attempt_kmalloc +f times=1 task-filter=Y"

# The last rule that says something decides, of each letter for itself.
rule '=_; module alloctag_faulty +f probability=100; func attempt_page -f; func attempt_kmalloc +c by=comm'
expect "a later rule takes a call site out" equal "$(attempt page)$(attempt folio)" YN
expect "a rule about something else does not" equal "$(attempt kmalloc)" N
rule "-$(awk '/-f$/ {print $1}' $CONTROL)"
expect "and once it is taken back it fails again" equal "$(attempt page)" N
rule '=_'
expect "nothing is wanted any more, nothing fails" equal "$(attempt page)$(attempt folio)$(attempt kmalloc)" YYY
rule 'file mm/alloctag/* +f'
rule 'file mm/alloctag/* +f times=1000; func alloc_slab_obj_exts +f times=1000'
rule '* +c by=node'
expect "our own memory never fails" equal \
	"$(sites | awk '/ mm\/alloctag\// || / func:alloc_slab_obj_exts / {n += $8} END {print n}')" 0
rule '=_'

# The attribute of all rules that say nothing themselves.
rule 'func attempt_kmalloc +f; func attempt_page +f'
expect "it has none fail before somebody says so" equal "$(attempt kmalloc)$(attempt page)" YY
attribute probability=100 times=3
expect "three times, whichever it is" equal "$(attempt kmalloc 2)$(attempt page 3)" NNNYY
expect "and counts down" equal "$(cat $ATTRIBUTE/times)" 0
attribute times=-1 task-filter=Y
expect "it goes by tasks" equal "$(attempt kmalloc)$(marked attempt kmalloc)" YN
attribute task-filter=N interval=2
expect "by intervals" equal "$(attempt page 4 | tr -d Y)" NN
attribute interval=1 space=2048
expect "by bytes to spare" equal "$(attempt kmalloc 4)" YNNN
attribute space=0
if [[ -e $ATTRIBUTE/require-start ]]; then
	# bounds_of FUNCTION: where it is, and where the next one is.
	bounds_of() { sort /proc/kallsyms | awk -v name="$1" 'found {print "0x" $1; exit} $3 == name {found = 1; print "0x" $1}'; }
	mapfile -t bounds < <(bounds_of attempt_page)
	attribute "require-start=${bounds[0]}" "require-end=${bounds[1]}"
	expect "by the functions that call" equal "$(attempt kmalloc)$(attempt page)" YN
	attribute require-start=0 require-end=18446744073709551615
fi
attribute verbose=2
before=$(logged)
attempt kmalloc >/dev/null
expect "a fault is in the log" equal "$(logged)" $((before + 1))
expect "with who called" at_least "$(dmesg | sed -n '/name fail_alloctag,/,$p' | grep -c ' attempt_kmalloc+')" 1
attribute verbose=0 probability=0

# The tree's own script.
failcmd() { FAILCMD_TYPE=fail_alloctag bash /tests/bin/failcmd.sh "$@"; }
attribute verbose=0 times=-1
expect "failcmd.sh has a command fail" equal "$(failcmd --probability=100 --times=1 -- "bash -c 'echo kmalloc >$PARAMETERS/attempt; cat $PARAMETERS/given; echo kmalloc >$PARAMETERS/attempt; cat $PARAMETERS/given'" | tr -d '\n')" NY
expect "and nothing fails afterwards" equal "$(attempt kmalloc)" Y

# nth NUMBER KIND: tries, where the so manieth call fails that somebody asks for; prints what is left to be asked for.
nth() { (
	exec 3>$PARAMETERS/attempt 4<>/proc/self/fail-nth
	echo "$1" >&4
	echo "$2" >&3
	read -r left </proc/self/fail-nth
	echo 0 >/proc/self/fail-nth
	echo "$left"
); }
if [[ ! -d $DEBUGFS/failslab ]]; then
	expect "fail-nth: the first call fails" equal "$(nth 1 kmalloc) $(cat $PARAMETERS/given)" "0 N"
	expect "and there is no second" equal "$(nth 2 kmalloc) $(cat $PARAMETERS/given)" "1 Y"
	rule 'func attempt_either +f'
	expect "kmalloc() and vmalloc() are one" equal "$(nth 2 either) $(cat $PARAMETERS/given)" "1 Y"
	rule '=_; func inner +f probability=100; func attempt_outer +f'
	read -r _ before <<<"$(failures inner)"
	expect "what another call site asks for within a call is not counted" equal "$(nth 1 outer) $(cat $PARAMETERS/given)" "1 Y"
	expect "nor does it fail" equal "$(failures inner)" "$before $before"
	expect "but of a task without" equal "$(attempt outer) $(failures inner)" "Y $((before + 1)) $((before + 1))"
	rule '=_'
else
	# Every object is asked for, also those of tasks that can wait. What else the task asks for differs by what is cached.
	left() { for _ in $(seq 10); do nth 1000 kmalloc; done | sort -n | tail -n 1; }
	echo N >$DEBUGFS/failslab/ignore-gfp-wait
	alone=$(left)
	rule 'func attempt_kmalloc +f'
	expect "fail-nth: failslab counts" at_most "$alone" 999
	expect "and a call that both could have fail is counted once" equal "$(left)" "$alone"
	rule '=_'
	echo Y >$DEBUGFS/failslab/ignore-gfp-wait
fi
loop() {
	local number
	for number in $(seq 500); do
		(($(nth "$number" pages) == 0)) || return 0
	done
	return 1
}
rule 'module alloctag_faulty +f'
expect "a loop over fail-nth ends" loop
rule '=_'

# Traced.
mount -t tracefs none $TRACING 2>/dev/null
if [[ -d $TRACING/events/alloctag/alloctag_fault ]]; then
	echo 1 >$TRACING/events/alloctag/alloctag_fault/enable
	rule 'func attempt_kmalloc +f times=1'
	attempt kmalloc 2 >/dev/null
	echo 0 >$TRACING/events/alloctag/alloctag_fault/enable
	rule '=_'
	expect "a fault is an event" equal "$(grep -c 'alloctag_fault:' $TRACING/trace)" 1
	expect "that says what it is" grep -qE \
		'alloctag_fault: [^ ]*faulty\.c:[0-9]+ func:attempt_kmalloc bytes=1024 gfp_flags=GFP_KERNEL$' $TRACING/trace
	echo 1 >$TRACING/events/alloctag/alloctag_fault/enable
	rule 'func grow_either +f times=1'
	attempt regrow >/dev/null
	rule '=_'
	expect "with the flags of the caller" grep -qE 'func:grow_either bytes=[0-9]+ gfp_flags=GFP_KERNEL$' $TRACING/trace
	rule 'func attempt_reserve +f times=1'
	attempt reserve >/dev/null
	rule '=_'
	expect "and of a reserve, whose elements have a size that nobody knows, with 0 bytes" grep -q \
		'func:attempt_reserve bytes=0 gfp_flags=GFP_NOWAIT' $TRACING/trace
fi

# Decided by a program.
if has CONFIG_BPF_KPROBE_OVERRIDE; then
	# A probe that is a jump comes back to where it came from.
	echo 0 >/proc/sys/debug/kprobes-optimization
	rule 'func attempt_kmalloc +f times=1 skip=1'
	try="echo kmalloc >$PARAMETERS/attempt; cat $PARAMETERS/given"
	expect "a program in BPF has each fail" equal "$(override alloctag_should_fail 1 bash -c "$try; $try" | tr -d '\n')" NN
	expect "or none" equal "$(override alloctag_should_fail 0 bash -c "$try; $try; $try" | tr -d '\n')" YYY
	expect "in the place of the rule, which goes on after it" equal "$(attempt kmalloc 3)" YNY
	rule '=_'
else
	skip "a program in BPF decides" "this kernel lets no program override functions"
fi

# Rules that an open file owns.
fault=$(printf 'func %s +f times=1000;' attempt_kmalloc attempt_page)
try="echo kmalloc >$PARAMETERS/attempt; cat $PARAMETERS/given"
expect "while the file is open its rules hold" equal "$(owned "$fault" bash -c "$try")" N
expect "they go with it" equal "$(wanted) $(attempt kmalloc)" "0 Y"
rule 'func attempt_folio +f times=1000'
expect "a file of another owner" equal "$(owned "$fault" bash -c "$try")$(attempt page)$(attempt folio)" NYN
expect "takes back no rules but its own" equal "$(wanted)" 1
rule '=_'
owned "$fault" sleep 1000 &
owner=$!
for _ in $(seq $TRIES); do
	(($(wanted) == 0)) || break
	sleep 0.1
done
expect "somebody has rules" equal "$(wanted) $(attempt kmalloc)" "2 N"
kill -9 $owner
wait $owner 2>/dev/null
expect "nothing is armed after kill -9" settles 0 wanted
expect "and nothing fails" equal "$(attempt kmalloc)" Y

# Rust code: a line that has never run before.
rule 'module alloctag_lines +f times=1'
insmod /tests/modules/alloctag_lines.ko
opened() { true <"/dev/alloctag-lines"; } 2>/dev/null
expect "a line of Rust code fails when it runs for the first time" fails opened
expect "once" opened
if [[ -d $TRACING/events/alloctag/alloctag_fault ]]; then
	expect "the event knows the line" grep -qE 'alloctag_fault: [^ ]*lines\.rs:[0-9]+ func: ' $TRACING/trace
	echo 0 >$TRACING/events/alloctag/alloctag_fault/enable
fi
expect "it is one fault" equal "$(sites | awk '/ \[alloctag_lines\] / {n += $8} END {print n}')" 1
rule '=_'
rmmod alloctag_lines

# What is wrong is said, and changes nothing.
for wrong in '* +f times=0' '* +f probability=0' '* +f probability=101' '* +f interval=0' '* +f task-filter=maybe' '* +c times=1' \
	'* -f times=1' '* +f skip' '* +ff'; do
	expect "refused: $wrong" refused "$wrong"
done
expect "nothing of it holds" equal "$(wanted)" 0
for _ in $(seq 5); do rule "$(for _ in $(seq 25); do echo 'func no_such_function +f times=1'; done)"; done
expect "so many rules can say themselves when call sites fail" equal "$(wanted)" 125
expect "and no more" refused 'func no_such_function +f times=1'
expect "which is in the log" grep -q 'more than 125 rules that say themselves' <(dmesg)
expect "but those that do not, can" rule 'func no_such_function +f'
rule '=_'

if { echo 0 >$SWITCH; } 2>/dev/null; then
	rule 'func attempt_kmalloc +f times=1'
	expect "while nothing is counted nothing fails" equal "$(attempt kmalloc)" Y
	echo 1 >$SWITCH
	expect "and then it does" equal "$(attempt kmalloc 2)" NY
	rule '=_'
else
	skip "while nothing is counted nothing fails" "this kernel always counts"
fi
rmmod alloctag_faulty
expect "all numbers can be" sound
expect "no total is negative" none_negative
finish
