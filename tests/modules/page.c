// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages, alone and together.
 */
#include <linux/gfp.h>
#include <linux/mm.h>

#include "exact.h"

#define ORDERS	10
#define ORDER	3
#define PAGES	8
#define BULK	20
#define EXACT	5

static struct page *single[ORDERS], *compound, *parts, *tailed, *bulk[BULK], *nolock;
static struct folio *folio;
static unsigned long address, zeroed;
static void *exact;
/* Whether @parts have been split, and the tail of @tailed been freed. */
static bool changed;

/* So many pages, in so many allocations, on the line of the function that calls. */
#define HELD(pages, pointer, calls) \
	((pointer) ? (exact_expect(__func__, (pages) * (s64)PAGE_SIZE, calls), true) : false)

static_assert(PAGES == 1 << ORDER);

static bool hold_every_order(void)
{
	unsigned int order;

	for (order = 0; order < ORDERS; order++) {
		single[order] = alloc_pages(GFP_KERNEL, order);
		if (!single[order])
			return false;
	}
	return HELD((1 << ORDERS) - 1, true, ORDERS);
}

static bool hold_compound(void)
{
	compound = alloc_pages(GFP_KERNEL | __GFP_COMP, ORDER);
	return HELD(PAGES, compound, 1);
}

static bool hold_parts(void)
{
	parts = alloc_pages(GFP_KERNEL, ORDER);
	return HELD(PAGES, parts, 1);
}

static bool hold_tailed(void)
{
	tailed = alloc_pages(GFP_KERNEL, ORDER);
	return HELD(PAGES, tailed, 1);
}

static bool hold_folio(void)
{
	folio = folio_alloc(GFP_KERNEL, ORDER);
	return HELD(PAGES, folio, 1);
}

static bool hold_free_page(void)
{
	address = __get_free_page(GFP_KERNEL);
	return HELD(1, address, 1);
}

static bool hold_zeroed_page(void)
{
	zeroed = get_zeroed_page(GFP_KERNEL);
	return HELD(1, zeroed, 1);
}

/* Eight pages are taken, each becomes one, and three are given back. */
static bool hold_exact_pages(void)
{
	exact = alloc_pages_exact(EXACT * PAGE_SIZE, GFP_KERNEL);
	return HELD(EXACT, exact, EXACT);
}

static bool hold_bulk_pages(void)
{
	return HELD(BULK, alloc_pages_bulk(GFP_KERNEL, BULK, bulk) == BULK, BULK);
}

static bool hold_nolock_page(void)
{
	nolock = alloc_pages_nolock(0, NUMA_NO_NODE, 0);
	return HELD(1, nolock, 1);
}

static bool hold(void)
{
	return hold_every_order() && hold_compound() && hold_parts() && hold_tailed() &&
	       hold_folio() && hold_free_page() && hold_zeroed_page() &&
	       hold_exact_pages() && hold_bulk_pages() && hold_nolock_page();
}

static bool change(void)
{
	split_page(parts, ORDER);
	exact_expect("hold_parts", PAGES * (s64)PAGE_SIZE, PAGES);

	/* Somebody holds the head while all is freed: the tail goes. */
	get_page(tailed);
	__free_pages(tailed, ORDER);
	exact_expect("hold_tailed", PAGE_SIZE, 1);
	changed = true;
	return true;
}

static void release_parts(void)
{
	int i;

	for (i = 0; parts && changed && i < PAGES; i++)
		__free_page(parts + i);
	if (parts && !changed)
		__free_pages(parts, ORDER);
	if (tailed)
		__free_pages(tailed, changed ? 0 : ORDER);
	parts = NULL;
	tailed = NULL;
	changed = false;
}

static void release(void)
{
	int i;

	for (i = 0; i < ORDERS; i++) {
		if (single[i])
			__free_pages(single[i], i);
		single[i] = NULL;
	}
	for (i = 0; i < BULK; i++) {
		if (bulk[i])
			__free_page(bulk[i]);
		bulk[i] = NULL;
	}
	if (compound)
		__free_pages(compound, ORDER);
	if (folio)
		folio_put(folio);
	if (nolock)
		__free_page(nolock);
	free_page(address);
	free_page(zeroed);
	if (exact)
		free_pages_exact(exact, EXACT * PAGE_SIZE);
	release_parts();
	compound = NULL;
	nolock = NULL;
	folio = NULL;
	address = 0;
	zeroed = 0;
	exact = NULL;
}

const struct exact_part page_part = {
	.hold = hold, .change = change, .release = release,
};
