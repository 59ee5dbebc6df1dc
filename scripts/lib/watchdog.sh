# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Who watches over a guest: ends one that has gone silent, and asks QEMU where the CPUs are of one that does not come to an end.

# Seconds before its time is up that it is asked. It is answered at once, or not at all.
ASKED_BEFORE=5

# watch RUN_DIR: until the guest is gone. Reads the options LIMIT and SILENCE (seconds).
watch() {
	local dir=$1 began=$EPOCHSECONDS before=$((LIMIT - ASKED_BEFORE))
	while sleep 1 && [[ -d $dir ]]; do
		if ((EPOCHSECONDS - began >= before)); then
			where_it_is "$dir"
			return
		elif [[ -n $SILENCE && -s $dir/pid ]] && ((EPOCHSECONDS - $(stat -c %Y "$dir/console") > SILENCE)); then
			where_it_is "$dir"
			: >"$dir/silent"
			kill "$(<"$dir/pid")"
			return
		fi
	done
}

# where_it_is RUN_DIR: what QEMU says of the CPUs' registers, into $RUN_DIR/registers. A QEMU that is stuck itself says nothing.
where_it_is() {
	local dir=$1 input
	# For both directions, or else there might be nobody to open it with.
	exec {input}<>"$dir/monitor.in"
	echo 'info registers -a' >&"$input"
	timeout $((ASKED_BEFORE - 1)) cat "$dir/monitor.out" | tr -d '\r' >"$dir/registers" || true
	exec {input}>&-
}

# at_instructions RUN_DIR: each CPU's instruction pointer of them, with the function of $RUN_DIR/System.map that it is in.
at_instructions() {
	local address line
	[[ -s $1/registers ]] || { echo "QEMU itself does not answer"; return; }
	# By their names on x86, arm64, RISC-V and s390.
	grep -oE '^CPU#[0-9]+|\<([RE]IP|PC)=[0-9a-f]+|\<pc +[0-9a-f]+|\<addr [0-9a-f]+|HLT=[01]' "$1/registers" | while read -r line; do
		address=${line##*[= ]}
		[[ $line != CPU* && $line != HLT* ]] || address=''
		echo "$line${address:+ $(function_at "$1/System.map" "$address")}"
	done
}

# function_at SYSTEM_MAP ADDRESS: both have as many digits as the architecture's addresses.
function_at() {
	awk -v at="$2" 'length($1) == length(at) && $1 "" <= at "" { name = $3 } END { print name }' "$1" 2>/dev/null
}
