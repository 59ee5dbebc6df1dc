// SPDX-License-Identifier: GPL-2.0-only
/* Pages, from the CPU's lists. */
#include <linux/string.h>

#include "bench.h"

#define PAIRS	1000
#define BULK	32

#define PAGES(order)							\
static bool run_##order(unsigned int count)				\
{									\
	const unsigned int order_ = order;				\
	struct page *p;							\
									\
	return LOOP(count, p = alloc_pages(GFP_BENCH, order_),		\
		    __free_pages(p, order_));				\
}

PAGES(0)
PAGES(1)
PAGES(2)
PAGES(9)

static bool allocated_bulk(struct page **pages)
{
	/* It fills empty places only, and may stop early when the CPU's lists run short. */
	memset(pages, 0, BULK * sizeof(*pages));
	return alloc_pages_bulk(GFP_BENCH, BULK, pages) == BULK;
}

static void free_bulk(struct page **pages)
{
	int i;

	for (i = 0; i < BULK; i++)
		__free_page(pages[i]);
}

static bool run_bulk(unsigned int count)
{
	static struct page *pages[BULK];

	return LOOP(count / BULK, allocated_bulk(pages), free_bulk(pages));
}

const struct bench_op page_ops[] = {
	{ .name = "page-0", .count = PAIRS, .run = run_0 },
	{ .name = "page-1", .count = PAIRS, .run = run_1 },
	{ .name = "page-2", .count = PAIRS, .run = run_2 },
	{ .name = "page-9", .count = PAIRS, .run = run_9 },
	{ .name = "page-bulk-0", .count = 16 * BULK, .each = BULK, .run = run_bulk },
	{ }
};
