// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_starved: holds so many objects of a cache of its own as are written
 * to /sys/module/alloctag_starved/parameters/held, the last one that came being
 * the first that goes. Nothing else is allocated meanwhile, so that whatever
 * fails in the writer is what profiling asks for. With "lends", the objects are
 * charged to who lent their container its call site, as a hash table's are.
 */
#include <linux/alloc_tag.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>

/* A whole number of them is a page: with no room left, references lie elsewhere. */
#define OBJECT	64
#define ROOM	64

static struct kmem_cache *cache;
static void *objects[ROOM];
static unsigned int held;

static bool lends;
module_param(lends, bool, 0600);
MODULE_PARM_DESC(lends, "charge whose container it is");

static struct alloc_tag *lent;

static void *lend(void)
{
	alloc_tag_record(lent);
	return NULL;
}

static noinline void lends_container(void)
{
	alloc_hooks(lend());
}

static noinline void *starves(void)
{
	if (lends)
		return alloc_hooks_tag(lent, kmem_cache_alloc_noprof(cache, GFP_KERNEL));
	return kmem_cache_alloc(cache, GFP_KERNEL);
}

static int hold(unsigned int wanted)
{
	while (held > wanted)
		kmem_cache_free(cache, objects[--held]);
	for (; held < wanted; held++) {
		objects[held] = starves();
		if (!objects[held])
			return -ENOMEM;
	}
	return 0;
}

static int set_held(const char *value, const struct kernel_param *parameter)
{
	unsigned int wanted;
	int error = kstrtouint(value, 10, &wanted);

	if (error)
		return error;
	return wanted <= ROOM ? hold(wanted) : -ERANGE;
}

static const struct kernel_param_ops held_ops = { .set = set_held, .get = param_get_uint };
module_param_cb(held, &held_ops, &held, 0600);
MODULE_PARM_DESC(held, "objects that are held");

static int __init starved_init(void)
{
	lends_container();
	cache = kmem_cache_create("alloctag_starved", OBJECT, 0, SLAB_NO_MERGE, NULL);
	return cache ? 0 : -ENOMEM;
}

static void __exit starved_exit(void)
{
	hold(0);
	kmem_cache_destroy(cache);
}

module_init(starved_init);
module_exit(starved_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Allocates while references find no memory");
