#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --mem 1G
# Page-cache pages of a tmpfs stay counted to the byte while folios are merged, moved, split and swapped.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/folios.sh"

quiesce
start=$(shmem)
hold_small
hold_huge
finish
