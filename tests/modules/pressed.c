// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_pressed: has whoever writes to its parameter "wait" wait for reclaim
 * or compaction, in a function that allocates nowhere else. "delays" are those of
 * whoever reads it, as delay accounting has them: nanoseconds for freeing pages,
 * and for compaction.
 */
#include <linux/delay.h>
#include <linux/delayacct.h>
#include <linux/gfp.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/shrinker.h>
#include <linux/swap.h>

/* As much as a pass of the shrinker takes, in milliseconds. */
#define PASS		2
/* Pages that are to be reclaimed, and blocks that are to be compacted. */
#define RECLAIMED	24576
#define BLOCKS		160

static LIST_HEAD(held);
static DEFINE_SPINLOCK(lock);
static unsigned long held_pages;

static void hold(struct page *page)
{
	guard(spinlock)(&lock);
	list_add(&page->lru, &held);
	held_pages++;
}

static bool let_go(void)
{
	struct page *page;

	scoped_guard(spinlock, &lock) {
		page = list_first_entry_or_null(&held, struct page, lru);
		if (!page)
			return false;
		list_del(&page->lru);
		held_pages--;
	}
	__free_page(page);
	return true;
}

static unsigned long count(struct shrinker *shrinker, struct shrink_control *sc)
{
	/* Or it would be quicker than those who have to wait. */
	return current_is_kswapd() ? 0 : READ_ONCE(held_pages);
}

static unsigned long scan(struct shrinker *shrinker, struct shrink_control *sc)
{
	unsigned long freed = 0;

	mdelay(PASS);
	while (freed < sc->nr_to_scan && let_go())
		freed++;
	return freed ?: SHRINK_STOP;
}

/* All that is free is held, and then more is asked for. */
static noinline void wait_reclaim(void)
{
	struct page *page;
	int more = 0;

	while (more < RECLAIMED) {
		page = alloc_page(GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN);
		if (!page)
			break;
		hold(page);
		if (nr_free_pages() < totalram_pages() / 16)
			more++;
	}
	while (let_go())
		;
}

static noinline void wait_compaction(void)
{
	struct page *blocks[BLOCKS];
	int i, n = 0;

	for (i = 0; i < BLOCKS; i++) {
		blocks[n] = alloc_pages(GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN,
					pageblock_order);
		if (blocks[n])
			n++;
	}
	while (n--)
		__free_pages(blocks[n], pageblock_order);
}

static int set_wait(const char *value, const struct kernel_param *param)
{
	if (sysfs_streq(value, "reclaim"))
		wait_reclaim();
	else if (sysfs_streq(value, "compaction"))
		wait_compaction();
	else
		return -EINVAL;
	return 0;
}

static const struct kernel_param_ops wait_ops = {
	.set = set_wait,
};
module_param_cb(wait, &wait_ops, NULL, 0200);
MODULE_PARM_DESC(wait, "what to wait for: reclaim, compaction");

static int get_delays(char *buffer, const struct kernel_param *param)
{
	u64 freepages = 0, compact = 0;

#ifdef CONFIG_TASK_DELAY_ACCT
	if (current->delays) {
		freepages = current->delays->freepages_delay;
		compact = current->delays->compact_delay;
	}
#endif
	return sysfs_emit(buffer, "%llu %llu\n", freepages, compact);
}

static const struct kernel_param_ops delays_ops = {
	.get = get_delays,
};
module_param_cb(delays, &delays_ops, NULL, 0400);
MODULE_PARM_DESC(delays, "nanoseconds for which the reader waited for free pages, and for compaction");

static struct shrinker *shrinker;

static int __init pressed_init(void)
{
	shrinker = shrinker_alloc(0, "alloctag_pressed");
	if (!shrinker)
		return -ENOMEM;
	shrinker->count_objects = count;
	shrinker->scan_objects = scan;
	shrinker_register(shrinker);
	return 0;
}
module_init(pressed_init);

static void __exit pressed_exit(void)
{
	shrinker_free(shrinker);
}
module_exit(pressed_exit);

MODULE_DESCRIPTION("Allocations that wait for memory");
MODULE_LICENSE("GPL");
