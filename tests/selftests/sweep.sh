#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --timeout 1800 --warns broken\.c
# Usage: sweep.sh [again]
# A sweep over error paths finds those that are broken, each with its call site, and accuses no other; and again, by parts and
# after it was stopped, which takes minutes and is the same in every kernel.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/sites.sh"

CONTROL=/sys/kernel/debug/alloctag/control
PATHS=/sys/module/alloctag_broken/parameters/path
# Those that can be walked again and again on any kernel: neither a corrupted heap nor an oops.
HARMLESS="right manages leaks loses keeps defers warns hangs"

if ! has CONFIG_ALLOCTAG_FAULTS; then
	skip "a sweep finds broken error paths" "this kernel has no call site fail"
	finish
fi
# line FUNCTION PLACE: the line of the first, second … call site of a function.
line() { awk -v func="func:$1" '$NF == func {split($1, at, ":"); print at[2]}' <(sed 's/^ *[0-9]* *[0-9]* //' /proc/allocinfo) | sort -n | sed -n "$2p"; }
walk() { for path in "$@"; do echo "$path" >"$PATHS" || return; done; }
export -f walk
export PATHS
# A rehearsal is quick, but the machine may be busy.
SWEEP=(alloctag sweep --where module=alloctag_broken --timeout 20s)
swept() { "${SWEEP[@]}" "$@" -- bash -c "walk $HARMLESS"; }
# verdicts: of JSON, one a line.
verdicts() { sed -n 's/^{"verdict":"\([a-z]*\)",.*"line":\([0-9]*\),"func":"\([a-z_]*\)",.*"leaked":\([0-9]*\),.*/\1 \3:\2 \4/p' "$1" | sort; }

