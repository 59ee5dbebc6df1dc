# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Reads /proc/allocinfo and its switches, the way that a user's scripts do. Needs expect.sh.

ALLOCINFO=/proc/allocinfo
SWITCH=/proc/sys/vm/mem_profiling
# Bytes of a page, by AT_PAGESZ.
PAGE=$(od -An -v -t u8 -w16 /proc/self/auxv | awk '$1 == 6 {print $2}')

# The lines without the header.
rows() { tail -n +3 "$ALLOCINFO"; }

# Only what a row names, so that two readings compare.
names() { rows | names_of; }
names_of() { sed -E 's/^ *-?[0-9]+ +[0-9]+ //'; }

# calls FILE FUNCTION, bytes FILE FUNCTION: live objects and bytes, over all lines of that function.
calls() { rows | awk -v file="$1" -v func="func:$2" 'index($3, file ":") == 1 && index($0, " " func " ") {n += $2} END {print n + 0}'; }
bytes() { rows | awk -v file="$1" -v func="func:$2" 'index($3, file ":") == 1 && index($0, " " func " ") {n += $1} END {print n + 0}'; }

# The call site that the tests drive: one object for each file on a tmpfs, freed some grace periods after the file is gone.
INODE_SITE="mm/shmem.c shmem_alloc_inode"
# shellcheck disable=SC2086 # two words
inodes() { calls $INODE_SITE; }
# Bytes that are no multiple of an inode's are something else's.
about_inodes() {
	rows | grep -F 'func:shmem_alloc_inode '
	grep '^shmem_inode_cache ' /proc/slabinfo
	df -i /tmp /dev
}

# make_files DIRECTORY COUNT: empty files, by one process.
make_files() {
	mkdir -p "$1"
	(cd "$1" && seq -f 'f%.0f' "$2" | xargs touch)
}

# How often something is looked at again, a tenth of a second apart, until it is given up: what has not come by then never
# will, however busy the machine is.
TRIES=600

# 4 is for no line in the log each time.
drop_caches() {
	echo 4 >/proc/sys/vm/drop_caches
	echo "$1" >/proc/sys/vm/drop_caches
}
# let_go: returns when what is about to be freed is: what waits for RCU, twice because it may let go of more, and what is on a
# CPU's list of folios.
BARRIER=/sys/module/rcutree/parameters/do_rcu_barrier
let_go() {
	drop_caches 1
	echo 1 >$BARRIER
	echo 1 >$BARRIER
}

# settles WANTED COMMAND…: waits until the command prints that. Where it never does, says how it went, and what about_COMMAND
# knows beside, if there is such a function.
settles() {
	local wanted=$1 value='' first='' last='' changes=0 changed='' try
	shift
	for try in $(seq $TRIES); do
		value=$("$@")
		[[ $value == "$wanted" ]] && return
		if ((try == 1)); then
			first=$value
		elif [[ $value != "$last" ]]; then
			changes=$((changes + 1)) changed=$try
		fi
		last=$value
		((try % 10)) || let_go
		sleep 0.1
	done
	echo "after $try tries: $value instead of $wanted$(off_by "$value" "$wanted")"
	((changes == 0)) || echo "at first it was $first; it changed $changes times, in try $changed the last time"
	[[ $(type -t "about_$1") != function ]] || "about_$1"
	return 1
}
# off_by VALUE WANTED: how far, where both are numbers.
off_by() {
	[[ $1 =~ ^-?[0-9]+$ && $2 =~ ^-?[0-9]+$ ]] || return 0
	if (($1 < $2)); then echo ", $(($2 - $1)) too few"; else echo ", $(($1 - $2)) too many"; fi
}

matching() { rows | grep -E -- "$1" | names_of | sort -u; }
# none_stays PATTERN: no row matches it in every one of some readings. In a single one a row may: counters are summed while
# others count, so that a free is seen and not yet its allocation, or bytes and not yet their call.
none_stays() {
	local rest try
	rest=$(matching "$1")
	for try in $(seq 50); do
		[[ -n $rest ]] || return 0
		sleep 0.1
		rest=$(comm -12 <(echo "$rest") <(matching "$1"))
	done
	echo "$rest"
	return 1
}
# No row is below zero, in bytes or in calls, which are printed without a sign.
none_negative() { none_stays '^ *(-|[0-9]+ +[0-9]{19,} )'; }

# steadily COMMAND: what it prints in every one of some readings, for what is counted meanwhile may be counted in part. Those are
# to be names, for numbers move.
steadily() {
	local rest try
	rest=$("$@" | sort)
	for try in 1 2 3 4 5; do
		[[ -n $rest ]] || return 0
		sleep 0.2
		rest=$(comm -12 <(echo "$rest") <("$@" | sort))
	done
	echo "$rest"
}

# kernel_log: what the kernel has said, but for its clocks and its scheduler, which speak at any time on a busy machine.
kernel_log() { dmesg | grep -vE '^\[ *[0-9.]+\] ((tsc|clocksource|sched|sched_clock): |TSC found unstable)'; }

# has_log: one without printk() has none.
has_log() { [[ -n $(dmesg 2>/dev/null) ]]; }

# has SYMBOL: whether this kernel was configured with it.
has() { zcat /proc/config.gz | grep -qx "$1=y"; }

# has_modules: whether those of the tests can come.
has_modules() { [[ -e /proc/modules ]]; }

# has_nodes: whether memory is shared out among several.
has_nodes() { [[ -e /sys/devices/system/node/node1 ]]; }

# is_other_core: whether it is the kernel's own core in C that counts.
is_other_core() { ! has CONFIG_MEM_ALLOC_PROFILING_RUST; }

# Allocations that could not be counted, where the kernel says how many there were.
UNCOUNTED=/proc/sys/vm/mem_profiling_uncounted
expect_none_uncounted() {
	if [[ -e $UNCOUNTED ]]; then
		expect "nothing went uncounted" equal "$(<$UNCOUNTED)" 0
	else
		skip "nothing went uncounted" "this kernel does not say"
	fi
}

# What KASAN keeps of freed objects, up to a 32nd of memory, with their slabs. Elsewhere a shell's loop over all caches would
# only move its own memory about.
HAS_KASAN=0
if has CONFIG_KASAN; then HAS_KASAN=1; fi
shrink_caches() {
	local cache
	for cache in /sys/kernel/slab/*/shrink; do
		[[ ! -w $cache ]] || echo 1 >"$cache"
	done
}

# quiesce: lets caches go, and what is about to be freed.
quiesce() {
	sync
	drop_caches 3
	((HAS_KASAN == 0)) || shrink_caches
	let_go
}

# may_switch: whether this kernel lets the profiler be switched (one with MEM_ALLOC_PROFILING_DEBUG does not).
may_switch() { { echo 1 >"$SWITCH"; } 2>/dev/null; }

# write VALUE: one write to the switch; says why it was refused.
write() { printf '%s' "$1" >"$SWITCH"; }

# refused_as REASON VALUE: the switch does not take the value, for that reason.
refused_as() {
	local message
	if message=$( { write "$2"; } 2>&1); then
		echo "'$2' was accepted"
		return 1
	fi
	[[ $message == *"$1"* ]] || { echo "$message"; return 1; }
}
