// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that is contiguous by its mapping only. It sleeps, and it takes a page for every 4 KiB.
 * Addresses that were freed are kept until there are many; they are given back before each run, so
 * that all runs are at the same place.
 */
#include <linux/vmalloc.h>

#include "bench.h"

#define PAIRS	16

#define VMALLOC(pages)							\
static bool run_##pages(unsigned int count)				\
{									\
	void *p;							\
									\
	vm_unmap_aliases();						\
	return LOOP(count, p = vmalloc((pages) * PAGE_SIZE), vfree(p));	\
}

VMALLOC(1)
VMALLOC(8)

const struct bench_op vmalloc_ops[] = {
	{ .name = "vmalloc-1", .count = PAIRS, .sleeps = true, .run = run_1 },
	{ .name = "vmalloc-8", .count = PAIRS, .sleeps = true, .run = run_8 },
	{ }
};
