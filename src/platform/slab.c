// SPDX-License-Identifier: GPL-2.0-only
/*
 * What src/platform/slab.rs needs of mm's inline functions.
 */
#include <linux/cache.h>
#include <linux/init.h>
#include <linux/kasan.h>
#include <linux/kfence.h>
#include <linux/mm.h>

#include "slab.h"
#include "../bindings.h"

#ifdef CONFIG_ALLOCTAG_SLAB_BIAS
unsigned long alloctag_slab_bias __ro_after_init;
#endif

/* Both bases have been settled by then, and do not change any more. */
void __init alloctag_slab_init(void)
{
#ifdef CONFIG_ALLOCTAG_SLAB_BIAS
	alloctag_slab_bias = (unsigned long)vmemmap -
			     (PAGE_OFFSET >> PAGE_SHIFT) * sizeof(struct page);
#endif
}

/* Not where vectors come from, nor kmemleak's own. */
bool alloctag_is_countable(const struct kmem_cache *s)
{
	return !(s->flags & (SLAB_NO_OBJ_EXT | SLAB_NOLEAKTRACE));
}

/* What debugging adds to all objects of a cache, where that is too much. */
size_t alloctag_unsaid_slack(const struct kmem_cache *s)
{
	return slack_fits_reference(s) ? 0 : s->size - s->object_size;
}

/* In units of which size, as a shift, the rest is said. */
unsigned int alloctag_slack_shift(const struct kmem_cache *s)
{
	if (slack_fits_reference(s) || s->object_size <= ALLOC_TAG_SLACK_MAX)
		return 0;
	return fls(s->object_size - 1) - fls(ALLOC_TAG_SLACK_MAX);
}

u32 *alloctag_kfence_word(const struct slab *slab)
{
#ifdef CONFIG_KFENCE
	static u32 words[CONFIG_KFENCE_NUM_OBJECTS];
	/* The buddy allocator's, KASAN gives each of the pool's blocks a tag of its own. */
	const char *address = kasan_reset_tag(slab_address(slab));
	const char *pool = kasan_reset_tag(__kfence_pool);

	if (!pool || (unsigned long)(address - pool) >= KFENCE_POOL_SIZE)
		return NULL;
	/* Behind a pair of guard pages, each object has a page and a guard. */
	return &words[(address - pool) / (2 * PAGE_SIZE) - 1];
#else
	return NULL;
#endif
}

/* References may lie where KASAN sees nobody's memory; see get_slab_obj_exts(). */
void alloctag_metadata_access(bool enable)
{
	if (enable)
		metadata_access_enable();
	else
		metadata_access_disable();
}
