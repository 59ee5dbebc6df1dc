// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of allocations, whose definitions are macros: for src/platform/events.rs.
 */
#include <linux/alloc_tag.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>

#include "slab.h"
#include "../bindings.h"

#define CREATE_TRACE_POINTS
#include "events_trace.h"

static_assert(ALLOCTAG_STALL_RECLAIM == 0 && ALLOCTAG_STALL_COMPACTION == 1 &&
	      ALLOCTAG_STALL_OOM == 2 && ALLOCTAG_STALL_PAGES == 3 &&
	      ALLOCTAG_STALL_SLAB == 4 && ALLOCTAG_STALL_PERCPU == 5 &&
	      ALLOCTAG_STALL_VMALLOC == 6 && ALLOCTAG_STALL_CAUSES == 7);

int alloctag_names_begin(void)
{
	alloctag_names_get();
	return 0;
}

void alloctag_names_end(void)
{
	alloctag_names_put();
}

/* The names first: what is told of without one names nothing. */
int alloctag_traced_begin(void)
{
#if defined(CONFIG_STACKTRACE) && defined(CONFIG_KALLSYMS)
	int ret = alloctag_stack_names();

	if (ret)
		return ret;
#endif
	alloctag_names_get();
	alloctag_traced_get();
	return 0;
}

void alloctag_traced_end(void)
{
	alloctag_traced_put();
	alloctag_names_put();
}

void alloctag_trace_alloc(const struct alloctag_site *site,
			  const struct alloctag_object *object, gfp_t gfp)
{
	trace_alloc(site, object, gfp);
}

void alloctag_trace_free(const struct alloctag_site *site,
			 const struct alloctag_object *object,
			 unsigned long call_site)
{
	trace_free(site, object, call_site);
}

void alloctag_trace_fail(const struct alloctag_site *site, size_t bytes,
			 unsigned int order, gfp_t gfp, bool injected, bool again)
{
	trace_fail(site, bytes, order, gfp, injected, again);
}

#ifdef CONFIG_ALLOCTAG_STALLS
void alloctag_trace_stall(const struct alloctag_site *site, unsigned int cause,
			  u64 ns)
{
	trace_stall(site, cause, ns);
}
#endif

/*
 * Whether a memcg is yet to be charged for what these flags were asked with, of
 * a cache if not of pages, and may refuse it.
 */
bool alloctag_is_to_be_charged(const struct kmem_cache *s, gfp_t flags)
{
	return memcg_kmem_online() &&
	       ((flags & __GFP_ACCOUNT) || (s && (s->flags & SLAB_ACCOUNT)));
}

/* An object's address, from its offset as hooks have it. */
const void *alloctag_object_address(const struct slab *slab, unsigned long offset)
{
	return slab_address(slab) + (offset & ~1UL);
}

unsigned long alloctag_page_number(const struct page *page)
{
	return page_to_pfn(page);
}
