#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# All numbers of call sites: as a text for people, and the same by ioctls for programs.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/sites.sh"

FILES=500

if is_other_core || ! has CONFIG_ALLOCTAG_STATS; then
	skip "all numbers of call sites are shown" "this kernel does not count them"
	finish
fi
STALLS=
! has CONFIG_ALLOCTAG_STALLS || STALLS="stalls stall_ns stall_max_ns "
well_formed() { fails grep -vE '^-?[0-9]+ -?[0-9]+( [0-9]+){'$((NUMBERS - 2))'} [^ ]+:[0-9]+ (\[[^] ]+\] )?func:[^ ]+$' <(sites); }
freed() { echo $(($(of 5) - ${frees:?})); }
# untold ROOM: the lines of the text that ioctls do not tell alike, so many at a time, though nothing has moved meanwhile: what was
# allocated and freed only grows.
untold() {
	sites | sort >/tmp/before
	numbers "$1" | sed '$d' | sort >/tmp/told
	sites | sort >/tmp/after
	comm -12 /tmp/before /tmp/after >/tmp/unmoved
	comm -23 /tmp/unmoved /tmp/told
}
same_sites() { without_numbers | sort; }
# differing ROOM: sites that only one of both has; one may be new between the readings.
differing() { comm -3 <(sites | same_sites) <(numbers "$1" | sed '$d' | same_sites); }

expect "the file belongs to root, who alone may read it" equal "$(stat -c '%u %g %a' $SITES)" "0 0 400"
expect "it begins with its version and the names of its columns" equal "$(head -n 2 $SITES)" \
	"sites - version: 1.0
# bytes slack calls allocs frees allocated failed injected ${STALLS}tag"
expect "every line has as many, and a call site" well_formed
expect "most of those that have something in the other file have a line" \
	at_least "$(sites | wc -l)" "$(rows | awk '$2 > 0' | wc -l)"
# Of one reading, for the largest moves.
sites >/tmp/sites
expect "it can be sorted by its first column" equal "$(sort -n /tmp/sites | tail -n 1 | cut -d' ' -f1)" \
	"$(awk '$1 > most {most = $1} END {print most}' /tmp/sites)"
expect "what is alive is what was allocated and not freed" sound

quiesce
allocs=$(of 4) frees=$(of 5) calls=$(of 3) allocated=$(of 6)
object=$(($(of 1) / calls))
make_files /tmp/files $FILES
expect "$FILES files and their directory are as many allocations" equal "$(of 4)" $((allocs + FILES + 1))
expect "of so many bytes" equal "$(of 6)" $((allocated + (FILES + 1) * object))
rm -r /tmp/files
expect "and as many frees, once they are gone" settles $((FILES + 1)) freed
expect "of which nothing is taken back" equal "$(of 4)" $((allocs + FILES + 1))
expect "and nothing alive" equal "$(of 3)" "$calls"

for room in 65536 64 7 1; do
	expect "by ioctls of $room at a time, the sites are the same" settles "" differing $room
	expect "and so are all numbers that have not moved" equal "$(untold $room)" ""
	expect "which are most" at_least "$(wc -l </tmp/unmoved)" $(($(wc -l </tmp/after) / 2))
done
expect "what is no question is refused" equal "$(numbers --refused)" \
	"as it should be: taken
an unknown flag: EINVAL
a record that is too short: EINVAL
a record of no whole words: EINVAL
a query that is too short: EINVAL
a longer query of zeroes: taken
a longer query with something in it: E2BIG
no memory for records: EFAULT
a place that is none: taken
a record of the first version: taken
behind that: left
a longer record: taken
its rest: zeroes
behind it: left"
finish
