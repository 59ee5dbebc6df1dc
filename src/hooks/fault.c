// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls of allocators that have to be asked for: as a whole, whatever they try.
 *
 * Each of these is called by the allocator of its name, and calls that again
 * unless it is to fail; with the same arguments, of which those are told that
 * decide. Stacks go by the ends of their names, which are an allocator's.
 */
#include <linux/alloc_tag.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>

#include <alloctag/fault_hooks.h>

#include "slab.h"
#include "page_alloc.h"
#include "../bindings.h"

/*
 * What stands in the place of a task's fail_nth meanwhile: a number of calls that
 * none comes to, so that no attribute has one fail. Others may write there, and
 * then it is theirs.
 */
#define FAIL_NTH_ASIDE UINT_MAX

#ifdef CONFIG_FAULT_INJECTION
static unsigned int put_aside(void)
{
	unsigned int fail_nth = in_task() ? READ_ONCE(current->fail_nth) : 0;

	if (fail_nth)
		WRITE_ONCE(current->fail_nth, FAIL_NTH_ASIDE);
	return fail_nth;
}

static void put_back(unsigned int fail_nth)
{
	if (READ_ONCE(current->fail_nth) > FAIL_NTH_ASIDE / 2)
		WRITE_ONCE(current->fail_nth, fail_nth);
}
#else
static unsigned int put_aside(void) { return 0; }
static void put_back(unsigned int fail_nth) {}
#endif

/* A tag, without what stands beside its address. */
static struct alloc_tag *bare(struct alloc_tag *tag)
{
	return (void *)((unsigned long)tag & ~ALLOC_TAG_MARK);
}

static struct alloc_tag *current_tag(void)
{
	return bare(current->alloc_tag);
}

/* For every call of some call sites, which are few. */
bool alloctag_asks(void)
{
	return alloc_tag_done((unsigned long)alloc_tag_current()) && !in_nmi();
}

/* Whether a caller with these flags may be in any lock's way, but not in reclaim's. */
static bool may_wait(gfp_t flags)
{
	flags = current_gfp_context(flags & gfp_allowed_mask);
	return (flags & GFP_KERNEL) == GFP_KERNEL;
}

/* Whether the call goes on, to alloctag_whole_end(); or else it was counted. */
bool alloctag_whole_begin(struct alloctag_whole *whole, size_t bytes,
			  unsigned int order, gfp_t flags)
{
	struct alloc_tag *tag = current_tag();

	might_alloc(flags & gfp_allowed_mask);
	if ((READ_ONCE(tag->lineno) & ALLOC_TAG_ARMING) &&
	    !(flags & __GFP_NOFAIL) &&
	    alloctag_fails(tag, bytes, order, flags, may_wait(flags)))
		return false;
	alloctag_whole_rest(whole, bytes, order, flags);
	return true;
}

/* The same for what must not fail, or of which somebody was asked before. */
void alloctag_whole_rest(struct alloctag_whole *whole, size_t bytes,
			 unsigned int order, gfp_t flags)
{
	u32 line = READ_ONCE(current_tag()->lineno);

	whole->bytes = bytes;
	whole->order = order;
	whole->flags = flags;
	whole->tag = alloctag_attempt();
	/* Of what is timed and does not fail, others may count the calls. */
	whole->fail_nth = line & ALLOC_TAG_ARMING ? put_aside() : 0;
	whole->since = 0;
	if (IS_ENABLED(CONFIG_ALLOCTAG_LATENCY) && (line & ALLOC_TAG_TIMED))
		whole->since = alloc_tag_ticks();
}

/* The same for what is not counted: it takes none of the time that is anybody's. */
void alloctag_whole_uncounted(struct alloctag_whole *whole)
{
	alloctag_whole_rest(whole, 0, 0, 0);
	whole->since = 0;
}

