// SPDX-License-Identifier: GPL-2.0-only
/*
 * What allocates on behalf of its owner: pools, tables, rings, work queues. What
 * they take is on the line where they were made, also what they take later.
 */
#include <linux/mempool.h>
#include <linux/ptr_ring.h>
#include <linux/rhashtable.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "exact.h"

#define ELEMENTS	8
#define ELEMENT		100
#define NODES		1000
#define RING		100
#define LONGER		700

struct node {
	u32 key;
	struct rhash_head head;
};

static const struct rhashtable_params params = {
	.key_len = sizeof_field(struct node, key),
	.key_offset = offsetof(struct node, key),
	.head_offset = offsetof(struct node, head),
};

static mempool_t *pool, own_pool;
static void *taken;
static struct rhashtable table;
static struct node *nodes;
static struct ptr_ring ring;
static struct workqueue_struct *queue;
static bool have_own_pool, have_table, have_ring;

static bool hold_mempool(void)
{
	pool = mempool_create_kmalloc_pool(ELEMENTS, ELEMENT);
	if (!pool)
		return false;
	exact_expect(__func__, exact_size(pool) + ELEMENTS * exact_size(pool->elements[0]),
		     1 + ELEMENTS);
	return true;
}

static bool hold_own_mempool(void)
{
	have_own_pool = !mempool_init_kmalloc_pool(&own_pool, ELEMENTS, ELEMENT);
	if (!have_own_pool)
		return false;
	exact_expect(__func__, ELEMENTS * exact_size(own_pool.elements[0]), ELEMENTS);
	return true;
}

static bool hold_rhashtable(void)
{
	have_table = !rhashtable_init(&table, &params);
	if (!have_table)
		return false;
	exact_expect(__func__, exact_size(rcu_access_pointer(table.tbl)), 1);
	return true;
}

static bool hold_ptr_ring(void)
{
	have_ring = !ptr_ring_init(&ring, RING, GFP_KERNEL);
	if (!have_ring)
		return false;
	exact_expect(__func__, exact_size(ring.queue), 1);
	return true;
}

static bool hold_workqueue(void)
{
	queue = alloc_workqueue("alloctag_exact", WQ_UNBOUND, 0);
	if (!queue)
		return false;
	exact_expect(__func__, EXACT_UNKNOWN, 1);
	return true;
}

static bool hold(void)
{
	return hold_mempool() && hold_own_mempool() && hold_rhashtable() &&
	       hold_ptr_ring() && hold_workqueue();
}

/* While there is memory, an element is a new one. */
static bool change_mempool(void)
{
	taken = mempool_alloc(pool, GFP_KERNEL);
	if (!taken)
		return false;
	exact_expect(__func__, exact_size(taken), 1);
	return true;
}

/* The table grows by a worker of its own, after the last node as well. */
static bool change_rhashtable(void)
{
	struct bucket_table *tbl;
	bool growing;
	u32 key;

	nodes = kvcalloc(NODES, sizeof(*nodes), GFP_KERNEL);
	if (!nodes)
		return false;
	for (key = 0; key < NODES; key++) {
		nodes[key].key = key;
		if (rhashtable_insert_fast(&table, &nodes[key].head, params))
			return false;
	}
	do {
		flush_work(&table.run_work);
		rcu_read_lock();
		tbl = rcu_dereference(table.tbl);
		growing = rcu_access_pointer(tbl->future_tbl) ||
			  rht_grow_above_75(&table, tbl);
		rcu_read_unlock();
		cond_resched();
	} while (growing);
	/* The tables that it has outgrown go after a grace period. */
	rcu_barrier();
	exact_expect("hold_rhashtable", exact_size(tbl), 1);
	return true;
}

static bool change_ptr_ring(void)
{
	if (ptr_ring_resize(&ring, LONGER, GFP_KERNEL, NULL))
		return false;
	exact_expect("hold_ptr_ring", 0, 0);
	exact_expect(__func__, exact_size(ring.queue), 1);
	return true;
}

static bool change(void)
{
	return change_mempool() && change_rhashtable() && change_ptr_ring();
}

static void release(void)
{
	if (taken)
		mempool_free(taken, pool);
	mempool_destroy(pool);
	if (have_own_pool)
		mempool_exit(&own_pool);
	if (have_table)
		rhashtable_destroy(&table);
	kvfree(nodes);
	if (have_ring)
		ptr_ring_cleanup(&ring, NULL);
	if (queue)
		destroy_workqueue(queue);
	taken = NULL;
	pool = NULL;
	nodes = NULL;
	queue = NULL;
	have_own_pool = false;
	have_table = false;
	have_ring = false;
}

const struct exact_part container_part = {
	.hold = hold, .change = change, .release = release,
};
