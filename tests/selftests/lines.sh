#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --tests --mem 512M
# Rust code: a module that allocates known amounts on known lines, which its source states.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

MODULE=alloctag_lines
SOURCE=/tests/modules/$MODULE.rs
HELPERS='rust/helpers/(slab|vmalloc|page)\.c:'

# slab_sizes: "CLASS BYTES" of every size class: what an object takes, which debugging may make more than the class.
slab_sizes() {
	local cache class
	for cache in /sys/kernel/slab/kmalloc-*; do
		class=${cache##*/kmalloc-}
		[[ $class =~ ^[0-9]+k?$ ]] && echo "${class/k/ * 1024}" "$(cat "$cache/slab_size")"
	done | awk '{print NF == 2 ? $1 : $1 * $3, $NF}'
}
# stated [PATTERN]: "BYTES CALLS LINE func:FUNCTION" of every row that the source speaks of, on lines of that pattern.
stated() {
	awk -v pattern="${1:-.}" -v page="$PAGE" '
		NR == FNR {bytes[$1] = $2; next}
		/ row: / && $0 ~ pattern && $(NF - 1) != "none" {
			calls = 0
			total = 0
			n = split($(NF - 1), sizes, "+")
			for (i = 1; i <= n; i++) {
				size = sizes[i] + 0
				calls++
				if (sizes[i] ~ /p$/) {
					total += size * page
				} else if (sizes[i] ~ /v$/) {
					pages = int((size + page - 1) / page)
					total += pages * page + bytes[pages * 8]
					calls += pages
				} else {
					total += bytes[size]
				}
			}
			print total, calls, FNR, "func:" $NF
		}' <(slab_sizes) "$SOURCE" | sort
}
# shown: the same from the kernel.
shown() { rows | awk -v name="[$MODULE]" '$4 == name && $2 {sub(/.*:/, "", $3); print $1, $2, $3, $5}' | sort; }
same() { diff <(stated) <(shown); }
rows_of_it() { grep -cF "[$MODULE]" "$ALLOCINFO"; }
helpers() { rows | awk -v names="^$HELPERS" '$3 ~ names {bytes += $1; calls += $2} END {print bytes + 0, calls + 0}'; }
opened() { insmod "/tests/modules/$MODULE.ko" && exec 5<"/dev/${MODULE/_/-}"; }
closed() { exec 5<&-; rmmod $MODULE; }

if is_other_core || ! has_modules; then
	skip "Rust code has lines of its own" "not with this core, or without modules"
	finish
fi
if ! has CONFIG_ALLOCTAG_RUST_CALLERS; then
	# Only what alloc_hooks! covers has a line, and the helpers have the rest.
	same() { diff <(stated 'alloc_hooks!') <(shown); }
	total() { diff <(stated) <(stated 'alloc_hooks!') | awk '/^</ {bytes += $2; calls += $3} END {print bytes, calls}'; }
fi

opened
expect "a module of Rust code loads and opens its device" test -e /dev/fd/5
expect "every row is exact to the byte, and named after its function" same
if has CONFIG_ALLOCTAG_RUST_CALLERS; then
	expect "nothing is left on the lines of rust/helpers" equal "$(helpers)" "0 0"
else
	expect "all else is on the lines of rust/helpers" equal "$(helpers)" "$(total)"
fi
exec 5<&-
expect "closed, it has nothing left" settles "" shown
exec 5<"/dev/${MODULE/_/-}"
expect "opened again, its rows are the same" same
closed
expect "unloaded, it has no row" settles 0 rows_of_it
opened
expect "loaded again, its rows are the same" same
closed
expect "and it leaves nothing" settles 0 rows_of_it
finish
