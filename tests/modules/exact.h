/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Known amounts on known lines. In three steps, memory is allocated by every
 * function there is for that, changed, and freed; after each step, a file says
 * what every call site, named by its function, has to hold.
 */
#ifndef ALLOCTAG_EXACT_H
#define ALLOCTAG_EXACT_H

#include <linux/mm.h>
#include <linux/types.h>

#include "slab.h"

/* An amount that is the allocator's own business, but equal in all kernels. */
#define EXACT_UNKNOWN	(-1)

/**
 * exact_expect() - say what a call site has to hold from now on
 * @function:	the function that it is in
 * @bytes:	live bytes, or EXACT_UNKNOWN
 * @calls:	live allocations
 */
void exact_expect(const char *function, s64 bytes, u64 calls);

/**
 * struct exact_part - the functions of a kind
 * @hold:	allocates; false where it could not
 * @change:	moves, splits, grows or frees a part
 * @release:	frees what there is
 */
struct exact_part {
	bool (*hold)(void);
	bool (*change)(void);
	void (*release)(void);
};

extern const struct exact_part slab_part, page_part, area_part, container_part,
			       names_part;

/* What an object of kmalloc() takes, whether a slab has it or pages of its own. */
static inline s64 exact_size(const void *object)
{
	struct slab *slab = virt_to_slab(object);

	return slab ? slab->slab_cache->size :
	       folio_size(virt_to_folio(object));
}

#endif /* ALLOCTAG_EXACT_H */
