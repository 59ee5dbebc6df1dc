// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_refused: holds as many pages, objects, or rows of objects allocated
 * in bulk as are written to its parameters, as far as the writer's memcg allows,
 * and says how many calls were given something and how many nothing. Where some
 * were given nothing, a few of the others go back, so that the writer can go on.
 */
#include <linux/cleanup.h>
#include <linux/gfp.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#define CHARGED		(GFP_NOWAIT | __GFP_ACCOUNT | __GFP_ZERO)
#define OBJECT		1024
#define ROW		16

/* What is held, linked by its first bytes. */
struct held {
	struct held *next;
};

struct kind {
	struct held *(*give)(void);
	void (*take)(struct held *held);
	/* As much memory as the writer may need to come to its end. */
	unsigned int returns;
	struct held *held;
	unsigned int given, refused, returned;
};

static DEFINE_MUTEX(lock);
static struct kmem_cache *cache;

static noinline struct held *give_page(void)
{
	return (struct held *)__get_free_pages(CHARGED, 1);
}

static void take_page(struct held *page)
{
	free_pages((unsigned long)page, 1);
}

static noinline struct held *give_object(void)
{
	return kmem_cache_alloc(cache, CHARGED);
}

static void take_object(struct held *object)
{
	kmem_cache_free(cache, object);
}

static noinline struct held *give_row(void)
{
	struct held *row[ROW];

	if (!kmem_cache_alloc_bulk(cache, CHARGED, ROW, (void **)row))
		return NULL;
	/* The others hang on the first, by their second word. */
	for (int i = 1; i < ROW; i++)
		row[i - 1][1].next = row[i];
	return row[0];
}

static void take_row(struct held *row)
{
	while (row) {
		struct held *next = row[1].next;

		kmem_cache_free(cache, row);
		row = next;
	}
}

#define RETURNED	SZ_512K

static struct kind pages = { give_page, take_page, RETURNED / (2 * PAGE_SIZE) };
static struct kind objects = { give_object, take_object, RETURNED / OBJECT };
static struct kind rows = { give_row, take_row, RETURNED / (ROW * OBJECT) };

static void return_one(struct kind *kind)
{
	struct held *held = kind->held;

	kind->held = held->next;
	kind->take(held);
}

static void hold(struct kind *kind, unsigned int calls)
{
	while (kind->held)
		return_one(kind);
	kind->given = 0;
	kind->refused = 0;
	kind->returned = 0;
	while (kind->given + kind->refused < calls) {
		struct held *held = kind->give();

		if (held) {
			held->next = kind->held;
			kind->held = held;
			kind->given++;
		} else {
			kind->refused++;
		}
	}
	if (!kind->refused)
		return;
	for (; kind->held && kind->returned < kind->returns; kind->returned++)
		return_one(kind);
}

static int set_calls(const char *value, const struct kernel_param *parameter)
{
	unsigned int calls;
	int error = kstrtouint(value, 10, &calls);

	if (error)
		return error;
	guard(mutex)(&lock);
	hold(parameter->arg, calls);
	return 0;
}

static int get_calls(char *buffer, const struct kernel_param *parameter)
{
	struct kind *kind = parameter->arg;

	guard(mutex)(&lock);
	return sysfs_emit(buffer, "%u %u %u\n", kind->given, kind->refused,
			  kind->returned);
}

static const struct kernel_param_ops ops = { .set = set_calls, .get = get_calls };
module_param_cb(pages, &ops, &pages, 0600);
MODULE_PARM_DESC(pages, "pairs of pages: calls; those given something, those refused, those that went back at once");
module_param_cb(objects, &ops, &objects, 0600);
MODULE_PARM_DESC(objects, "the same for objects of 1 KiB");
module_param_cb(rows, &ops, &rows, 0600);
MODULE_PARM_DESC(rows, "the same for sixteen of these at a time");

static int __init refused_init(void)
{
	cache = kmem_cache_create("alloctag_refused", OBJECT, 0, SLAB_NO_MERGE, NULL);
	return cache ? 0 : -ENOMEM;
}

static void __exit refused_exit(void)
{
	hold(&pages, 0);
	hold(&objects, 0);
	hold(&rows, 0);
	kmem_cache_destroy(cache);
}

module_init(refused_init);
module_exit(refused_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Holds what a memcg may refuse");
