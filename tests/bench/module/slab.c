// SPDX-License-Identifier: GPL-2.0-only
/* Slab objects: one allocated and freed at a time, from a warm cache. */
#include <linux/slab.h>

#include "bench.h"

#define PAIRS	1000
#define BULK	64

static struct kmem_cache *cache;

static int make_cache(void)
{
	cache = kmem_cache_create("alloctag_bench", 64, 0, SLAB_NO_MERGE, NULL);
	return cache ? 0 : -ENOMEM;
}

/* One without sheaves, so that each allocation is off the fast path. */
static int make_slow_cache(void)
{
	cache = kmem_cache_create("alloctag_bench", 64, 0,
				  SLAB_NO_MERGE | SLAB_CONSISTENCY_CHECKS, NULL);
	return cache ? 0 : -ENOMEM;
}

static void drop_cache(void)
{
	kmem_cache_destroy(cache);
}

/* The size is a constant, as it is at most call sites. */
#define KMALLOC(size)						\
static bool run_##size(unsigned int count)			\
{								\
	void *p;						\
								\
	return LOOP(count, p = kmalloc(size, GFP_BENCH), kfree(p));	\
}

KMALLOC(8)
KMALLOC(16)
KMALLOC(32)
KMALLOC(64)
KMALLOC(96)
KMALLOC(128)
KMALLOC(192)
KMALLOC(256)
KMALLOC(512)
KMALLOC(1024)
KMALLOC(2048)
KMALLOC(4096)
KMALLOC(8192)

static bool run_variable(unsigned int count)
{
	size_t size = 64;
	void *p;

	OPTIMIZER_HIDE_VAR(size);
	return LOOP(count, p = kmalloc(size, GFP_BENCH), kfree(p));
}

static bool run_cache(unsigned int count)
{
	void *p;

	return LOOP(count, p = kmem_cache_alloc(cache, GFP_BENCH), kmem_cache_free(cache, p));
}

static bool run_bulk(unsigned int count)
{
	static void *objects[BULK];

	return LOOP(count / BULK, kmem_cache_alloc_bulk(cache, GFP_BENCH, BULK, objects),
		    kmem_cache_free_bulk(cache, BULK, objects));
}

const struct bench_op slab_ops[] = {
	{ .name = "kmalloc-8", .count = PAIRS, .run = run_8 },
	{ .name = "kmalloc-16", .count = PAIRS, .run = run_16 },
	{ .name = "kmalloc-32", .count = PAIRS, .run = run_32 },
	{ .name = "kmalloc-64", .count = PAIRS, .run = run_64 },
	{ .name = "kmalloc-96", .count = PAIRS, .run = run_96 },
	{ .name = "kmalloc-128", .count = PAIRS, .run = run_128 },
	{ .name = "kmalloc-192", .count = PAIRS, .run = run_192 },
	{ .name = "kmalloc-256", .count = PAIRS, .run = run_256 },
	{ .name = "kmalloc-512", .count = PAIRS, .run = run_512 },
	{ .name = "kmalloc-1024", .count = PAIRS, .run = run_1024 },
	{ .name = "kmalloc-2048", .count = PAIRS, .run = run_2048 },
	{ .name = "kmalloc-4096", .count = PAIRS, .run = run_4096 },
	{ .name = "kmalloc-8192", .count = PAIRS, .run = run_8192 },
	{ .name = "kmalloc-variable-64", .count = PAIRS, .run = run_variable },
	{ .name = "cache-64", .count = PAIRS,
	  .setup = make_cache, .run = run_cache, .teardown = drop_cache },
	{ .name = "stall", .count = PAIRS,
	  .setup = make_slow_cache, .run = run_cache, .teardown = drop_cache },
	{ .name = "cache-bulk-64", .count = 16 * BULK, .each = BULK,
	  .setup = make_cache, .run = run_bulk, .teardown = drop_cache },
	{ }
};
