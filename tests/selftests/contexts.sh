#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests
# What is allocated by chosen call sites is told apart by where it comes from and for whom, to the byte, whoever frees it; the
# rows of call sites stay what they would be; and nothing of it stays.

set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

DIRECTORY=/sys/kernel/debug/alloctag
PARAMETERS=/sys/module/alloctag_callers/parameters

if [[ ! -e $DIRECTORY/control ]]; then
	skip "call sites can be chosen" "this kernel has no debugfs"
	finish
fi
rule() { echo "$1" >$DIRECTORY/control; }
rules() { tail -n +3 $DIRECTORY/control; }
refused() { ! { rule "$1"; } 2>/dev/null; }
allocate() { echo "$*" >$PARAMETERS/allocate; }
release() { echo "$1" >$PARAMETERS/free; }
# contexts FUNCTION: a line for each context of a call site, its frames behind it, separated by "<".
contexts() {
	tail -n +3 $DIRECTORY/contexts | awk '/^ / {line = line " < " $1; next} {if (line) print line; line = $0} END {if (line) print line}' |
		grep -F "func:$1 "
}
# numbers FUNCTION PATTERN: bytes, calls, allocs and frees of those of its contexts that match.
numbers() {
	contexts "$1" | grep -E -- "$2" | awk '{
		bytes += $1; calls += $2
		for (i = 3; i <= NF; i++) {if (split($i, f, ":") == 2 && f[1] == "allocs") allocs += f[2]; if (f[1] == "frees") frees += f[2]}
	} END {print bytes + 0, calls + 0, allocs + 0, frees + 0}'
}
# sites: how many call sites the first rule is about.
sites() { rules | awk 'NR == 1 {print $2}'; }
how_many() { contexts "$1" | wc -l; }
# row FUNCTION: its bytes and calls in /proc/allocinfo.
row() { rows | awk -v func="func:$1" '$0 ~ func " " {print $1, $2}'; }
insmod /tests/modules/alloctag_callers.ko
expect "without a rule there is no context" equal "$(tail -n +3 $DIRECTORY/contexts)" ""
allocate first object 3
rule 'module alloctag_callers +c by=stack depth=2'
expect "a rule is listed with its number and its call sites" grep -qE '^1 4 0 0 module alloctag_callers \+c by=stack depth=2$' <(rules)
expect "what was there before has no context" equal "$(how_many helper_object)" 0
release 3

for kind in object pages area vmalloc; do
	site=helper_$kind
	# What one is, by the row: pages, of which it may have several, and bytes.
	allocate first $kind 1
	read -r bytes calls <<<"$(row $site)"
	expect "$kind: one is counted" at_least "$calls" 1
	release 1
	allocate first $kind 5
	allocate second $kind 7
	expect "$kind: what the first caller has" equal "$(numbers $site '< first\+')" "$((5 * bytes)) $((5 * calls)) $((6 * calls)) $calls"
	expect "$kind: what the second one has" equal "$(numbers $site '< second\+')" "$((7 * bytes)) $((7 * calls)) $((7 * calls)) 0"
	expect "$kind: it is what the call site has" equal "$(row $site)" "$((12 * bytes)) $((12 * calls))"
	expect "$kind: the first frame is the call site's function" fails grep -vE "< $site\+\S+ < (first|second)\+" <(contexts $site)
	release 8
	expect "$kind: it is taken from where it was charged" equal "$(numbers $site . | cut -d' ' -f1-2)" "$((4 * bytes)) $((4 * calls))"
	release 4
	expect "$kind: until nothing is left" equal "$(numbers $site . | cut -d' ' -f1-2)" "0 0"
done

rule '-1'
expect "a rule can be taken back" equal "$(rules)" ""
expect "and its contexts go" settles 0 how_many helper_object

rule 'func helper_object +c by=comm,pid'
allocate first object 2
(allocate second object 3)
expect "for whom" equal "$(contexts helper_object | grep -oE 'comm:\S+ pid:[0-9]+' | sort -u | wc -l)" 2
allocate third object 4
expect "an interrupt is for nobody" equal "$(numbers helper_object 'comm:irq pid:irq' | cut -d' ' -f2)" 4
release 9
rule '=_; func helper_object +c by=stack depth=16'
allocate fourth object 1
expect "what was called last has its caller's place on the stack" grep -qE ' < helper_object\+\S+ < first\+\S+ < (fourth|allocate)\+' \
	<(contexts helper_object)