insmod /tests/modules/alloctag_broken.ko
# What an object of 512 bytes takes, with what debugging lays around it.
SLAB=$(cat /sys/kernel/slab/kmalloc-512/slab_size)
# What is freed after a grace period is waited for.
for _ in $(seq 100); do walk defers; done
settled() { settle && awk '$NF == "func:defers" {n += $2} END {print n + 0}' /proc/allocinfo; }
expect "what waits for a grace period is freed once all has settled" equal "$(settled)" 0
expect "who is nobody cannot ask for that" equal "$(settle --as-nobody 2>&1)" "settle: Operation not permitted"
expected() {
	echo "handled right:$(line right 1) 0"
	echo "handled right:$(line right 2) 0"
	echo "handled manages:$(line manages 1) 0"
	echo "handled leaks:$(line leaks 1) 0"
	echo "leaked leaks:$(line leaks 2) $SLAB"
	echo "handled loses:$(line loses 1) 0"
	echo "leaked loses:$(line loses 2) 8192"
	echo "handled keeps:$(line keeps 1) 0"
	echo "handled keeps:$(line keeps 2) 0"
	echo "handled defers:$(line defers 1) 0"
	echo "handled defers:$(line defers 2) 0"
	echo "warned warns:$(line warns 1) 0"
	echo "hung hangs:$(line hangs 1) 0"
}
expect "a sweep ends with status 3" equal "$(swept -o /tmp/first --format json >/tmp/first.json 2>/tmp/first.err; echo $?)" 3
expect "each broken path is found, and no other" equal "$(verdicts /tmp/first.json)" "$(expected | sort)"
expect "nothing is said beside it" equal "$(cat /tmp/first.err)" ""
expect "what is lost is told where it was allocated" equal \
	"$(grep -o '"leaks":"leaked [^"]*"' /tmp/first.json | sort | sed 's/[^ ]*broken\.c/broken.c/')" \
	"$(printf '"leaks":"leaked %s bytes at broken.c:%s [alloctag_broken] func:%s"\n' "$SLAB" "$(line leaks 1)" leaks 8192 "$(line loses 1)" loses)"
expect "what the kernel says is told" grep -q '"said":\["WARNING: [^"]*broken\.c' /tmp/first.json
expect "and the fault's stack" grep -q '"func":"leaks",.*"stack":\[.*"leaks+0x[^"]*",.*"param_attr_store' /tmp/first.json
# A module that goes because of the fault takes its call sites along, but not what they have counted, as long as somebody asks.
BRITTLE='insmod /tests/modules/alloctag_brittle.ko && rmmod alloctag_brittle'
alloctag sweep --where module=alloctag_brittle --all --format json -- bash -c "$BRITTLE" >/tmp/brittle.json 2>/dev/null
expect "a module whose init function fails is found by its call sites" equal \
	"$(verdicts /tmp/brittle.json | sed -E 's/:[0-9]+ / /' | tr '\n' ' ')" "handled prepare 0 leaked prepare $SLAB "
expect "with what is lost" grep -q '"leaks":"leaked [0-9]* bytes at [^ ]*brittle\.c:[0-9]* \[alloctag_brittle\] func:prepare"' /tmp/brittle.json
faulted() { alloctag fault func prepare module alloctag_brittle -- insmod /tests/modules/alloctag_brittle.ko 2>&1 | tail -n 1; }
expect "a fault of a module that goes with it is told" grep -qE '^alloctag: 1 fault at [^ ]*brittle\.c:[0-9]+ \[alloctag_brittle\]' <(faulted)
kept() { cat /proc/allocinfo >/dev/null; grep -c '\[alloctag_brittle\]' /proc/allocinfo; }
expect "afterwards there are the rows alone of what is still there" equal "$(kept)" \
	"$(grep '\[alloctag_brittle\]' /proc/allocinfo | awk '$1' | grep -c .)"
expect "nothing stays armed" equal "$(grep -c '^[1-9]' $CONTROL)" 0
# What is wrong is said in one line.
said() { alloctag sweep "$@" 2>&1 >/dev/null | head -n 2; }
expect "a command that fails by itself" equal "$(said -- bash -c 'exit 7')" \
	"alloctag: COMMAND ends with status 7 with nothing failing; a sweep takes one that works"
expect "no command" equal "$(said | wc -l)" 1
expect "another sweep's directory" equal "$(said -o /tmp/first -- true)" \
	"alloctag: /tmp/first: holds another sweep; give the same COMMAND and options, or another directory"
expect "no sweep's directory" equal "$(said --report /tmp | wc -l)" 1
expect "a condition that is none" equal "$(said --where 'file=' -- true | wc -l)" 1

if [[ ${1:-} != again ]]; then
	rmmod alloctag_broken
	finish
fi

# Once more, by parts.
alloctag sweep --report /tmp/first --format json >/tmp/again.json
expect "what was kept is told again" equal "$(verdicts /tmp/again.json)" "$(verdicts /tmp/first.json)"
for part in 1 2; do swept -o "/tmp/part$part" --part "$part/2" >/dev/null; done
alloctag sweep --report /tmp/part1 /tmp/part2 --format json >/tmp/parts.json
expect "the second time, by parts, it is the same" equal "$(verdicts /tmp/parts.json)" "$(verdicts /tmp/first.json)"
expect "a table begins with the worst" equal "$(alloctag sweep --report /tmp/first | awk 'NR > 1 && !/trials/ {print $1}' | tr '\n' ' ')" \
	"hung warned leaked leaked "
expect "a report is of defects alone unless more is asked for" equal "$(alloctag sweep --report /tmp/first --all | grep -c '^handled')" 9
expect "JUnit's tests fail where something is wrong" equal \
	"$(alloctag sweep --report /tmp/first --format junit | grep -c '<failure message="\(hung\|warned\|leaked\)"')" 4

# Stopped and gone on with.
"${SWEEP[@]}" -o /tmp/stopped -- bash -c "walk $HARMLESS" >/dev/null 2>&1 &
sweeping=$!
has_ended() {
	local line
	while read -r line; do [[ $line != '{"end"'* ]] || return 0; done
	return 1
}
# What comes and goes beside a sweep may look like a leak.
exec {silent}<> <(:)
for ((try = 0; try < TRIES; try++)); do
	[[ ! -e /tmp/stopped/journal.jsonl ]] || ! has_ended </tmp/stopped/journal.jsonl || break
	nap 0.1 "$silent"
done
exec {silent}>&-
kill -9 $sweeping
wait $sweeping 2>/dev/null
done_before=$(grep -c '"end"' /tmp/stopped/journal.jsonl)
expect "a sweep was killed on its way" at_most "$done_before" 10
expect "nothing is armed after kill -9" settles 0 grep -c '^[1-9]' $CONTROL
# What it ran goes on, and would be in the way of the next one.
running() { grep -la 'wal[k] right' /proc/[0-9]*/cmdline 2>/dev/null | wc -l; }
expect "and what it ran comes to its end" settles 0 running
swept -o /tmp/stopped >/dev/null
expect "it goes on where it was stopped" equal "$(grep -c '"end"' /tmp/stopped/journal.jsonl)" 13
alloctag sweep --report /tmp/stopped --format json >/tmp/stopped.json
expect "and comes to the same" equal "$(verdicts /tmp/stopped.json)" "$(verdicts /tmp/first.json)"
echo '{"begin":{"site":{"file":"a.c","line":1,"func":"f","module":null},"nth":1}}' >>/tmp/part1/journal.jsonl
sed -i 's/"done"/{"boot":"another"}/' /tmp/part1/journal.jsonl
swept -o /tmp/part1 --part 1/2 >/dev/null 2>&1
expect "what was tried when a kernel went down has brought it down" equal \
	"$(alloctag sweep --report /tmp/part1 | awk '/a\.c:1/ {print $1}')" oopsed

# More than once, and other ways.
expect "other times are tried until there is none" equal \
	"$(alloctag sweep --where func=right --nth 5 --all -- bash -c 'walk right right' 2>&1 | awk '/func:right/ {print $1}' | sort | uniq -c | tr -s ' \n' ' ')" \
	" 4 handled 2 unreached "
cleaned() { alloctag sweep --where func=right --cleanup 'echo x >>/tmp/cleaned' -- bash -c 'walk right' >/dev/null; wc -l </tmp/cleaned; }
expect "something cleans up after each time" at_least "$(cleaned)" 6
left() { alloctag sweep --where func=right -- bash -c 'walk right; setsid sleep 1000 & exit 0' >/dev/null; grep -lx sleep /proc/[0-9]*/comm | wc -l; }
expect "what is left behind is ended" equal "$(left)" 0
rmmod alloctag_broken
finish
