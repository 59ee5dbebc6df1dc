# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The events of allocations, by tracefs. Needs allocinfo.sh.

TRACING=/sys/kernel/tracing
EVENTS=$TRACING/events/alloctag
CONTROL=/sys/kernel/debug/alloctag/control

# has_events: whether this kernel tells tracers of allocations.
has_events() { ! is_other_core && has CONFIG_ALLOCTAG_EVENTS; }
mount_tracing() { [[ -d $TRACING/events ]] || mount -t tracefs none $TRACING; }
# look EVENT…: begins to look at these alone, with nothing in the buffers.
look() {
	local event
	for event in "$@"; do echo 1 >"$EVENTS/$event/enable"; done
	echo >$TRACING/trace
}
# no_look: ceases to look at all of them, and keeps what there is.
no_look() { echo 0 >$EVENTS/enable; }
# told EVENT [PATTERN]: what was seen of an event, without what is before it.
told() { sed -nE "s/^ .* $1: //p" $TRACING/trace | grep -E -- "${2:-}"; }
# field NAME: that of each line.
field() { sed -nE "s/.* $1=([^ ]+).*/\\1/p"; }
# lost: how many events found no room.
lost() { cat $TRACING/per_cpu/cpu*/stats | awk -F': ' '/overrun|dropped/ {n += $2} END {print n + 0}'; }

# What this module does, which is to be loaded, in its own functions.
MODULE=alloctag_told
tell() { echo "$1" >/sys/module/$MODULE/parameters/tell; }
# of FUNCTION: the pattern of a line's beginning.
of() { echo "told\.c:[0-9]+ \[$MODULE\] func:$1 "; }
# told_of WHAT EVENT FUNCTION: has that allocated, and prints what was seen of the event.
told_of() {
	look alloc free
	tell "$1"
	no_look
	told "$2" "$(of "$3")"
}
# bytes_of EVENT FUNCTION, count EVENT FUNCTION: of the last ones, in all.
bytes_of() { told "$1" "$(of "$2")" | field bytes_alloc | awk '{n += $1} END {print n + 0}'; }
count() { told "$1" "$(of "$2")" | wc -l; }
# churn CPU: allocates on that one, and frees on others as well.
churn() {
	local n
	for n in $(seq 20); do
		taskset -c "$1" bash -c "mkdir -p /tmp/churn$1 && cd /tmp/churn$1 && touch {1..50} && rm {1..40}"
		taskset -c $(((n + $1) % 4)) bash -c "rm -f /tmp/churn$1/4?; for w in object pages row area parts tail; do echo \$w >/sys/module/$MODULE/parameters/tell; done"
	done
}