callers=$(contexts helper_object | sed 's/.* < allocate[^<]* < //; s/ < /\n/g')
expect "who called is who the kernel's own unwinder says" equal \
	"$callers" "$(awk '{print $1}' $PARAMETERS/stack | head -n "$(wc -l <<<"$callers")")"
expect "down to where a stack begins, or 16 deep" at_least "$(wc -l <<<"$callers")" 6
release 1
rule '=_; func helper_* +c by=node,order,cgroup'
allocate first pages 2
expect "on which node, of which order, of which cgroup" grep -q ' node:0 cgroup:1,/ order:1$' <(contexts helper_pages)
release 2

rule '=_; module alloctag_callers +c by=caller; func helper_pages -c'
allocate first object 2
allocate first pages 2
how_many_each() { echo "$(how_many helper_object) $(how_many helper_pages)"; }
expect "who is not chosen after all has no context" settles "1 0" how_many_each
release 4

rule '=_; func helper_* +c by=gfp'
for kind in object pages; do
	allocate first $kind 2
	expect "$kind: with which flags" equal "$(numbers helper_$kind ' gfp:GFP_KERNEL$' | cut -d' ' -f2)" 2
	allocate third $kind 3
	expect "$kind: with which ones by an interrupt" equal "$(numbers helper_$kind ' gfp:GFP_ATOMIC$' | cut -d' ' -f2)" 3
	release 5
done
allocate first vmalloc 1
expect "vmalloc: with which flags it asked for pages" grep -q ' gfp:.*__GFP_HIGHMEM' <(contexts helper_vmalloc)
release 1

expect "a word that is none is refused" refused 'func x +c by=stack and'
expect "as is a letter" refused 'func x +z'
expect "a rule that is not there cannot be taken back" refused '-4711'
expect "a list holds whole or not at all" equal "$(refused 'func x +c by=pid; func y +q'; rules | wc -l)" 1
rule 'func x +c by=pid; =_; func y +c by=pid; line 7 -c'
expect "a list holds" equal "$(rules | cut -d' ' -f5-)" $'func y +c by=pid\nline 7-7 -c'
expect "too much at a time is too much" fails dd if=/dev/zero of=$DIRECTORY/control bs=4097 count=1

rule '=_; func helper_object +c by=stack; func second -c; file callers.c +c by=caller'
expect "the last rule decides" equal "$(allocate second object 1; contexts helper_object | grep -c 'caller:second+')" 1
allocate first object 10
seen=$(sites)
rmmod alloctag_callers
expect "a module goes, and its contexts with it" settles 0 how_many helper_object
seen+=" $(sites)"
insmod /tests/modules/alloctag_callers.ko
expect "how many call sites a rule is about follows" equal "$seen $(sites)" "1 0 1"
allocate first object 1
expect "rules hold for what comes later" equal "$(numbers helper_object 'caller:first+' | cut -d' ' -f2)" 1
rmmod alloctag_callers
rule '=_; module alloctag_outlive +c by=stack'
insmod /tests/modules/alloctag_keeper.ko
insmod /tests/modules/alloctag_outlive.ko
left=$(contexts keep_object)
# It has two names, of which symbols have one.
INIT=' < (outlive_init|init_module)\+'
expect "init code keeps its name" grep -qE "$INIT" <(echo "$left")
rmmod alloctag_outlive
expect "so does what a module has left behind" equal "$(contexts keep_object)" "$left"
expect "every frame of it" fails grep -F ' < ?' <(contexts keep_object)
insmod /tests/modules/alloctag_outlive.ko
expect "what comes later is told from it" equal "$(contexts keep_object | wc -l)" 2
expect "and is called as it is" equal "$(contexts keep_object | grep -cE "$INIT")" 2
rmmod alloctag_outlive
rmmod alloctag_keeper
expect "with the last object they go" settles 0 how_many keep_object
rule '=_; * +c by=comm'
# named NAME: runs something by that name.
named() { cp "$BASH" "/tmp/$1" && "/tmp/$1" -c :; }
of_command() { tail -n +3 $DIRECTORY/contexts | grep -c " comm:$1\b"; }
make_files /tmp/contexts 500
rm -r /tmp/contexts
expect "everything can be chosen" at_least "$(tail -n +3 $DIRECTORY/contexts | wc -l)" 100
named early
expect "whoever comes meanwhile" at_least "$(of_command early)" 1
rule '=_'
expect "without a rule what is alive keeps its context" at_least "$(tail -n +3 $DIRECTORY/contexts | wc -l)" 1
named late
expect "and nothing new comes" equal "$(of_command late)" 0
rm /tmp/early /tmp/late
expect "no total is negative" none_negative
finish
