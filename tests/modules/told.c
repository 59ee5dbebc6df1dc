// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_told: what is written to its parameter "tell" is allocated and freed in
 * that way, in functions that events can name; "keep" and "drop" are an object whose
 * free comes later, perhaps on another CPU.
 */
#include <linux/cleanup.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#define OBJECT	200
#define ROW	8
/* Of objects that a guest has no room for. */
#define LARGE	SZ_1M
/* The largest per-CPU area that there is, and more of them than the first chunk has room for. */
#define AREA	SZ_32K
#define FILLERS	12
#define MANY	8192

static DEFINE_MUTEX(lock);
static struct kmem_cache *cache, *large_cache;
static void *kept;
static void __percpu *fillers[FILLERS];

static noinline bool tell_object(void)
{
	void *object = kmalloc(OBJECT, GFP_KERNEL);

	kfree(object);
	return object;
}

static noinline void *give_moved(void)
{
	return kmalloc(OBJECT, GFP_KERNEL);
}

/* The allocator's own way of freeing, for somebody else. */
static noinline bool tell_moved(void)
{
	void *object = give_moved();
	void *moved = krealloc(object, 4 * OBJECT, GFP_KERNEL);

	kfree(moved ?: object);
	return moved;
}

static noinline bool tell_row(void)
{
	void *row[ROW];

	if (!kmem_cache_alloc_bulk(cache, GFP_KERNEL, ROW, row))
		return false;
	kmem_cache_free_bulk(cache, ROW, row);
	return true;
}

static noinline bool tell_pages(void)
{
	struct page *pages = alloc_pages(GFP_KERNEL, 2);

	if (!pages)
		return false;
	__free_pages(pages, 2);
	return true;
}

/* One allocation, and a free for each of its parts. */
static noinline bool tell_parts(void)
{
	struct page *pages = alloc_pages(GFP_KERNEL, 2);

	if (!pages)
		return false;
	split_page(pages, 2);
	for (int i = 0; i < 4; i++)
		__free_page(pages + i);
	return true;
}

/* The first page stays a moment longer than the others. */
static noinline bool tell_tail(void)
{
	struct page *pages = alloc_pages(GFP_KERNEL, 2);

	if (!pages)
		return false;
	get_page(pages);
	__free_pages(pages, 2);
	put_page(pages);
	return true;
}

static noinline bool tell_area(void)
{
	void __percpu *area = __alloc_percpu(AREA, PAGE_SIZE);

	free_percpu(area);
	return area;
}

/* The first chunk, whose areas nobody counts, is full. */
static bool fill_chunk(void)
{
	for (int i = 0; i < ARRAY_SIZE(fillers); i++) {
		fillers[i] = __alloc_percpu(AREA, PAGE_SIZE);
		if (!fillers[i])
			return false;
	}
	return true;
}

static void clear_chunk(void)
{
	for (int i = 0; i < ARRAY_SIZE(fillers); i++)
		free_percpu(fillers[i]);
}

static noinline bool tell_charged(void)
{
	void *object = kmalloc(OBJECT, GFP_KERNEL_ACCOUNT);
	struct page *pages = alloc_pages(GFP_KERNEL_ACCOUNT, 1);

	kfree(object);
	if (pages)
		__free_pages(pages, 1);
	return object && pages;
}

static noinline bool tell_vmalloc(void)
{
	void *area = vmalloc(3 * PAGE_SIZE);

	vfree(area);
	return area;
}

/* Until there is no memory, of objects that a memcg would be charged for. */
static noinline bool tell_lack(void)
{
	struct large {
		struct large *next;
	} *first = NULL, *object;
	bool lacks = false;

	for (int i = 0; i < MANY && !lacks; i++) {
		object = kmem_cache_alloc(large_cache, GFP_NOWAIT | __GFP_NOWARN);
		lacks = !object;
		if (lacks)
			break;
		object->next = first;
		first = object;
	}
	while (first) {
		object = first;
		first = object->next;
		kmem_cache_free(large_cache, object);
	}
	return lacks;
}

/* Of no order that there is. */
static noinline bool tell_failure(void)
{
	return !alloc_pages(GFP_KERNEL | __GFP_NOWARN, MAX_PAGE_ORDER + 1);
}

static noinline bool keep(void)
{
	if (!kept)
		kept = kmalloc(OBJECT, GFP_KERNEL);
	return kept;
}

static noinline bool drop(void)
{
	kfree(kept);
	kept = NULL;
	return true;
}

static const struct {
	const char *name;
	bool (*tell)(void);
} ways[] = {
	{ "object", tell_object }, { "moved", tell_moved }, { "row", tell_row },
	{ "pages", tell_pages }, { "parts", tell_parts }, { "tail", tell_tail },
	{ "area", tell_area }, { "charged", tell_charged },
	{ "failure", tell_failure }, { "vmalloc", tell_vmalloc },
	{ "lack", tell_lack },
	{ "keep", keep }, { "drop", drop },
};

static int set_tell(const char *value, const struct kernel_param *kp)
{
	guard(mutex)(&lock);
	for (int i = 0; i < ARRAY_SIZE(ways); i++)
		if (sysfs_streq(value, ways[i].name))
			return ways[i].tell() ? 0 : -ENOMEM;
	return -EINVAL;
}

static const struct kernel_param_ops tell_ops = {
	.set = set_tell,
};

module_param_cb(tell, &tell_ops, NULL, 0200);
MODULE_PARM_DESC(tell, "what is to be allocated and freed");

static int __init told_init(void)
{
	cache = kmem_cache_create("alloctag_told", OBJECT, 0, SLAB_NO_MERGE, NULL);
	large_cache = kmem_cache_create("alloctag_told_large", LARGE, 0,
					SLAB_NO_MERGE | SLAB_ACCOUNT, NULL);
	if (cache && large_cache && fill_chunk())
		return 0;
	clear_chunk();
	kmem_cache_destroy(cache);
	kmem_cache_destroy(large_cache);
	return -ENOMEM;
}

static void __exit told_exit(void)
{
	drop();
	clear_chunk();
	kmem_cache_destroy(cache);
	kmem_cache_destroy(large_cache);
}

module_init(told_init);
module_exit(told_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Allocations for tracers");
