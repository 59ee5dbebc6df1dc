/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inline hooks of slab objects; part of mm/slub.c.
 *
 * They resolve what only mm's macros can, an object's slab and its offset
 * there, and call the core; while profiling is off they are a no-op.
 */
#ifndef _ALLOCTAG_SLAB_HOOKS_H
#define _ALLOCTAG_SLAB_HOOKS_H

#include <alloctag/event_hooks.h>
#include <alloctag/hook_calls.h>

/*
 * What the core takes for an object's offset: one more than the distance from
 * the slab's start, so that it is within the object and not at an end of it;
 * and so it stays for an address in the object that nobody should free, since
 * objects begin at even ones. In a slab of one page, the place in the page is
 * the place in the slab.
 */
static __always_inline unsigned long
alloc_tag_offset(const struct slab *slab, const void *object)
{
	if (likely(!folio_test_large(slab_folio(slab))))
		return offset_in_page(kasan_reset_tag(object)) | 1;
	return (kasan_reset_tag(object) - slab_address(slab)) | 1;
}

/* The page of an address in the direct map. */
static __always_inline struct page *alloc_tag_page_of(unsigned long address)
{
#ifdef CONFIG_ALLOCTAG_SLAB_BIAS
	unsigned long page = (address >> PAGE_SHIFT) * sizeof(struct page);

	/* Or else what is added is loaded first, and the sum is a third register. */
	asm("addq %[bias], %[page]"
	    : [page] "+r" (page) : [bias] "m" (alloctag_slab_bias) : "cc");
	return (struct page *)page;
#elif defined(CONFIG_ARM64)
	/* virt_to_page(), with the two constants made into one. */
	return (struct page *)((address >> PAGE_SHIFT) * sizeof(struct page) +
			       (VMEMMAP_START - (PAGE_OFFSET >> PAGE_SHIFT) *
				sizeof(struct page)));
#else
	return virt_to_page((void *)address);
#endif
}

/*
 * An object's slab, and in @offset what the core takes for that. The object is a
 * slab's, so it lies in the direct map and its page needs no check of its type;
 * and if its page is no tail, the place in the page is the place in the slab.
 */
static __always_inline struct slab *
alloc_tag_slab(const void *object, unsigned long *offset)
{
	unsigned long address = (unsigned long)kasan_reset_tag(object);
	struct page *page = alloc_tag_page_of(address);

	if (unlikely(PageTail(page))) {
		page = compound_head(page);
		*offset = address - (unsigned long)page_address(page) + 1;
	} else {
		*offset = offset_in_page(address + 1);
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
	if (ac->alloc_flags & SLAB_ALLOC_NO_RECURSE)
		return;
	if (unlikely(!*object)) {
		slab_alloc_failed(s, flags, ac);
		return;
	}

	slab = alloc_tag_slab(*object, &offset);
	alloc_tag_call_slab_alloc(s, slab, offset, ac->orig_size,
				  alloc_tag_current(),
				  (u64)ac->alloc_flags << 32 |
				  alloc_tag_widened(flags));
}

/* A memcg takes @size objects upon it, whose hooks have told no tracer of them. */
static __always_inline void
alloc_tag_objects_charged(struct kmem_cache *s, gfp_t flags, size_t size,
			  void **objects, const struct slab_alloc_context *ac)
{
#ifdef CONFIG_ALLOCTAG_EVENTS
	if (!alloc_tag_tells(alloc))
		return;
	/* Nor does it refuse a single one that there is not. */
	if (unlikely(!*objects))
		return;
	for (size_t i = 0; i < size; i++) {
		unsigned long offset;
		struct slab *slab = alloc_tag_slab(objects[i], &offset);

		alloctag_slab_charged(s, slab, offset, ac->orig_size, flags);
	}
#endif
}

static __always_inline void
alloc_tagging_slab_free_hook(struct kmem_cache *s, struct slab *slab, void **p,
			     int objects)
{
	if (!mem_alloc_profiling_enabled())
		return;

	for (int i = 0; i < objects; i++)
		alloc_tag_call_slab_free(s, slab, alloc_tag_offset(slab, p[i]));
}

/* @object is refused by its memcg after all, and about to be freed. */
static inline void alloc_tagging_slab_undo_hook(struct kmem_cache *s,
						struct slab *slab, void *object)
{
	if (!mem_alloc_profiling_enabled())
		return;
	if (IS_ENABLED(CONFIG_ALLOCTAG_STATS))
		alloctag_slab_undo(s, slab, alloc_tag_offset(slab, object));
	else
		alloc_tag_call_slab_free(s, slab,
					 alloc_tag_offset(slab, object));
}

/* One of many that are refused, which are freed in bulk, hooks and all. */
static inline void alloc_tagging_slab_bulk_undo_hook(struct kmem_cache *s,
						     void *object)
{
	if (IS_ENABLED(CONFIG_ALLOCTAG_STATS))
		alloc_tagging_slab_undo_hook(s, virt_to_slab(object), object);
}

/* krealloc() found that @object is good for @size bytes, too. */
static __always_inline void
alloc_tagging_slab_resize_hook(const void *object, size_t size)
{
	struct page *page;
	struct slab *slab;

	if (!mem_alloc_profiling_enabled())
		return;

	slab = virt_to_slab(object);
	if (slab) {
		alloctag_slab_resize(slab->slab_cache, slab,
				     alloc_tag_offset(slab, object), size);
		return;
	}
	page = virt_to_head_page(object);
	alloc_tag_set_slack(page, &page->private, page_size(page) - size);
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

#endif /* _ALLOCTAG_SLAB_HOOKS_H */
