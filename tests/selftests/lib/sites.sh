# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# All numbers of call sites, as debugfs has them.

SITES=/sys/kernel/debug/alloctag/sites

# The lines without the header.
sites() { tail -n +3 $SITES; }
# NUMBERS: how many columns stand before the call site, in this kernel; of the header's words one is its mark.
NUMBERS=$(($(sed -n 2p $SITES 2>/dev/null | wc -w) - 2))
# without_numbers: the call sites alone.
without_numbers() { sed -E "s/^([-0-9]+ ){$NUMBERS}//"; }
# of COLUMN: a number of the line that makes the inodes of a tmpfs.
of() { sites | awk -v column="$1" '/ mm\/shmem\.c:[0-9]+ func:shmem_alloc_inode$/ {print $column}'; }
# unsound: sites whose numbers cannot be. While others allocate, a line's numbers need not be of one moment, so only what is
# there in every one of some readings is wrong. SWITCHED=1 where the switch was moved: what was counted as a block, was freed
# uncounted and is freed again in parts leaves bytes without a call; see "Toggling" in Documentation/mm/alloctag-design.rst.
unsound() {
	sites | awk -v switched="${SWITCHED:-0}" -v stalls=$((NUMBERS > 8)) '
		$4 - $5 != $3 || $2 < 0 || $2 > $1 || $6 < $1 || $8 > $7 || ($4 == 0 && $7 == 0 && !(stalls && $9)) ||
			(!switched && ($3 == 0) != ($1 == 0)) {
			print
		}' |
		without_numbers | sort -u
}
sound() {
	local rest try
	rest=$(unsound)
	for try in $(seq 50); do
		[[ -n $rest ]] || return 0
		sleep 0.1
		rest=$(comm -12 <(echo "$rest") <(unsound))
	done
	sites | grep -F -- "$rest"
	return 1
}
