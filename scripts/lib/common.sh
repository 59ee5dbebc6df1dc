# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Where things are, and how the scripts speak: results on stdout, everything else on stderr.

# With it, cd goes elsewhere, and prints where.
unset CDPATH
# What is made here is read by others, and goes into root file systems as it is.
umask 022

REPO=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# A registry that is busy is asked more often than three times.
export CARGO_NET_RETRY=${CARGO_NET_RETRY:-10}

say() { printf '%s\n' "$*" >&2; }

# The one line for what is wrong and what to do about it, then the end.
die() {
	say "${0##*/}: $*"
	exit 1
}

# for_make WHAT PATH REMEDY: the kernel's Makefile cannot have blanks and colons in the names of directories.
for_make() {
	[[ $2 != *[[:space:]:]* ]] || die "$1 is '$2': the kernel's Makefile takes no blanks and no colons there; $3"
}

# Downloads, tools, kernel trees, builds and logs; safe to delete as a whole.
ALLOCTAG_CACHE=$(realpath -ms -- "${ALLOCTAG_CACHE:-${HOME:-/root}/.cache/alloctag}")
for_make ALLOCTAG_CACHE "$ALLOCTAG_CACHE" "set it to another directory"
LOGS=$ALLOCTAG_CACHE/log
export ALLOCTAG_CACHE

# A command that fails where none was expected to is named: a script never just ends.
set -E
trap 'say "${0##*/}: failed in ${BASH_SOURCE[0]##*/}, line $LINENO: $BASH_COMMAND"' ERR

# help_of FILE: prints the comment block at the top of a script, which is its --help.
help_of() {
	sed -n '/^# SPDX/d; /^#!/d; /^#/!q; s/^# \{0,1\}//p' "$1"
}

# elapsed SECONDS: a duration for a reader.
elapsed() {
	if (($1 < 60)); then echo "$1 s"; else echo "$(($1 / 60)) min $(($1 % 60)) s"; fi
}

# step TITLE LOG COMMAND…: runs a long command with its output in LOG, and shows what runs and for how long: as a live
# line on a terminal, as plain lines elsewhere. On failure shows the log's end. Returns the command's status.
step() {
	local title=$1 log=$2 pid start=$SECONDS status=0 ticks=0
	shift 2
	mkdir -p "${log%/*}"
	[[ -t 2 ]] || say "$title (log: $log)"
	# In a process group of its own, so that whoever stops the script stops all of the step.
	set -m
	"$@" >"$log" 2>&1 </dev/null &
	pid=$!
	set +m
	trap 'kill -- "-$pid" 2>/dev/null; exit 130' INT TERM HUP
	while kill -0 "$pid" 2>/dev/null; do
		sleep 0.2
		((++ticks % 5 == 0)) || continue
		if [[ -t 2 ]]; then
			printf '\r\033[K%s: %s  %.60s' "$title" "$(elapsed $((SECONDS - start)))" \
				"$(tail -n 1 "$log" | tr -d '\r')" >&2
		elif ((ticks % 600 == 0)); then
			say "$title: $(elapsed $((SECONDS - start))) so far"
		fi
	done
	wait "$pid" || status=$?
	trap - INT TERM HUP
	[[ -t 2 ]] && printf '\r\033[K' >&2
	if ((status)); then
		say "$title: failed after $(elapsed $((SECONDS - start))); the end of $log:"
		tail -n 30 "$log" | sed 's/^/  | /' >&2
	else
		say "$title: done in $(elapsed $((SECONDS - start)))"
	fi
	return "$status"
}

# How long one that waits for a lock is silent, in seconds. What finds all in place holds it for less than one; who waits longer
# waits for a download or a compilation, and wants to be told.
PATIENCE=15

# locked NAME WHAT COMMAND…: runs a command while holding the cache's lock NAME, saying so when it has to wait for long.
locked() {
	local lock=$ALLOCTAG_CACHE/$1.lock what=$2 status=0 lock_fd
	shift 2
	mkdir -p "$ALLOCTAG_CACHE"
	exec {lock_fd}>>"$lock"
	if ! flock -w "$PATIENCE" "$lock_fd"; then
		say "$what: waiting for another one to finish ($lock)"
		flock "$lock_fd"
	fi
	"$@" || status=$?
	exec {lock_fd}>&-
	return "$status"
}
