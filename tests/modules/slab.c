// SPDX-License-Identifier: GPL-2.0-only
/*
 * Objects of slabs, and what kmalloc() has instead of them.
 */
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "exact.h"

#define SMALL	100
#define GROWN	1000
#define LARGE	(5 * PAGE_SIZE)
#define BULK	16
/* How many of them go first. */
#define BULK_PART	5
#define SIZES	11

struct delayed {
	struct rcu_head rcu;
	char content[SMALL];
};

static void *plain, *zeroed, *array, *on_node, *large, *charged, *nolock, *copy, *variable;
static void *moved, *stayed, *of_cache, *of_charged_cache, *of_rcu_cache;
static void *sizes[SIZES], *bulk[BULK];
static struct delayed *delayed;
static struct kmem_cache *cache, *charged_cache, *rcu_cache;

/* One object on the line of the function that calls. */
#define HELD(object) \
	((object) ? (exact_expect(__func__, exact_size(object), 1), true) : false)

static bool hold_kmalloc(void)
{
	plain = kmalloc(SMALL, GFP_KERNEL);
	return HELD(plain);
}

static bool hold_kzalloc(void)
{
	zeroed = kzalloc(SMALL, GFP_KERNEL);
	return HELD(zeroed);
}

static bool hold_kcalloc(void)
{
	array = kcalloc(7, SMALL, GFP_KERNEL);
	return HELD(array);
}

static bool hold_kmalloc_node(void)
{
	on_node = kmalloc_node(SMALL, GFP_KERNEL, 0);
	return HELD(on_node);
}

/* A size that the compiler cannot know. */
static bool hold_variable_size(void)
{
	size_t size = SMALL;

	OPTIMIZER_HIDE_VAR(size);
	variable = kmalloc(size, GFP_KERNEL);
	return HELD(variable);
}

static bool hold_every_size(void)
{
	s64 bytes = 0;
	int i;

	for (i = 0; i < SIZES; i++) {
		sizes[i] = kmalloc(8 << i, GFP_KERNEL);
		if (!sizes[i])
			return false;
		bytes += exact_size(sizes[i]);
	}
	exact_expect(__func__, bytes, SIZES);
	return true;
}

static bool hold_large_kmalloc(void)
{
	large = kmalloc(LARGE, GFP_KERNEL);
	return HELD(large);
}

static bool hold_charged(void)
{
	charged = kmalloc(SMALL, GFP_KERNEL_ACCOUNT);
	return HELD(charged);
}

static bool hold_kmalloc_nolock(void)
{
	nolock = kmalloc_nolock(SMALL, __GFP_ZERO, NUMA_NO_NODE);
	return HELD(nolock);
}

static bool hold_kmemdup(void)
{
	copy = kmemdup(plain, SMALL, GFP_KERNEL);
	return HELD(copy);
}

static bool hold_delayed(void)
{
	delayed = kmalloc_obj(*delayed);
	return HELD(delayed);
}

static bool hold_moved(void)
{
	moved = kmalloc(SMALL, GFP_KERNEL);
	return HELD(moved);
}

static bool hold_stayed(void)
{
	stayed = kmalloc(SMALL, GFP_KERNEL);
	return HELD(stayed);
}

static bool hold_cache_object(void)
{
	of_cache = kmem_cache_alloc(cache, GFP_KERNEL);
	return HELD(of_cache);
}

static bool hold_charged_cache_object(void)
{
	of_charged_cache = kmem_cache_alloc(charged_cache, GFP_KERNEL);
	return HELD(of_charged_cache);
}

static bool hold_rcu_cache_object(void)
{
	of_rcu_cache = kmem_cache_alloc(rcu_cache, GFP_KERNEL);
	return HELD(of_rcu_cache);
}

static bool hold_bulk(void)
{
	if (!kmem_cache_alloc_bulk(cache, GFP_KERNEL, BULK, bulk))
		return false;
	exact_expect(__func__, BULK * exact_size(bulk[0]), BULK);
	return true;
}

static bool make_caches(void)
{
	cache = kmem_cache_create("alloctag_exact", SMALL, 0, SLAB_NO_MERGE, NULL);
	charged_cache = kmem_cache_create("alloctag_exact_charged", SMALL, 0,
					  SLAB_NO_MERGE | SLAB_ACCOUNT, NULL);
	rcu_cache = kmem_cache_create("alloctag_exact_rcu", SMALL, 0,
				      SLAB_NO_MERGE | SLAB_TYPESAFE_BY_RCU, NULL);
	return cache && charged_cache && rcu_cache;
}

static bool hold(void)
{
	return make_caches() && hold_kmalloc() && hold_kzalloc() && hold_kcalloc() &&
	       hold_kmalloc_node() && hold_variable_size() && hold_every_size() &&
	       hold_large_kmalloc() && hold_charged() && hold_kmalloc_nolock() &&
	       hold_kmemdup() && hold_delayed() && hold_moved() && hold_stayed() &&
	       hold_cache_object() && hold_charged_cache_object() &&
	       hold_rcu_cache_object() && hold_bulk();
}

/* An object that grows out of its size moves to the line of krealloc(). */
static bool change_by_krealloc(void)
{
	void *grown = krealloc(moved, GROWN, GFP_KERNEL);

	if (!grown)
		return false;
	moved = grown;
	exact_expect("hold_moved", 0, 0);
	return HELD(moved);
}

/* One that has room enough stays where it is. */
static bool change_in_place(void)
{
	void *same = krealloc(stayed, SMALL + 4, GFP_KERNEL);

	if (!same)
		return false;
	stayed = same;
	exact_expect(__func__, 0, 0);
	return true;
}

static bool change_bulk(void)
{
	kmem_cache_free_bulk(cache, BULK_PART, bulk);
	memset(bulk, 0, BULK_PART * sizeof(*bulk));
	exact_expect("hold_bulk", (BULK - BULK_PART) * exact_size(bulk[BULK_PART]),
		     BULK - BULK_PART);
	return true;
}

/* It has gone after a grace period, at the latest when some module is unloaded. */
static bool change_delayed(void)
{
	kfree_rcu(delayed, rcu);
	delayed = NULL;
	exact_expect("hold_delayed", 0, 0);
	return true;
}

static bool change(void)
{
	return change_by_krealloc() && change_in_place() && change_bulk() &&
	       change_delayed();
}

static void drop_cache(struct kmem_cache **dropped)
{
	kmem_cache_destroy(*dropped);
	*dropped = NULL;
}

static void drop(void **object)
{
	kfree(*object);
	*object = NULL;
}

static void release(void)
{
	int i;

	for (i = 0; i < SIZES; i++)
		drop(&sizes[i]);
	for (i = 0; i < BULK; i++)
		drop(&bulk[i]);
	if (delayed)
		kfree_rcu(delayed, rcu);
	delayed = NULL;
	drop(&plain);
	drop(&zeroed);
	drop(&array);
	drop(&on_node);
	drop(&variable);
	drop(&large);
	drop(&charged);
	kfree_nolock(nolock);
	nolock = NULL;
	drop(&copy);
	drop(&moved);
	drop(&stayed);
	drop(&of_cache);
	drop(&of_charged_cache);
	drop(&of_rcu_cache);
	drop_cache(&cache);
	drop_cache(&charged_cache);
	drop_cache(&rcu_cache);
}

const struct exact_part slab_part = {
	.hold = hold, .change = change, .release = release,
};
