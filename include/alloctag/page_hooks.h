/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inline hooks of pages; part of mm/page_alloc.c.
 */
#ifndef _ALLOCTAG_PAGE_HOOKS_H
#define _ALLOCTAG_PAGE_HOOKS_H

#include <alloctag/event_hooks.h>
#include <alloctag/hook_calls.h>

static __always_inline void alloc_tag_pages(struct page *page,
					    unsigned int order, gfp_t flags)
{
	if (mem_alloc_profiling_enabled())
		alloc_tag_call(alloctag_page_alloc, page, current->alloc_tag,
			       order, flags);
}

/* One of many, in a loop that goes on. */
static __always_inline void alloc_tag_single_page(struct page *page,
						  gfp_t flags)
{
	if (mem_alloc_profiling_enabled())
		alloc_tag_call_page_alloc(page, alloc_tag_current(), 0, flags);
}

static __always_inline void alloc_tag_free_pages(struct page *page,
						 unsigned int order)
{
	if (mem_alloc_profiling_enabled())
		alloc_tag_call_page_free(page, order);
}

/* The pages are refused by their memcg after all, and about to be freed. */
static inline void pgalloc_tag_undo(struct page *page, unsigned int order)
{
	if (IS_ENABLED(CONFIG_ALLOCTAG_STATS) && mem_alloc_profiling_enabled())
		alloctag_page_undo(page, order);
}

/*
 * __free_pages() takes the tail of a non-compound allocation away while the
 * head lives on; it has read the reference beforehand, for the head may be gone
 * by the time it can tell. Called with one less than there are: the head stays.
 */
static __always_inline void pgalloc_tag_sub_pages(u32 reference,
						  unsigned int nr)
{
	if (reference)
		alloctag_page_free_tail(reference, __builtin_ctz(nr + 1));
}

#endif /* _ALLOCTAG_PAGE_HOOKS_H */
