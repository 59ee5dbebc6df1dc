# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Folios of a tmpfs and what is on their row. Needs allocinfo.sh and a `quiesce` before the first look.

MIB=$((1024 * 1024))

shmem() { bytes mm/shmem.c shmem_alloc_folio; }
# mounted NAME OPTIONS: a tmpfs of its own.
mounted() { mkdir -p "/tmp/$1" && mount -t tmpfs -o "$2" tmpfs "/tmp/$1"; }
fill() { dd if=/dev/zero of="$1" bs=1M count="$2" status=none; }
# held: what is on the row beyond $start.
held() { echo $(($(shmem) - ${start:?})); }
