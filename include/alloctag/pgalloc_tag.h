/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tags of pages, for the code that moves and splits folios: <linux/pgalloc_tag.h>
 * where the Rust core is configured.
 */
#ifndef _ALLOCTAG_PGALLOC_TAG_H
#define _ALLOCTAG_PGALLOC_TAG_H

#include <linux/alloc_tag.h>

struct folio;
struct page;

/* Marks pages as deliberately not counted, so that freeing them is no mistake. */
static inline void clear_page_tag_ref(struct page *page)
{
	if (mem_alloc_profiling_enabled())
		alloctag_page_clear(page);
}

/* The parts of a folio that is split each become an allocation of their own. */
static inline void pgalloc_tag_split(struct folio *folio, int old_order,
				     int new_order)
{
	if (mem_alloc_profiling_enabled())
		alloctag_page_split((struct page *)folio, old_order, new_order);
}

/* After migration each folio is charged to where the other one was. */
static inline void pgalloc_tag_swap(struct folio *new, struct folio *old)
{
	if (mem_alloc_profiling_enabled())
		alloctag_page_swap((struct page *)new, (struct page *)old);
}

#endif /* _ALLOCTAG_PGALLOC_TAG_H */
