// SPDX-License-Identifier: GPL-2.0-only
/*
 * One table where memory is one piece without large holes, for
 * src/platform/page/pieces.rs.
 */
#include <linux/cache.h>
#include <linux/kmemleak.h>
#include <linux/memblock.h>
#include <linux/mm.h>

#include "../../bindings.h"

static u32 *table __ro_after_init;

/* NULL where there is no table. */
u32 *alloctag_piece_word(const struct page *page)
{
	return table ? table + (page_to_pfn(page) - ARCH_PFN_OFFSET) : NULL;
}

/* Its bytes, or 0 where memblock has not that much left. */
unsigned long __init alloctag_pieces_make(void)
{
	unsigned long bytes = (max_pfn - ARCH_PFN_OFFSET) * sizeof(u32);

	table = memblock_alloc(bytes, SMP_CACHE_BYTES);
	if (!table)
		return 0;
	/* There is no pointer in it. */
	kmemleak_ignore_phys(__pa(table));
	return bytes;
}
