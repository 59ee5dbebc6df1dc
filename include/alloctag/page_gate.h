/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The gates of pages; part of mm/page_alloc.c.
 */
#ifndef _ALLOCTAG_PAGE_GATE_H
#define _ALLOCTAG_PAGE_GATE_H

static __always_inline void pgalloc_tag_add(struct page *page,
					    struct task_struct *task,
					    unsigned int nr,
					    unsigned int alloc_flags)
{
	if (mem_alloc_profiling_enabled())
		alloctag_page_alloc(page, task->alloc_tag, nr);
}

static __always_inline void pgalloc_tag_sub(struct page *page, unsigned int nr)
{
	if (mem_alloc_profiling_enabled())
		alloctag_page_free(page, nr);
}

/*
 * __free_pages() takes the tail of a non-compound allocation away while the
 * head lives on, and the head may be gone by the time it can tell; so the
 * account is read beforehand.
 */
static __always_inline u32 pgalloc_tag_tail_account(struct page *page)
{
	if (mem_alloc_profiling_enabled())
		return alloctag_page_account(page);
	return 0;
}

static __always_inline void pgalloc_tag_sub_pages(u32 account, unsigned int nr)
{
	if (account)
		alloctag_account_sub_pages(account, nr);
}

#endif /* _ALLOCTAG_PAGE_GATE_H */
