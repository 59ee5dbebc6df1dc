/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inline hooks of events that the exchangeable hooks cannot tell of: of what a
 * memcg is charged for, which may refuse it, of per-CPU areas, and of what is left of
 * pages. Each is a nop while nobody looks.
 */
#ifndef _ALLOCTAG_EVENT_HOOKS_H
#define _ALLOCTAG_EVENT_HOOKS_H

#include <linux/alloc_tag.h>

#ifdef CONFIG_ALLOCTAG_EVENTS

#include <linux/tracepoint-defs.h>

DECLARE_TRACEPOINT(alloc);
DECLARE_TRACEPOINT(free);
DECLARE_TRACEPOINT(fail);
DECLARE_TRACEPOINT(stall);

/* Whether somebody looks, and what the other hooks have counted is told. */
#define alloc_tag_tells(_event)						\
	(tracepoint_enabled(_event) && mem_alloc_profiling_enabled())

/* A memcg takes the pages upon it. */
static __always_inline void alloc_tag_pages_charged(struct page *page,
						    unsigned int order, gfp_t flags)
{
	if (alloc_tag_tells(alloc))
		alloctag_page_charged(page, order, flags);
}

/*
 * An area of @size bytes for each CPU was allocated, all in all @bytes. To work
 * these out is a matter of the caller's, who asks alloc_tag_tells() before.
 */
static __always_inline void
alloc_tag_area_given(const union codetag_ref *ref, const void __percpu *area,
		     size_t size, size_t bytes, gfp_t flags)
{
	alloctag_area_given(ref, (__force const void *)area, size, bytes, flags);
}

/* The same is about to be freed. */
static __always_inline void
alloc_tag_area_freed(const union codetag_ref *ref, const void __percpu *area,
		     size_t size, size_t bytes)
{
	alloctag_area_freed(ref, (__force const void *)area, size, bytes);
}

/* All but the first of 2^@order pages are about to be freed. */
static __always_inline void alloc_tag_tail_freed(struct page *page, u32 reference,
						 unsigned int order)
{
	if (alloc_tag_tells(free))
		alloctag_tail_freed(page, reference, order);
}

#else /* CONFIG_ALLOCTAG_EVENTS */

#define alloc_tag_tells(_event)		false

static inline void alloc_tag_pages_charged(struct page *page, unsigned int order,
					   gfp_t flags)
{
}

static inline void alloc_tag_area_given(const union codetag_ref *ref,
					const void __percpu *area, size_t size,
					size_t bytes, gfp_t flags)
{
}

static inline void alloc_tag_area_freed(const union codetag_ref *ref,
					const void __percpu *area, size_t size,
					size_t bytes)
{
}

static inline void alloc_tag_tail_freed(struct page *page, u32 reference,
					unsigned int order)
{
}

#endif /* CONFIG_ALLOCTAG_EVENTS */

#endif /* _ALLOCTAG_EVENT_HOOKS_H */
