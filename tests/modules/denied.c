// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_denied: tries to allocate in the way that is written to
 * /sys/module/alloctag_denied/parameters/attempt, while the writer is one whose
 * allocations fail. What it is given goes back at once; "given" says whether
 * there was something.
 */
#include <linux/gfp.h>
#include <linux/mempool.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#define OBJECT		1024
#define BULK		8
#define MANY		8192
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
	{ "slab", attempt_slab },
	{ "many", attempt_many },
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