void alloctag_whole_end(struct alloctag_whole *whole, bool given)
{
	if (IS_ENABLED(CONFIG_ALLOCTAG_LATENCY) && whole->since) {
		u64 ns = alloc_tag_elapsed(whole->since);

		rcu_read_lock();
		alloctag_timed(bare(whole->tag), ns);
		rcu_read_unlock();
	}
	alloctag_attempted(whole->tag);
	if (whole->fail_nth)
		put_back(whole->fail_nth);
	if (!given)
		alloc_tag_failed(whole->bytes, whole->order, whole->flags);
}

/* What is not counted does not fail, nor what slabs themselves need at boot. */
bool alloctag_is_fallible(const struct kmem_cache *s)
{
	return !(s->flags & SLAB_NOLEAKTRACE) && s != kmem_cache;
}

bool alloctag_whole_bulk_noprof(struct kmem_cache *s, gfp_t flags, size_t size,
				void **p)
{
	size_t bytes = size * s->object_size;
	struct alloctag_whole whole;
	bool given;

	if (!alloctag_is_fallible(s))
		alloctag_whole_rest(&whole, bytes, 0, flags);
	else if (!alloctag_whole_begin(&whole, bytes, 0, flags))
		return false;
	given = kmem_cache_alloc_bulk_noprof(s, flags, size, p);
	alloctag_whole_end(&whole, given);
	return given;
}

#undef kmem_cache_prefill_sheaf
#undef kmem_cache_refill_sheaf

struct slab_sheaf *alloctag_whole_prefill_noprof(struct kmem_cache *s,
						 gfp_t flags, unsigned int size)
{
	size_t bytes = (size_t)size * s->object_size;
	struct alloctag_whole whole;
	struct slab_sheaf *sheaf;

	if (!alloctag_is_fallible(s))
		alloctag_whole_rest(&whole, bytes, 0, flags);
	else if (!alloctag_whole_begin(&whole, bytes, 0, flags))
		return NULL;
	sheaf = kmem_cache_prefill_sheaf(s, flags, size);
	/* Objects are counted when they are taken out, and so nothing here. */
	alloctag_whole_end(&whole, true);
	return sheaf;
}

int alloctag_whole_refill_noprof(struct kmem_cache *s, gfp_t flags,
				 struct slab_sheaf **sheaf, unsigned int size)
{
	unsigned int more = size - kmem_cache_sheaf_size(*sheaf);
	size_t bytes = (size_t)more * s->object_size;
	struct alloctag_whole whole;
	int error;

	if (!alloctag_is_fallible(s))
		alloctag_whole_rest(&whole, bytes, 0, flags);
	else if (!alloctag_whole_begin(&whole, bytes, 0, flags))
		return -ENOMEM;
	error = kmem_cache_refill_sheaf(s, flags, sheaf, size);
	alloctag_whole_end(&whole, true);
	return error;
}

void *alloctag_whole_kvmalloc_noprof(DECL_KMALLOC_PARAMS(size, b, token),
				     unsigned long align, gfp_t flags, int node)
{
	struct alloctag_whole whole;
	void *object;

	if (!alloctag_whole_begin(&whole, size, 0, flags))
		return NULL;
	object = __kvmalloc_node_noprof(PASS_KMALLOC_PARAMS(size, b, token),
					align, flags, node);
	alloctag_whole_end(&whole, object);
	return object;
}

void *alloctag_whole_vmalloc_noprof(unsigned long size, unsigned long align,
				    unsigned long start, unsigned long end,
				    gfp_t flags, pgprot_t prot,
				    unsigned long vm_flags, int node,
				    const void *caller)
{
	struct alloctag_whole whole;
	void *area;

	if (!alloctag_whole_begin(&whole, size, 0, flags))
		return NULL;
	area = __vmalloc_node_range_noprof(size, align, start, end, flags, prot,
					   vm_flags, node, caller);
	alloctag_whole_end(&whole, area);
	return area;
}

void __percpu *alloctag_whole_percpu_noprof(size_t size, size_t align,
					    bool reserved, gfp_t flags)
{
	struct alloctag_whole whole;
	void __percpu *area;

	if (!alloctag_whole_begin(&whole, size, 0, flags))
		return NULL;
	area = pcpu_alloc_noprof(size, align, reserved, flags);
	alloctag_whole_end(&whole, area);
	return area;
}

