# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# How a test says what it saw: TAP, one sentence a line. Used by the selftests in the guest and by the suites on the host.

# A word that is no number where one is reckoned with ends the script, and leaves the plan unmet. Otherwise bash drops the
# command that it stands in, an `expect` as a whole, and goes on. In this mode a timeout of `read` is an alarm, which may ring
# just before bash begins to read; then nothing ends that.
set -o posix

expect_count=0
expect_failures=0

# expect SENTENCE COMMAND…: the sentence is true if the command succeeds. The output is shown where it does not.
expect() {
	local sentence=$1 output
	shift
	expect_count=$((expect_count + 1))
	if output=$("$@" 2>&1); then
		echo "ok $expect_count - $sentence"
	else
		expect_failures=$((expect_failures + 1))
		echo "not ok $expect_count - $sentence"
		printf '%s failed: %s\n' "$*" "$output" | sed 's/^/# /'
	fi
}

# skip SENTENCE REASON: what cannot be seen here, and why.
skip() {
	expect_count=$((expect_count + 1))
	echo "ok $expect_count - $1 # SKIP $2"
}

# The last line of every test: a plan, without which whoever reads this takes the test for dead.
finish() {
	echo "1..$expect_count"
	exit "$((expect_failures > 0))"
}

# nap SECONDS FD: sleeps without a process, by reading what nobody writes to. Not in posix mode, where it may never end.
nap() {
	set +o posix
	read -rt "$1" -u "$2"
	set -o posix
}

# Conditions for `expect`; each says what it found.
equal() { [[ $1 == "$2" ]] || { echo "'$1' is not '$2'"; return 1; }; }
at_most() { (($1 <= $2)) || { echo "$1 is more than $2"; return 1; }; }
at_least() { (($1 >= $2)) || { echo "$1 is less than $2"; return 1; }; }
fails() { ! "$@"; }
