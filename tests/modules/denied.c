// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_denied: tries to allocate in the way that is written to
 * /sys/module/alloctag_denied/parameters/attempt, while the writer is one whose
 * allocations fail. What it is given goes back at once, but for what is to be
 * lost; "given" says whether there was something.
 */
#include <linux/gfp.h>
#include <linux/irq_work.h>
#include <linux/mempool.h>
#include <linux/module.h>
#include <linux/rhashtable.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>

#define OBJECT		1024
#define BULK		8
#define MANY		8192
/* Of a hash table that is allocated in one piece of several pages. */
#define BUCKETS		2048
/* More than it lets wait in one bucket (RHT_ELASTICITY), and fewer than two tables do. */
#define COLLIDING	20
/* Of kmalloc's largest cache; kvmalloc() has another way, krealloc() has not. */
#define LARGEST		KMALLOC_MAX_CACHE_SIZE

static struct kmem_cache *cache;
static mempool_t *pool;
static bool given;
module_param(given, bool, 0400);
MODULE_PARM_DESC(given, "whether the last attempt was given something");

static noinline bool attempt_object(void)
{
	void *object = kmem_cache_alloc(cache, GFP_KERNEL);

	if (object)
		kmem_cache_free(cache, object);
	return object;
}

static noinline bool attempt_bulk(void)
{
	void *objects[BULK];
	bool all = kmem_cache_alloc_bulk(cache, GFP_KERNEL, BULK, objects);

	if (all)
		kmem_cache_free_bulk(cache, BULK, objects);
	return all;
}

static noinline bool attempt_resize(void)
{
	void *object = kmalloc(OBJECT, GFP_KERNEL);
	void *resized = object ? krealloc(object, LARGEST, GFP_KERNEL) : NULL;

	kfree(resized ?: object);
	return resized;
}

static noinline bool attempt_either(void)
{
	void *either = kvmalloc(LARGEST, GFP_KERNEL);

	kvfree(either);
	return either;
}

static noinline bool attempt_reserve(void)
{
	void *element = mempool_alloc(pool, GFP_NOWAIT);

	if (element)
		mempool_free(element, pool);
	return element;
}

static noinline bool attempt_pages(void)
{
	struct page *pages = alloc_pages(GFP_KERNEL, 1);

	if (pages)
		__free_pages(pages, 1);
	return pages;
}

/* Of pages, and once they are there kmemleak has an object of its own. */
static noinline bool attempt_large(void)
{
	void *object = kmalloc(2 * LARGEST, GFP_KERNEL);

	kfree(object);
	return object;
}

static noinline bool attempt_batch(void)
{
	struct page *pages[BULK] = { };
	unsigned long some = alloc_pages_bulk(GFP_KERNEL, BULK, pages);

	for (int i = 0; i < BULK && pages[i]; i++)
		__free_page(pages[i]);
	return some;
}

/* The first object of a cache, whose slab may be of a lower order. */
static noinline bool attempt_slab(void)
{
	struct kmem_cache *fresh;
	void *object;

	fresh = kmem_cache_create("alloctag_denied_slab", OBJECT, 0, SLAB_NO_MERGE, NULL);
	if (!fresh)
		return false;
	object = kmem_cache_alloc(fresh, GFP_KERNEL);
	if (object)
		kmem_cache_free(fresh, object);
	kmem_cache_destroy(fresh);
	return object;
}

/* More of kmalloc() than the sheaves hold that there are, each of which has the next. */
static noinline bool attempt_many(void)
{
	void **objects = NULL, **object;
	int had;

	for (had = 0; had < MANY; had++) {
		object = kmalloc_obj(*object);
		if (!object)
			break;
		*object = objects;
		objects = object;
	}
	while (objects) {
		object = objects;
		objects = *object;
		kfree(object);
	}
	return had == MANY;
}

/* Some, one of which may still be pointed to by what is left on a stack. */
static noinline bool attempt_lost(void)
{
	int lost = 0;

	while (lost < BULK && kmalloc(OBJECT, GFP_KERNEL))
		lost++;
	return lost == BULK;
}

static u32 hash_alike(const void *key, u32 length, u32 seed)
{
	return 0;
}

/* A hash table that is to be made anew by who may not sleep, for all is in one bucket. */
static noinline bool attempt_table(void)
{
	static const struct rhashtable_params params = {
		.key_len = sizeof(long),
		.key_offset = sizeof(struct rhash_head),
		.nelem_hint = BUCKETS * 3 / 4,
		.hashfn = hash_alike,
	};
	static struct node {
		struct rhash_head head;
		long key;
	} nodes[COLLIDING];
	static struct rhashtable table;
	int has = 0;

	if (rhashtable_init(&table, &params))
		return false;
	for (; has < COLLIDING; has++) {
		nodes[has].key = has;
		if (rhashtable_insert_fast(&table, &nodes[has].head, params))
			break;
	}
	rhashtable_destroy(&table);
	return has == COLLIDING;
}

