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

#include <linux/gfp.h>
#include <linux/mempool.h>
#include <linux/percpu.h>
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

/* Whether this call has to be asked for: mostly seen without a look at the tag. */
static __always_inline bool alloc_tag_asks(void)
{
	unsigned long tag;

	if (!static_branch_unlikely(&alloctag_armed_key))
		return false;
	tag = (unsigned long)alloc_tag_current();
	return unlikely(READ_ONCE(alloctag_armed[(u8)(tag >> 8)])) &&
	       alloctag_asks();
}

/* What a call site's mere attempts are made under. */
static __always_inline struct alloc_tag *
alloc_tag_attempt_of(struct alloc_tag *tag)
{
	return (void *)((unsigned long)tag | ALLOC_TAG_MARK_ATTEMPT);
}

#else /* CONFIG_ALLOCTAG_CALLS */

static inline bool alloc_tag_asks(void) { return false; }

#endif /* CONFIG_ALLOCTAG_CALLS */

#ifdef CONFIG_ALLOCTAG_LATENCY

/* The clock of what is timed, never 0, and the nanoseconds since then: src/platform/clock.c. */
u64 alloctag_ticks(void);
u64 alloctag_elapsed(u64 since);

/* The current tag, where its calls are timed and cannot fail because of a rule. */
static __always_inline struct alloc_tag *alloc_tag_merely_timed(void)
{
	unsigned long word = (unsigned long)alloc_tag_current();
	struct alloc_tag *tag = (void *)(word & ~ALLOC_TAG_MARK);
	u32 line = READ_ONCE(tag->lineno);

	return (line & (ALLOC_TAG_ARMING | ALLOC_TAG_TIMED)) ==
		ALLOC_TAG_TIMED ? tag : NULL;
}

#else /* CONFIG_ALLOCTAG_LATENCY */

static inline u64 alloctag_ticks(void) { return 0; }
static inline u64 alloctag_elapsed(u64 since) { return 0; }

static inline struct alloc_tag *alloc_tag_merely_timed(void)
{
	return NULL;
}

#endif /* CONFIG_ALLOCTAG_LATENCY */

/**
 * struct alloctag_whole - a call of an allocator that was asked for
 * @tag: the current tag, as it was
 * @since: when it began, by alloctag_ticks(); 0 where it is not timed
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
