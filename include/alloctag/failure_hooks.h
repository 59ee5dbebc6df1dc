/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inline hooks of allocators that give nothing, on no other path.
 *
 * A call of an allocator that fails is one failure of the current tag, whatever
 * it tried. So whoever tries another way when it is given nothing itself says so
 * at once; and what makes many attempts makes them as such.
 */
#ifndef _ALLOCTAG_FAILURE_HOOKS_H
#define _ALLOCTAG_FAILURE_HOOKS_H

#ifdef CONFIG_ALLOCTAG_STATS

/*
 * The caller is about to be given nothing, who has asked for so many bytes, 0 where
 * nobody knows, or for 2^@order pages.
 */
static inline void alloc_tag_failed(size_t bytes, unsigned int order, gfp_t flags)
{
	if (mem_alloc_profiling_enabled())
		alloctag_failed(bytes, order, flags);
}

static inline void alloc_tag_failed_pages(unsigned int order, gfp_t flags)
{
	alloc_tag_failed(PAGE_SIZE << order, order, flags);
}

/* This was given nothing a moment ago, and does not leave it at that. */
static inline void alloc_tag_retry(void)
{
	if (mem_alloc_profiling_enabled())
		alloctag_retry();
}

/*
 * What fails from here to alloc_tag_attempted() under the current tag does not
 * count; tags further in are their own.
 */
static inline struct alloc_tag *alloc_tag_attempt(void)
{
	return mem_alloc_profiling_enabled() ? alloctag_attempt() : NULL;
}

static inline void alloc_tag_attempted(struct alloc_tag *before)
{
	if (before)
		alloctag_attempted(before);
}

#else /* CONFIG_ALLOCTAG_STATS */

static inline void alloc_tag_failed(size_t bytes, unsigned int order,
				    gfp_t flags)
{
}

static inline void alloc_tag_failed_pages(unsigned int order, gfp_t flags) {}
static inline void alloc_tag_retry(void) {}
static inline struct alloc_tag *alloc_tag_attempt(void) { return NULL; }
static inline void alloc_tag_attempted(struct alloc_tag *before) {}

#endif /* CONFIG_ALLOCTAG_STATS */

#endif /* _ALLOCTAG_FAILURE_HOOKS_H */
