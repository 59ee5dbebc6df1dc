/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inline hook before an allocator does anything, for call sites that a rule
 * has fail or that are timed; part of mm's allocators.
 *
 * A call of an allocator is asked for once, and fails and is timed as a whole:
 * whoever tries several ways does so within a function of its own, in which the
 * current tag makes mere attempts, of which nobody asks again.
 */
#ifndef _ALLOCTAG_FAULT_HOOKS_H
#define _ALLOCTAG_FAULT_HOOKS_H

#include <alloctag/latency_hooks.h>
#include <linux/gfp.h>
#include <linux/mempool.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#ifdef CONFIG_ALLOCTAG_CALLS

#include <alloctag/hook_calls.h>
#include <linux/jump_label.h>

DECLARE_STATIC_KEY_FALSE(alloctag_armed_key);

/*
 * Not 0 for those values of the second byte of a tag's address that one of the
 * call sites has which may have to fail or are timed.
 */
extern u8 alloctag_armed[256];

/*
 * Whether this call may have to be asked for, mostly seen without a look at the tag;
 * and the current tag, with what stands beside its address.
 */
static __always_inline bool alloc_tag_may_ask(unsigned long *word)
{
	if (!static_branch_unlikely(&alloctag_armed_key))
		return false;
	*word = (unsigned long)alloc_tag_current();
	return unlikely(READ_ONCE(alloctag_armed[(u8)(*word >> 8)]));
}

/* Whether it has. */
static __always_inline bool alloc_tag_asks(void)
{
	unsigned long word;

	return alloc_tag_may_ask(&word) && alloctag_asks();
}

/*
 * What is done with a call that may have to be asked for, in bits of the current
 * tag, which is in @word. In an NMI none fails.
 */
static __always_inline u32 alloc_tag_done(unsigned long word)
{
	const struct alloc_tag *tag = (void *)(word & ~ALLOC_TAG_MARK);

	BUILD_BUG_ON(ALLOC_TAG_MARK_ATTEMPT != ALLOC_TAG_MARK);
	/* An attempt's mark is all ones. */
	if (unlikely(!((word + 1) & ALLOC_TAG_MARK)) || unlikely(!tag))
		return 0;
	return READ_ONCE(tag->lineno) & (ALLOC_TAG_ARMING | ALLOC_TAG_TIMED);
}

#else /* CONFIG_ALLOCTAG_CALLS */

static inline bool alloc_tag_may_ask(unsigned long *word) { return false; }
static inline bool alloc_tag_asks(void) { return false; }

#endif /* CONFIG_ALLOCTAG_CALLS */

/**
 * struct alloctag_whole - a call of an allocator that was asked for
 * @tag: the current tag, as it was
 * @since: when it began, by alloc_tag_ticks(); 0 where it is not timed
 * @fail_nth: the task's count of calls until one fails, which is set aside lest
 *	another attribute counts the same call; 0 if there is none
 * @bytes: what it asks for
 * @order: of pages; 0 of all else
 * @flags: what it asks with
 */
struct alloctag_whole {
	struct alloc_tag *tag;
	u64 since;
	unsigned int fail_nth;
	unsigned int order;
	size_t bytes;
	gfp_t flags;
};

/* The allocators for calls that were to be asked for: src/hooks/fault.c. */
bool alloctag_whole_begin(struct alloctag_whole *whole, size_t bytes,
			  unsigned int order, gfp_t flags);
void alloctag_whole_rest(struct alloctag_whole *whole, size_t bytes,
			 unsigned int order, gfp_t flags);
void alloctag_whole_uncounted(struct alloctag_whole *whole);
void alloctag_whole_end(struct alloctag_whole *whole, bool given);

bool alloctag_is_fallible(const struct kmem_cache *s);

bool alloctag_whole_bulk_noprof(struct kmem_cache *s, gfp_t flags, size_t size,
				void **p);
struct slab_sheaf *alloctag_whole_prefill_noprof(struct kmem_cache *s,
						 gfp_t flags, unsigned int size);
int alloctag_whole_refill_noprof(struct kmem_cache *s, gfp_t flags,
				 struct slab_sheaf **sheaf, unsigned int size);
void *alloctag_whole_kvmalloc_noprof(DECL_KMALLOC_PARAMS(size, b, token),
				     unsigned long align, gfp_t flags, int node);
void *alloctag_whole_vmalloc_noprof(unsigned long size, unsigned long align,
				    unsigned long start, unsigned long end,
				    gfp_t flags, pgprot_t prot,
				    unsigned long vm_flags, int node,
				    const void *caller);
void __percpu *alloctag_whole_percpu_noprof(size_t size, size_t align,
					    bool reserved, gfp_t flags);
struct page *alloctag_whole_pages_noprof(gfp_t flags, unsigned int order,
					 int nid, nodemask_t *nodemask,
					 unsigned int alloc_flags);
unsigned long alloctag_whole_bulk_pages_noprof(gfp_t flags, int nid,
					       nodemask_t *nodemask, int nr,
					       struct page **pages);
unsigned long alloctag_whole_mempolicy_noprof(gfp_t flags, unsigned long nr,
					      struct page **pages);
#ifdef CONFIG_CONTIG_ALLOC
struct page *alloctag_whole_contig_noprof(unsigned long nr, gfp_t flags,
					  int nid, nodemask_t *nodemask);
int alloctag_whole_range_noprof(unsigned long start, unsigned long end,
				acr_flags_t alloc_flags, gfp_t flags);
#endif
void *alloctag_whole_mempool_noprof(struct mempool *pool, gfp_t flags);
int alloctag_whole_mempool_bulk_noprof(struct mempool *pool, void **elements,
				       unsigned int count);

#endif /* _ALLOCTAG_FAULT_HOOKS_H */
