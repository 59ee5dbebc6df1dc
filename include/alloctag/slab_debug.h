/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The marks that tell CONFIG_MEM_ALLOC_PROFILING_DEBUG which slab objects are
 * uncounted on purpose; part of mm/slub.c.
 */
#ifndef _ALLOCTAG_SLAB_DEBUG_H
#define _ALLOCTAG_SLAB_DEBUG_H

#ifdef CONFIG_MEM_ALLOC_PROFILING_DEBUG

/* An object that was allocated without a tag is about to be freed. */
static inline void mark_obj_codetag_empty(const void *obj)
{
	struct slab *slab;

	if (!slab_obj_ext_has_codetag())
		return;
	slab = virt_to_slab(obj);
	alloctag_slab_mark_empty(slab->slab_cache, slab,
				 kasan_reset_tag(obj) - slab_address(slab) + 1);
}

/* Remembers that objects of this slab went uncounted for want of a vector. */
static inline bool mark_failed_objexts_alloc(struct slab *slab)
{
	return cmpxchg(&slab->obj_exts, 0, OBJEXTS_ALLOC_FAIL) == 0;
}

/* The vector is there after all: marks the objects that went uncounted. */
static inline void handle_failed_objexts_alloc(struct slab *slab,
					       unsigned long obj_exts,
					       struct slabobj_ext *vec)
{
	union codetag_ref *end = (void *)vec + slab_refs_size(slab);

	if (!slab_obj_ext_has_codetag() || obj_exts != OBJEXTS_ALLOC_FAIL)
		return;
	for (unsigned int i = 1; i <= slab->objects; i++)
		set_codetag_empty(end - i);
}

#else /* CONFIG_MEM_ALLOC_PROFILING_DEBUG */

static inline void mark_obj_codetag_empty(const void *obj) {}
static inline bool mark_failed_objexts_alloc(struct slab *slab) { return false; }
static inline void handle_failed_objexts_alloc(struct slab *slab,
					       unsigned long obj_exts,
					       struct slabobj_ext *vec) {}

#endif /* CONFIG_MEM_ALLOC_PROFILING_DEBUG */

#endif /* _ALLOCTAG_SLAB_DEBUG_H */
