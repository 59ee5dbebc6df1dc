/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The gates of pages; part of mm/page_alloc.c.
 *
 * Callers say how many pages there are, always 1 << order; the compiler takes
 * the shift back, so that the core is told the order itself.
 */
#ifndef _ALLOCTAG_PAGE_GATE_H
#define _ALLOCTAG_PAGE_GATE_H

static __always_inline void pgalloc_tag_add(struct page *page,
					    struct task_struct *task,
					    unsigned int nr,
					    unsigned int alloc_flags)
{
	if (mem_alloc_profiling_enabled())
		alloctag_page_alloc(page, task->alloc_tag, __builtin_ctz(nr));
}

static __always_inline void pgalloc_tag_sub(struct page *page, unsigned int nr)
{
	if (mem_alloc_profiling_enabled())
		alloctag_page_free(page, __builtin_ctz(nr));
}

/*
 * __free_pages() takes the tail of a non-compound allocation away while the
 * head lives on, and the head may be gone by the time it can tell; so the
 * reference is read beforehand.
 */
static __always_inline u32 pgalloc_tag_get(struct page *page)
{
	if (mem_alloc_profiling_enabled())
		return alloctag_page_reference(page);
	return 0;
}

/* Called with one less than there are: the head stays. */
static __always_inline void pgalloc_tag_sub_pages(u32 reference,
						  unsigned int nr)
{
	if (reference)
		alloctag_page_free_tail(reference, __builtin_ctz(nr + 1));
}

#endif /* _ALLOCTAG_PAGE_GATE_H */
