// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_timely: what is written to /sys/module/alloctag_timely/parameters/run
 * is done: calls of allocators of which it is known how long they take, because an
 * object's constructor does, and objects of which it is known how long they live.
 * "took" says how many nanoseconds that was for the last, at least and at most.
 */
#include <linux/gfp.h>
#include <linux/mempool.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched/clock.h>
#include <linux/slab.h>
#include <linux/time64.h>
#include <linux/vmalloc.h>

#define A_WHILE		(3 * NSEC_PER_MSEC)
#define OBJECT		256
#define MANY		1000
#define KEPT		40

/* Whether the next object takes its time; a slab has many. */
static bool is_slow;

/* What it took at least, and at most. */
static u64 least, most;

static struct kmem_cache *cache;
static void *kept[KEPT];

static void spend(u64 ns)
{
	u64 begin = local_clock(), now;

	do {
		now = local_clock();
	} while (now - begin < ns);
	least = now - begin;
}

static void construct(void *object)
{
	if (xchg(&is_slow, false))
		spend(A_WHILE);
}

/* Evaluates a call that takes that long at most. */
#define TIMED(_call)							\
({									\
	u64 begin = local_clock();					\
	typeof(_call) result;						\
									\
	least = 0;							\
	result = _call;							\
	most = local_clock() - begin;					\
	result;								\
})

/* One object, for which a slab is made. */
static noinline void call_slab(void)
{
	is_slow = true;
	kmem_cache_free(cache, TIMED(kmem_cache_alloc(cache, GFP_KERNEL)));
}

/* Some at once, which is one call. */
static noinline void call_bulk(void)
{
	void *objects[8];

	is_slow = true;
	if (TIMED(kmem_cache_alloc_bulk(cache, GFP_KERNEL, ARRAY_SIZE(objects), objects)))
		kmem_cache_free_bulk(cache, ARRAY_SIZE(objects), objects);
}

/* Of pages. */
static noinline void call_large(void)
{
	kfree(TIMED(kmalloc(KMALLOC_MAX_CACHE_SIZE * 2, GFP_KERNEL)));
}

/* No cache has so much, so that it is an area after an attempt. */
static noinline void call_kvmalloc(void)
{
	kvfree(TIMED(kvmalloc(KMALLOC_MAX_SIZE * 2, GFP_KERNEL)));
}

static noinline void call_vmalloc(void)
{
	vfree(TIMED(vmalloc(64 * PAGE_SIZE)));
}

static noinline void call_percpu(void)
{
	free_percpu(TIMED(__alloc_percpu(OBJECT, 8)));
}

static noinline void call_pages(void)
{
	struct page *page = TIMED(alloc_pages(GFP_KERNEL, 2));

	/* A rule may have it fail. */
	if (page)
		__free_pages(page, 2);
}

static noinline void *call_pool(mempool_t *pool)
{
	return TIMED(mempool_alloc(pool, GFP_KERNEL));
}

/* mempool_alloc_slab() has no cache with a constructor. */
static void *draw(gfp_t flags, void *cache)
{
	return kmem_cache_alloc_noprof(cache, flags);
}

static void put(void *element, void *cache)
{
	kmem_cache_free(cache, element);
}

static void run_pool(void)
{
	mempool_t *pool = mempool_create(1, draw, put, cache);

	if (!pool)
		return;
	mempool_free(call_pool(pool), pool);
	mempool_destroy(pool);
}

static noinline void call_fast(void)
{
	int i;

	for (i = 0; i < MANY; i++)
		kfree(kmalloc(64, GFP_KERNEL));
}

/* More than there is, from an allocator that says so. */
static noinline void call_failing(void)
{
	unsigned long size = totalram_pages() * PAGE_SIZE * 2;

	vfree(TIMED(__vmalloc(size, GFP_KERNEL | __GFP_NOWARN)));
}

/* Lets what was allocated live for a while. */
static void live(void)
{
	spend(A_WHILE);
}

/* That began at most so long ago, and is over. */
static void died(u64 begin)
{
	most = local_clock() - begin;
}

