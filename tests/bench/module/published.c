// SPDX-License-Identifier: GPL-2.0-only
/*
 * The method by which the C core's authors published its cost (cover letters of "Memory allocation
 * profiling", v3 to v6, 2024): kmalloc and kfree in sizes growing from 8 to 240 bytes, and
 * get_free_page and free_page. Their step is not known; here it is 8.
 */
#include <linux/slab.h>

#include "bench.h"

#define STEP	8
#define LAST	240
#define SIZES	(LAST / STEP)

static bool run_kmalloc(unsigned int count)
{
	size_t size = 0;
	void *p;

	return LOOP(count, ({
		size = size == LAST ? STEP : size + STEP;
		p = kmalloc(size, GFP_KERNEL);
	}), kfree(p));
}

static bool run_page(unsigned int count)
{
	unsigned long p;

	return LOOP(count, p = __get_free_page(GFP_KERNEL), free_page(p));
}

const struct bench_op published_ops[] = {
	{ .name = "published-kmalloc", .count = 40 * SIZES, .sleeps = true, .run = run_kmalloc },
	{ .name = "published-page", .count = 1000, .sleeps = true, .run = run_page },
	{ }
};
