// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_faulty: tries to allocate in the way that is written to
 * /sys/module/alloctag_faulty/parameters/attempt, in a function attempt_KIND that
 * allocates nowhere else; "given" says whether there was something. What it is
 * given goes back at once.
 */
#include <linux/gfp.h>
#include <linux/irq_work.h>
#include <linux/mempool.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/rhashtable.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/timer.h>
#include <linux/vmalloc.h>

#define OBJECT		1024
#define BULK		8
#define PAGES		4
/* More than a table has room for that nobody has said anything of. */
#define ENTRIES		200
/* No slab has objects of this size, and kvmalloc() another way. */
#define LARGE		(5 * PAGE_SIZE)

static struct kmem_cache *cache;
static mempool_t *pool, *outer;
static DEFINE_SPINLOCK(lock);
static bool given;
module_param(given, bool, 0400);
MODULE_PARM_DESC(given, "whether the last attempt was given something");

/* Frees an object, and says whether there was one. */
static bool was_given(void *object)
{
	kvfree(object);
	return object;
}

static noinline bool attempt_kmalloc(void)
{
	return was_given(kmalloc(OBJECT, GFP_KERNEL));
}

static noinline bool attempt_variable(void)
{
	size_t size = OBJECT;

	OPTIMIZER_HIDE_VAR(size);
	return was_given(kmalloc_node(size, GFP_KERNEL, numa_mem_id()));
}

static noinline bool attempt_cache(void)
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

static noinline bool attempt_large(void)
{
	return was_given(kmalloc(LARGE, GFP_KERNEL));
}

static noinline bool attempt_nolock(void)
{
	void *object = kmalloc_nolock(OBJECT, 0, NUMA_NO_NODE);

	kfree_nolock(object);
	return object;
}

static noinline bool attempt_never(void)
{
	return was_given(kmalloc(OBJECT, GFP_KERNEL | __GFP_NOFAIL));
}

static noinline bool attempt_either(void)
{
	return was_given(kvmalloc(LARGE, GFP_KERNEL));
}

/* Of nothing there is enough. */
static noinline bool attempt_nothing(void)
{
	return was_given(kvmalloc(0, GFP_KERNEL));
}

static noinline void *resize(void *object, size_t size)
{
	return krealloc(object, size, GFP_KERNEL);
}

/* In its place: nothing is allocated. */
static noinline bool attempt_shrink(void)
{
	void *object = kzalloc(OBJECT, GFP_KERNEL);
	void *same = object ? resize(object, OBJECT / 2 + 1) : NULL;

	kfree(same ?: object);
	return same;
}

static noinline void *grow(void *object)
{
	return krealloc(object, LARGE, GFP_KERNEL);
}

static noinline bool attempt_grow(void)
{
	void *object = kzalloc(OBJECT, GFP_KERNEL);
	void *larger = object ? grow(object) : NULL;

	kfree(larger ?: object);
	return larger;
}

static noinline void *grow_either(void *object)
{
	return kvrealloc(object, LARGE, GFP_KERNEL);
}

static noinline bool attempt_regrow(void)
{
	void *object = kzalloc(OBJECT, GFP_KERNEL);
	void *larger = object ? grow_either(object) : NULL;

	kvfree(larger ?: object);
	return larger;
}

static noinline void *grow_surely(void *object)
{
	return kvrealloc(object, LARGE, GFP_KERNEL | __GFP_NOFAIL);
}

static noinline bool attempt_sure(void)
{
	void *object = kzalloc(OBJECT, GFP_KERNEL);
	void *larger = object ? grow_surely(object) : NULL;

	kvfree(larger ?: object);
	return larger;
}

static noinline bool attempt_first(void)
{
	return was_given(kvrealloc(NULL, LARGE, GFP_KERNEL));
}

static noinline void *stay_either(void *object)
{
	return kvrealloc(object, OBJECT / 2 + 1, GFP_KERNEL);
}

static noinline bool attempt_stay(void)
{
	void *object = kzalloc(OBJECT, GFP_KERNEL);
	void *same = object ? stay_either(object) : NULL;

	kvfree(same ?: object);
	return same;
}

static noinline bool attempt_vmalloc(void)
{
	return was_given(vmalloc(PAGES * PAGE_SIZE));
}

static noinline bool attempt_percpu(void)
{
	void __percpu *area = __alloc_percpu(sizeof(u64), sizeof(u64));

	free_percpu(area);
	return area;
}

static noinline bool attempt_page(void)
{
	struct page *page = alloc_page(GFP_KERNEL);

	if (page)
		__free_page(page);
	return page;
}

static noinline bool attempt_folio(void)
{
	struct folio *folio = folio_alloc(GFP_KERNEL, 2);

	if (folio)
		folio_put(folio);
	return folio;
}

static noinline bool attempt_pages(void)
{
	struct page *pages[PAGES] = {};
	unsigned long nr = alloc_pages_bulk(GFP_KERNEL, PAGES, pages);

	for (unsigned long i = 0; i < nr; i++)
		__free_page(pages[i]);
	return nr;
}

