/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The gates of slab objects; part of mm/slub.c.
 *
 * They resolve what only mm's macros can, an object's slab and its offset
 * there, and call the core; while profiling is off they are a no-op.
 */
#ifndef _ALLOCTAG_SLAB_GATE_H
#define _ALLOCTAG_SLAB_GATE_H

/* In a slab of one page, the place in the page is the place in the slab. */
static __always_inline unsigned long
alloc_tag_offset(const struct slab *slab, const void *object)
{
	if (likely(!folio_test_large(slab_folio(slab))))
		return offset_in_page(kasan_reset_tag(object));
	return kasan_reset_tag(object) - slab_address(slab);
}

/*
 * The tag in force. On x86-64 read here and now: as a constant, current would
 * be fetched where the function begins and keep a register that must be saved.
 */
static __always_inline struct alloc_tag *alloc_tag_in_force(void)
{
#ifdef CONFIG_X86
	return this_cpu_read(current_task)->alloc_tag;
#else
	return current->alloc_tag;
#endif
}

/*
 * An object's slab, and in @offset the object's place there. The object is a
 * slab's, so it lies in the direct map and its page needs no check of its type;
 * and if its page is no tail, the place in the page is the place in the slab.
 */
static __always_inline struct slab *
alloc_tag_slab(const void *object, unsigned long *offset)
{
	unsigned long address = (unsigned long)kasan_reset_tag(object);
	struct page *page;

#ifdef CONFIG_X86
	page = pfn_to_page((address - PAGE_OFFSET) >> PAGE_SHIFT);
#else
	page = virt_to_page((void *)address);
#endif
	if (unlikely(PageTail(page))) {
		page = compound_head(page);
		*offset = address - (unsigned long)page_address(page);
	} else {
		*offset = offset_in_page(address);
	}
	return (struct slab *)page;
}

static __always_inline void
alloc_tagging_slab_alloc_hook(struct kmem_cache *s, void **object, gfp_t flags,
			      const struct slab_alloc_context *ac)
{
	unsigned long offset;
	struct slab *slab;

	if (!mem_alloc_profiling_enabled())
		return;
	if (unlikely(!*object) || ac->alloc_flags & SLAB_ALLOC_NO_RECURSE)
		return;

	slab = alloc_tag_slab(*object, &offset);
	alloctag_slab_alloc(s, slab, offset, ac->orig_size, alloc_tag_in_force(),
			    (u64)ac->alloc_flags << 32 | (__force u32)flags);
	/*
	 * Afterwards the object is taken from its place again, and not from a
	 * register that the whole function would have to save for it.
	 */
	asm volatile("" : "+m" (*object));
}

static __always_inline void
alloc_tagging_slab_free_hook(struct kmem_cache *s, struct slab *slab, void **p,
			     int objects)
{
	if (!mem_alloc_profiling_enabled())
		return;

	for (int i = 0; i < objects; i++)
		alloctag_slab_free(s, slab, alloc_tag_offset(slab, p[i]));
}

/* krealloc() found that @object is good for @size bytes, too. */
static __always_inline void
alloc_tagging_slab_resize_hook(const void *object, size_t size)
{
	struct slab *slab;

	if (!mem_alloc_profiling_enabled())
		return;

	slab = virt_to_slab(object);
	if (slab)
		alloctag_slab_resize(slab->slab_cache, slab,
				     alloc_tag_offset(slab, object), size);
}

/*
 * Whether slabs have room for references is settled at boot; a later shutdown
 * does not change it, because slabs with references may exist by then.
 */
static void __init slab_obj_ext_has_codetag_init(void)
{
	bool wanted = !mem_alloc_profiling_permanently_disabled();

	if (wanted == static_key_enabled(&slab_obj_ext_has_codetag_key))
		return;
	if (wanted)
		static_branch_enable(&slab_obj_ext_has_codetag_key);
	else
		static_branch_disable(&slab_obj_ext_has_codetag_key);
}

#endif /* _ALLOCTAG_SLAB_GATE_H */
