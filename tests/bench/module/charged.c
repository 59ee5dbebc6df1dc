// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a memory cgroup pays for. The CPU has a stock of bytes and one of pages
 * that are paid for already, of which most allocations are taken. Where either
 * happens to end just there, every pair gets more and gives it back, which is
 * several times the cost; so each operation begins with a stock in which that
 * is not so.
 */
#include <linux/irqflags.h>
#include <linux/slab.h>

#include "bench.h"

#define PAIRS	1000
#define TRIAL	8

#define GFP_CHARGED	(GFP_BENCH | __GFP_ACCOUNT)

/*
 * Half a page is far from either end of one. What no slab has an object for is
 * paid for by the page.
 */
#define HALF	(PAGE_SIZE / 2)
#define PAGES	(4 * PAGE_SIZE)

static void *aside;

static bool run_object(unsigned int count)
{
	void *p;

	return LOOP(count, p = kmalloc(64, GFP_CHARGED), kfree(p));
}

static bool run_page(unsigned int count)
{
	struct page *p;

	return LOOP(count, p = alloc_page(GFP_CHARGED), __free_page(p));
}

/* Instructions of so many pairs. */
static u64 trial(bool (*run)(unsigned int count))
{
	unsigned long flags;
	u64 began, took;

	local_irq_save(flags);
	began = instructions();
	run(TRIAL);
	took = instructions() - began;
	local_irq_restore(flags);
	return took;
}

/* Holds something of a size if that makes pairs cheaper. */
static int set_aside(bool (*run)(unsigned int count), size_t size)
{
	u64 without;

	/* The first fills the allocator's caches. */
	trial(run);
	without = trial(run);
	aside = kmalloc(size, GFP_CHARGED);
	if (!aside)
		return -ENOMEM;
	if (trial(run) >= without) {
		kfree(aside);
		aside = NULL;
	}
	return 0;
}

static int set_object(void)
{
	return set_aside(run_object, HALF);
}

static int set_page(void)
{
	return set_aside(run_page, PAGES);
}

static void drop(void)
{
	kfree(aside);
	aside = NULL;
}

const struct bench_op charged_ops[] = {
	{ .name = "kmalloc-charged-64", .count = PAIRS,
	  .setup = set_object, .run = run_object, .teardown = drop },
	{ .name = "page-charged-0", .count = PAIRS,
	  .setup = set_page, .run = run_page, .teardown = drop },
	{ }
};
