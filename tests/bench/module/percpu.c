// SPDX-License-Identifier: GPL-2.0-only
/*
 * Per-CPU areas. What a small one costs depends on where in a bitmap the search for room ends, and
 * that on all that was allocated before. So these are large, and begin and end where a block of the
 * bitmap does: no bit of any block is looked at. What profiling adds is the same for every size.
 */
#include <linux/mm.h>
#include <linux/percpu.h>

#include "bench.h"

#define PAIRS	32
#define SIZE	(4 * PAGE_SIZE)

static bool run_percpu(unsigned int count)
{
	void __percpu *p;

	return LOOP(count, p = __alloc_percpu(SIZE, PAGE_SIZE), free_percpu(p));
}

const struct bench_op percpu_ops[] = {
	{ .name = "percpu-16384", .count = PAIRS, .sleeps = true, .run = run_percpu },
	{ }
};
