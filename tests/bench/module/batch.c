// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many objects alive at once: allocating them all, then freeing them all. Unlike a pair, that makes
 * slabs and gives them back, moves objects between a CPU's cache and the slabs, and frees objects
 * whose neighbours nobody has touched of late.
 */
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "bench.h"

#define OBJECTS	10000

/* One of their own, so that nothing else that lives in the guest moves the figures. */
static struct kmem_cache *cache;

static void **objects;
/* A permutation of the objects. */
static unsigned int *order;

/* A linear congruential generator, so that the order is the same in every run. */
static unsigned int draw(unsigned int below)
{
	static u32 state = 1;

	state = state * 1664525 + 1013904223;
	return (state >> 8) % below;
}

static int setup_in_order(void)
{
	unsigned int i;

	cache = kmem_cache_create("alloctag_bench", 64, 0, SLAB_NO_MERGE, NULL);
	objects = vcalloc(OBJECTS, sizeof(*objects));
	order = vcalloc(OBJECTS, sizeof(*order));
	if (!cache || !objects || !order)
		return -ENOMEM;
	for (i = 0; i < OBJECTS; i++)
		order[i] = i;
	return 0;
}

static int setup_shuffled(void)
{
	unsigned int i, other;
	int err = setup_in_order();

	if (err)
		return err;
	for (i = OBJECTS - 1; i > 0; i--) {
		other = draw(i + 1);
		swap(order[i], order[other]);
	}
	return 0;
}

static void teardown(void)
{
	vfree(objects);
	vfree(order);
	kmem_cache_destroy(cache);
}

static bool allocate(unsigned int count)
{
	unsigned int next = 0;
	void *p;

	return LOOP(count, p = kmem_cache_alloc(cache, GFP_BENCH), objects[next++] = p);
}

static bool release(unsigned int count)
{
	unsigned int next = 0;
	void *p;

	return LOOP(count, p = objects[order[next++]], kmem_cache_free(cache, p));
}

static bool run_allocate(unsigned int count)
{
	unsigned int i;
	bool done = allocate(count);

	for (i = 0; i < count; i++)
		kmem_cache_free(cache, objects[order[i]]);
	return done;
}

static bool run_release(unsigned int count)
{
	return allocate(count) && release(count);
}

static bool allocate_pages(unsigned int count)
{
	unsigned int next = 0;
	struct page *p;

	return LOOP(count, p = alloc_page(GFP_BENCH), objects[next++] = p);
}

static bool release_pages_one_by_one(unsigned int count)
{
	unsigned int next = 0;
	struct page *p;

	return LOOP(count, p = objects[order[next++]], __free_page(p));
}

static bool run_allocate_pages(unsigned int count)
{
	unsigned int i;
	bool done = allocate_pages(count);

	for (i = 0; i < count; i++)
		__free_page(objects[i]);
	return done;
}

static bool run_release_pages(unsigned int count)
{
	return allocate_pages(count) && release_pages_one_by_one(count);
}

#define BATCH(key, prepare, function) \
	{ .name = key, .count = OBJECTS, .setup = prepare, .run = function, .teardown = teardown }

const struct bench_op batch_ops[] = {
	BATCH("batch-64-alloc", setup_in_order, run_allocate),
	BATCH("batch-64-free", setup_in_order, run_release),
	BATCH("batch-64-free-shuffled", setup_shuffled, run_release),
	BATCH("batch-page-0-alloc", setup_in_order, run_allocate_pages),
	BATCH("batch-page-0-free", setup_in_order, run_release_pages),
	BATCH("batch-page-0-free-shuffled", setup_shuffled, run_release_pages),
	{ }
};