#if defined(CONFIG_SMP) && defined(CONFIG_TRACEPOINTS)
static struct task_struct *asking;
static void **taken;

static noinline bool attempt_nolock(void)
{
	void **object = kmalloc_nolock(LARGEST, 0, NUMA_NO_NODE);

	if (!object)
		return false;
	*object = taken;
	taken = object;
	return true;
}

/* Called with the locks of a zone and of this CPU's pages: until no other zone has any. */
static void take_all(void *data, struct page *page, unsigned int order,
		     int migratetype, int refill)
{
	int had = 0;

	if (current != asking || !in_task())
		return;
	asking = NULL;
	while (had < MANY && attempt_nolock())
		had++;
}

static void find_locked(struct tracepoint *tracepoint, void *found)
{
	if (!strcmp(tracepoint->name, "mm_page_alloc_zone_locked"))
		*(struct tracepoint **)found = tracepoint;
}

/* Objects of the largest cache, after which there is none, where no lock can be had. */
static bool attempt_locked(void)
{
	struct tracepoint *locked = NULL;
	LIST_HEAD(pages);
	struct page *page, *next;

	for_each_kernel_tracepoint(find_locked, &locked);
	if (!locked || tracepoint_probe_register(locked, take_all, NULL))
		return false;
	asking = current;
	/* A CPU's pages come to an end, and more are taken from the zone. */
	for (int had = 0; had < MANY && READ_ONCE(asking); had++) {
		page = alloc_page(GFP_KERNEL);
		if (!page)
			break;
		list_add(&page->lru, &pages);
	}
	tracepoint_probe_unregister(locked, take_all, NULL);
	tracepoint_synchronize_unregister();
	list_for_each_entry_safe(page, next, &pages, lru)
		__free_page(page);
	while (taken) {
		void **object = taken;

		taken = *object;
		kfree(object);
	}
	return !asking;
}
#else
static bool attempt_locked(void) { return false; }
#endif

#ifdef CONFIG_IRQ_WORK
static void *interrupting;

/* With PREEMPT_RT, it may not even try. */
static noinline void attempt_interrupt(struct irq_work *work)
{
	interrupting = kmalloc_nolock(OBJECT, 0, NUMA_NO_NODE);
}

static bool attempt_interrupting(void)
{
	struct irq_work work = IRQ_WORK_INIT_HARD(attempt_interrupt);

	if (!irq_work_queue(&work))
		return false;
	irq_work_sync(&work);
	kfree(interrupting);
	return interrupting;
}
#else
static bool attempt_interrupting(void) { return false; }
#endif

static const struct {
	const char *name;
	bool (*attempt)(void);
} kinds[] = {
	{ "object", attempt_object },
	{ "bulk", attempt_bulk },
	{ "resize", attempt_resize },
	{ "either", attempt_either },
	{ "reserve", attempt_reserve },
	{ "pages", attempt_pages },
	{ "large", attempt_large },
	{ "batch", attempt_batch },
	{ "slab", attempt_slab },
	{ "many", attempt_many },
	{ "table", attempt_table },
	{ "lost", attempt_lost },
	{ "locked", attempt_locked },
	{ "interrupt", attempt_interrupting },
};

static int set_attempt(const char *value, const struct kernel_param *parameter)
{
	for (int i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!sysfs_streq(value, kinds[i].name))
			continue;
		given = kinds[i].attempt();
		return 0;
	}
	return -EINVAL;
}

static const struct kernel_param_ops attempt_ops = { .set = set_attempt };
module_param_cb(attempt, &attempt_ops, NULL, 0200);
MODULE_PARM_DESC(attempt, "the way to allocate");

static int __init denied_init(void)
{
	cache = kmem_cache_create("alloctag_denied", OBJECT, 0, SLAB_NO_MERGE, NULL);
	if (!cache)
		return -ENOMEM;
	pool = mempool_create_slab_pool(1, cache);
	if (pool)
		return 0;
	kmem_cache_destroy(cache);
	return -ENOMEM;
}

static void __exit denied_exit(void)
{
	mempool_destroy(pool);
	kmem_cache_destroy(cache);
}

module_init(denied_init);
module_exit(denied_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Allocations that may be denied");
