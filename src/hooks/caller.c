// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rust code's own allocators, which src/hooks/caller.rs has: what tells the places of
 * kmalloc() calls apart is a macro, and modules call what is exported.
 */
#include <linux/alloc_tag.h>
#include <linux/export.h>
#include <linux/gfp.h>
#include <linux/slab.h>

#include "../bindings.h"

#ifdef CONFIG_KMALLOC_PARTITION_CACHES
void *alloctag_krealloc_noprof(const void *object, size_t size,
			       unsigned long align, gfp_t flags, int node)
{
	return krealloc_node_align_noprof(object,
			PASS_TOKEN_PARAMS(size, __kmalloc_token(size)),
			align, flags, node);
}

void *alloctag_kvrealloc_noprof(const void *object, size_t size,
				unsigned long align, gfp_t flags, int node)
{
	return kvrealloc_node_align_noprof(object,
			PASS_TOKEN_PARAMS(size, __kmalloc_token(size)),
			align, flags, node);
}
#endif

struct page *alloctag_alloc_pages_noprof(gfp_t flags, unsigned int order)
{
	return alloc_pages_noprof(flags, order);
}

EXPORT_SYMBOL_GPL(alloctag_krealloc);
EXPORT_SYMBOL_GPL(alloctag_kvrealloc);
EXPORT_SYMBOL_GPL(alloctag_vrealloc);
EXPORT_SYMBOL_GPL(alloctag_alloc_pages);
