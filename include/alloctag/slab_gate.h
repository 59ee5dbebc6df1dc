/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The gates of slab objects; part of mm/slub.c.
 *
 * They resolve what only mm's macros can, an object's slab and its offset
 * there, and call the core; while profiling is off they are a no-op.
 */
#ifndef _ALLOCTAG_SLAB_GATE_H
#define _ALLOCTAG_SLAB_GATE_H

static __always_inline unsigned long
alloc_tag_offset(const struct slab *slab, const void *object)
{
	return kasan_reset_tag(object) - slab_address(slab);
}

static __always_inline void
alloc_tagging_slab_alloc_hook(struct kmem_cache *s, void *object, gfp_t flags,
			      const struct slab_alloc_context *ac)
{
	struct slab *slab;

	if (!mem_alloc_profiling_enabled())
		return;
	if (unlikely(!object) || ac->alloc_flags & SLAB_ALLOC_NO_RECURSE)
		return;

	/* The object comes from @s, so its page needs no check of its type. */
	slab = (struct slab *)compound_head(virt_to_page(object));
	alloctag_slab_alloc(s, slab, alloc_tag_offset(slab, object),
			    ac->orig_size, current->alloc_tag,
			    (u64)ac->alloc_flags << 32 | (__force u32)flags);
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