static noinline bool attempt_exact(void)
{
	void *pages = alloc_pages_exact(3 * PAGE_SIZE, GFP_KERNEL);

	if (pages)
		free_pages_exact(pages, 3 * PAGE_SIZE);
	return pages;
}

static noinline bool attempt_reserve(void)
{
	void *element = mempool_alloc(pool, GFP_NOWAIT);

	if (element)
		mempool_free(element, pool);
	return element;
}

/* By its contract this is always given something. */
static noinline bool attempt_waiting(void)
{
	void *element = mempool_alloc(pool, GFP_KERNEL);

	if (element)
		mempool_free(element, pool);
	return element;
}

/* What a pool asks for, by a call site of its own. */
static noinline void *inner(gfp_t flags, void *data)
{
	return kmalloc(OBJECT, flags);
}

static void give_back(void *element, void *data)
{
	kfree(element);
}

static noinline bool attempt_outer(void)
{
	void *element = mempool_alloc(outer, GFP_KERNEL);

	if (element)
		mempool_free(element, outer);
	return element;
}

struct entry {
	struct rhash_head head;
	u32 key;
};

static struct entry entries[ENTRIES];
static struct rhashtable table;
static const struct rhashtable_params parameters = {
	.key_len = sizeof(u32),
	.key_offset = offsetof(struct entry, key),
	.head_offset = offsetof(struct entry, head),
};

static noinline int make_table(void)
{
	return rhashtable_init(&table, &parameters);
}

/* It grows on behalf of who made it: now where that is urgent, or later. */
static noinline bool attempt_table(void)
{
	unsigned int i, inserted = 0;

	for (i = 0; i < ENTRIES; i++) {
		entries[i].key = i;
		inserted += !rhashtable_insert_fast(&table, &entries[i].head,
						    parameters);
	}
	flush_work(&table.run_work);
	for (i = 0; i < ENTRIES; i++)
		rhashtable_remove_fast(&table, &entries[i].head, parameters);
	return inserted == ENTRIES;
}

static noinline void *locked(void)
{
	return kmalloc(OBJECT, GFP_ATOMIC);
}

static noinline bool attempt_locked(void)
{
	unsigned long flags;
	void *object;

	spin_lock_irqsave(&lock, flags);
	object = locked();
	spin_unlock_irqrestore(&lock, flags);
	return was_given(object);
}

static noinline void in_interrupt_work(struct irq_work *work)
{
	void *object = kmalloc(OBJECT, GFP_ATOMIC);

	given = object;
	kfree(object);
}

static struct irq_work irq_attempt = IRQ_WORK_INIT(in_interrupt_work);

static noinline bool attempt_irq(void)
{
	irq_work_queue(&irq_attempt);
	irq_work_sync(&irq_attempt);
	return given;
}

static noinline void in_timer(struct timer_list *timer)
{
	void *object = kmalloc(OBJECT, GFP_ATOMIC);

	given = object;
	kfree(object);
}

static noinline bool attempt_softirq(void)
{
	struct timer_list timer;

	timer_setup_on_stack(&timer, in_timer, 0);
	mod_timer(&timer, jiffies);
	while (timer_pending(&timer))
		cond_resched();
	timer_delete_sync(&timer);
	timer_destroy_on_stack(&timer);
	return given;
}

static const struct {
	const char *name;
	bool (*attempt)(void);
} kinds[] = {
	{ "kmalloc", attempt_kmalloc },
	{ "variable", attempt_variable },
	{ "cache", attempt_cache },
	{ "bulk", attempt_bulk },
	{ "large", attempt_large },
	{ "nolock", attempt_nolock },
	{ "never", attempt_never },
	{ "either", attempt_either },
	{ "nothing", attempt_nothing },
	{ "shrink", attempt_shrink },
	{ "grow", attempt_grow },
	{ "regrow", attempt_regrow },
	{ "sure", attempt_sure },
	{ "first", attempt_first },
	{ "stay", attempt_stay },
	{ "vmalloc", attempt_vmalloc },
	{ "percpu", attempt_percpu },
	{ "page", attempt_page },
	{ "folio", attempt_folio },
	{ "pages", attempt_pages },
	{ "exact", attempt_exact },
	{ "reserve", attempt_reserve },
	{ "waiting", attempt_waiting },
	{ "outer", attempt_outer },
	{ "table", attempt_table },
	{ "locked", attempt_locked },
	{ "irq", attempt_irq },
	{ "softirq", attempt_softirq },
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

static int __init faulty_init(void)
{
	cache = kmem_cache_create("alloctag_faulty", OBJECT, 0, SLAB_NO_MERGE, NULL);
	if (!cache)
		return -ENOMEM;
	pool = mempool_create_slab_pool(1, cache);
	outer = mempool_create(1, inner, give_back, NULL);
	if (pool && outer && !make_table())
		return 0;
	mempool_destroy(outer);
	mempool_destroy(pool);
	kmem_cache_destroy(cache);
	return -ENOMEM;
}

static void __exit faulty_exit(void)
{
	rhashtable_destroy(&table);
	mempool_destroy(outer);
	mempool_destroy(pool);
	kmem_cache_destroy(cache);
}

module_init(faulty_init);
module_exit(faulty_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Allocations that may be made to fail");