struct page *alloctag_whole_pages_noprof(gfp_t flags, unsigned int order,
					 int nid, nodemask_t *nodemask,
					 unsigned int alloc_flags)
{
	struct alloctag_whole whole;
	struct page *page;

	/* Those with locks of any kind held, in whatever context; and our own. */
	if (alloc_flags & (ALLOC_NOLOCK | ALLOC_NO_CODETAG))
		alloctag_whole_rest(&whole, PAGE_SIZE << order, order, flags);
	else if (!alloctag_whole_begin(&whole, PAGE_SIZE << order, order, flags))
		return NULL;
	page = __alloc_frozen_pages_noprof(flags, order, nid, nodemask,
					   alloc_flags);
	alloctag_whole_end(&whole, page);
	return page;
}

/* Returns how many of the array are there, those that were so before included. */
unsigned long alloctag_whole_bulk_pages_noprof(gfp_t flags, int nid,
					       nodemask_t *nodemask, int nr,
					       struct page **pages)
{
	struct alloctag_whole whole;
	unsigned long given;
	int before = 0;

	while (before < nr && pages[before])
		before++;
	if (!alloctag_whole_begin(&whole, (size_t)(nr - before) << PAGE_SHIFT,
				  0, flags))
		return before;
	given = alloc_pages_bulk_noprof(flags, nid, nodemask, nr, pages);
	alloctag_whole_end(&whole, given > before);
	return given;
}

#ifdef CONFIG_NUMA
unsigned long alloctag_whole_mempolicy_noprof(gfp_t flags, unsigned long nr,
					      struct page **pages)
{
	struct alloctag_whole whole;
	unsigned long given;

	if (!alloctag_whole_begin(&whole, nr << PAGE_SHIFT, 0, flags))
		return 0;
	given = alloc_pages_bulk_mempolicy_noprof(flags, nr, pages);
	alloctag_whole_end(&whole, given);
	return given;
}
#endif

#ifdef CONFIG_CONTIG_ALLOC
struct page *alloctag_whole_contig_noprof(unsigned long nr, gfp_t flags,
					  int nid, nodemask_t *nodemask)
{
	struct alloctag_whole whole;
	struct page *page;

	if (!alloctag_whole_begin(&whole, nr << PAGE_SHIFT, 0, flags))
		return NULL;
	page = alloc_contig_frozen_pages_noprof(nr, flags, nid, nodemask);
	alloctag_whole_end(&whole, page);
	return page;
}

int alloctag_whole_range_noprof(unsigned long start, unsigned long end,
				acr_flags_t alloc_flags, gfp_t flags)
{
	struct alloctag_whole whole;
	int error;

	if (!alloctag_whole_begin(&whole, (end - start) << PAGE_SHIFT, 0,
				  flags))
		return -ENOMEM;
	error = alloc_contig_frozen_range_noprof(start, end, alloc_flags, flags);
	/* Who asks for this very range tries another one. */
	alloctag_whole_end(&whole, true);
	return error;
}
#endif

/* Whoever can wait for an element is given one; how many bytes that has, nobody says. */
void *alloctag_whole_mempool_noprof(struct mempool *pool, gfp_t flags)
{
	struct alloctag_whole whole;
	void *element;

	if (flags & __GFP_DIRECT_RECLAIM)
		alloctag_whole_rest(&whole, 0, 0, flags);
	else if (!alloctag_whole_begin(&whole, 0, 0, flags))
		return NULL;
	element = mempool_alloc_noprof(pool, flags);
	alloctag_whole_end(&whole, element);
	return element;
}

int alloctag_whole_mempool_bulk_noprof(struct mempool *pool, void **elements,
				       unsigned int count)
{
	struct alloctag_whole whole;
	int error;

	alloctag_whole_rest(&whole, 0, 0, GFP_KERNEL);
	error = mempool_alloc_bulk_noprof(pool, elements, count);
	alloctag_whole_end(&whole, !error);
	return error;
}
