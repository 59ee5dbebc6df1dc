/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the references of slab objects lie; part of mm/slab.h.
 *
 * A slab's vector holds first the references, then the objcg pointers, if its
 * cache has any: two dense arrays, so that four bytes stay four bytes, and a
 * reference is where the index says, whatever follows. Where the extension lies
 * within each object, the reference follows the pointer.
 */
#ifndef _ALLOCTAG_SLAB_LAYOUT_H
#define _ALLOCTAG_SLAB_LAYOUT_H

static inline size_t obj_ext_size(bool has_objcg)
{
	return (has_objcg ? sizeof(struct slabobj_ext) : 0) +
	       (slab_obj_ext_has_codetag() ? sizeof(union codetag_ref) : 0);
}

static inline size_t cache_obj_ext_size(struct kmem_cache *s)
{
	return obj_ext_size(cache_needs_objcg(s));
}

static inline size_t slab_obj_ext_size(struct slab *slab)
{
	return obj_ext_size(slab_needs_objcg(slab));
}

/* The distance in bytes between the objcg pointers of a slab's vector. */
static inline size_t slab_objcg_stride(struct slab *slab)
{
	return sizeof(struct slabobj_ext);
}

/* Where in a slab's vector the objcg pointers begin, in bytes. */
static inline size_t slab_objcg_start(struct slab *slab)
{
	if (!slab_obj_ext_has_codetag())
		return 0;
	return ALIGN(sizeof(union codetag_ref) * slab->objects,
		     sizeof(struct slabobj_ext));
}

/* Bytes of a slab's vector. */
static inline size_t slab_obj_exts_size(struct slab *slab)
{
	if (!slab_needs_objcg(slab))
		return obj_ext_size(false) * slab->objects;
	return slab_objcg_start(slab) +
	       sizeof(struct slabobj_ext) * slab->objects;
}

/*
 * The reference of the one object of a slab that KFENCE has, or NULL. Such
 * slabs have no vectors, but there are only so many of them.
 */
u32 *alloctag_kfence_word(const struct slab *slab);

#endif /* _ALLOCTAG_SLAB_LAYOUT_H */
