#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --append fail_alloctag=3,50,0,7
# What the parameter at boot says of when call sites fail is what fail_alloctag has.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

ATTRIBUTE=/sys/kernel/debug/fail_alloctag

if ! has CONFIG_ALLOCTAG_FAULTS; then
	skip "call sites fail as the parameter at boot says" "this kernel has none fail"
	finish
fi
[[ -d $ATTRIBUTE ]] || mount -t debugfs none /sys/kernel/debug
while read -r name value; do
	expect "$name is as it was given" equal "$(cat $ATTRIBUTE/"$name")" "$value"
done <<'END'
interval 3
probability 50
space 0
times 7
END
finish