static noinline void live_object(void)
{
	u64 begin = local_clock();
	void *object = kmalloc(64, GFP_KERNEL);

	live();
	kfree(object);
	died(begin);
}

/* It stays where it is. */
static noinline void live_grown(void)
{
	u64 begin = local_clock();
	void *object = kmalloc(40, GFP_KERNEL), *grown;

	live();
	grown = krealloc(object, 60, GFP_KERNEL);
	kfree(grown ?: object);
	died(begin);
}

/* More than the first chunk has, whose areas are not counted. */
static noinline void live_area(void)
{
	u64 begin = local_clock();
	void __percpu *area = __alloc_percpu(PCPU_MIN_UNIT_SIZE, 8);

	live();
	free_percpu(area);
	died(begin);
}

static noinline void live_pages(void)
{
	u64 begin = local_clock();
	struct page *page = alloc_pages(GFP_KERNEL, 2);

	live();
	if (page)
		__free_pages(page, 2);
	died(begin);
}

/* Each page is by itself then; the first is freed last. */
static noinline void live_split(void)
{
	u64 begin = local_clock();
	struct page *page = alloc_pages(GFP_KERNEL, 2);
	int i;

	live();
	if (page) {
		split_page(page, 2);
		for (i = 3; i >= 0; i--)
			__free_page(page + i);
	}
	died(begin);
}

/* All but the first page go, and that lives on for a while. */
static noinline void live_head(void)
{
	u64 begin = local_clock();
	struct page *page = alloc_pages(GFP_KERNEL, 2);

	if (page) {
		get_page(page);
		__free_pages(page, 2);
	}
	live();
	if (page)
		put_page(page);
	died(begin);
}

static noinline void live_many(void)
{
	static void *objects[MANY];
	size_t i;

	for (i = 0; i < MANY; i++)
		objects[i] = kmalloc(OBJECT, GFP_KERNEL | __GFP_NOFAIL);
	kfree_bulk(MANY, objects);
}

/* Objects that live until they are dropped. */
static noinline void keep(void)
{
	size_t i;

	for (i = 0; i < KEPT; i++)
		if (!kept[i])
			kept[i] = kmalloc(OBJECT, GFP_KERNEL);
}

static noinline void drop(void)
{
	size_t i;

	for (i = 0; i < KEPT; i++) {
		kfree(kept[i]);
		kept[i] = NULL;
	}
}

static int set_run(const char *value, const struct kernel_param *param)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} runs[] = {
		{ "slab", call_slab },		{ "bulk", call_bulk },
		{ "large", call_large },
		{ "kvmalloc", call_kvmalloc },	{ "vmalloc", call_vmalloc },
		{ "percpu", call_percpu },	{ "pages", call_pages },
		{ "pool", run_pool },		{ "fast", call_fast },
		{ "failing", call_failing },	{ "object", live_object },
		{ "grown", live_grown },	{ "area", live_area },
		{ "order", live_pages },	{ "split", live_split },
		{ "head", live_head },		{ "many", live_many },
		{ "keep", keep },		{ "drop", drop },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(runs); i++) {
		if (!sysfs_streq(value, runs[i].name))
			continue;
		/* With no slab of its own. */
		cache = kmem_cache_create("alloctag_timely", OBJECT, 0,
					  SLAB_NO_MERGE, construct);
		if (!cache)
			return -ENOMEM;
		runs[i].run();
		kmem_cache_destroy(cache);
		return 0;
	}
	return -EINVAL;
}

static const struct kernel_param_ops run_ops = {
	.set = set_run,
};
module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "what to run");

static int get_took(char *buffer, const struct kernel_param *param)
{
	return sysfs_emit(buffer, "%llu %llu\n", least, most);
}

static const struct kernel_param_ops took_ops = {
	.get = get_took,
};
module_param_cb(took, &took_ops, NULL, 0400);
MODULE_PARM_DESC(took, "how long the last took, at least and at most");

static int __init timely_init(void)
{
	return 0;
}
module_init(timely_init);

static void __exit timely_exit(void)
{
	drop();
}
module_exit(timely_exit);

MODULE_DESCRIPTION("Calls that take, and objects that live, for a known time");
MODULE_LICENSE("GPL");
