/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the references of slab objects lie; part of mm/slab.h.
 *
 * A slab's vector is where the objcg pointers of its objects begin, if its cache
 * has any, as it is without references. These lie in front, the first object's
 * last: two dense arrays, so that four bytes stay four bytes, and each is found
 * from the vector by the object's index alone. Where the extension lies within
 * each object, the reference follows the pointer.
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

/* Bytes of the references in front of a slab's vector. */
static inline size_t slab_refs_size(struct slab *slab)
{
	if (!slab_obj_ext_has_codetag())
		return 0;
	return ALIGN(sizeof(union codetag_ref) * slab->objects,
		     sizeof(struct slabobj_ext));
}

/* Bytes of a slab's vector and of what lies in front of it. */
static inline size_t slab_obj_exts_size(struct slab *slab)
{
	size_t objcgs = slab_needs_objcg(slab) ? slab->objects : 0;

	return slab_refs_size(slab) + sizeof(struct slabobj_ext) * objcgs;
}

/*
 * The most bytes beyond those that were asked for which fit beside the handle.
 * With debugging, or large pages, kmalloc()'s largest objects may have more,
 * and so may those of its buckets, whose caches are not merged. Merging changes
 * object_size while there are objects, and those have no more than padding.
 */
#define ALLOC_TAG_SLACK_MAX	((1UL << 14) - 1)

static inline bool slack_fits_reference(const struct kmem_cache *s)
{
	return s->size <= ALLOC_TAG_SLACK_MAX + 1 ||
	       !(s->flags & (SLAB_KMALLOC | SLAB_NO_MERGE));
}

/*
 * In the word slab->obj_exts: these are arrays, there are references, and slack
 * fits them. It is all that has to be asked for on the hot path.
 */
#define OBJEXTS_REFS	((unsigned long)__OBJEXTS_FLAG_UNUSED)

/* That word for arrays that begin at @start, but for MEMCG_DATA_OBJEXTS. */
static inline unsigned long slab_obj_exts_word(struct slab *slab, void *start)
{
	unsigned long vector = (unsigned long)start + slab_refs_size(slab);

	if (!slab_obj_ext_has_codetag() ||
	    !slack_fits_reference(slab->slab_cache))
		return vector;
	return vector | OBJEXTS_REFS;
}

/* Where what a slab's vector is part of begins. */
static inline unsigned long slab_obj_exts_start(struct slab *slab,
						unsigned long vector)
{
	if (slab->obj_exts_in_object)
		return vector;
	return vector - slab_refs_size(slab);
}

/*
 * The reference of the one object of a slab that KFENCE has, or NULL. Such
 * slabs have no vectors, but there are only so many of them.
 */
u32 *alloctag_kfence_word(const struct slab *slab);

#endif /* _ALLOCTAG_SLAB_LAYOUT_H */
