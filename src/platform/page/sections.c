// SPDX-License-Identifier: GPL-2.0-only
/*
 * A piece of table for every section of memory, for src/platform/page/pieces.rs.
 * struct mem_section has its address, as it has that of page_ext.
 */
#include <linux/kmemleak.h>
#include <linux/memblock.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "../../bindings.h"

#define PIECE_BYTES	(PAGES_PER_SECTION * sizeof(u32))
/* Several fit into a page where pages are large: 64 of powerpc's into one of 64 KiB. */
#define PIECE_ALIGN	min(PIECE_BYTES, PAGE_SIZE)

/* NULL for what has no memory, or a device's. */
u32 *alloctag_piece_word(const struct page *page)
{
	unsigned long pfn = page_to_pfn(page);
	const struct mem_section *section = __pfn_to_section(pfn);
	u32 *words = section ? READ_ONCE(section->alloctag_words) : NULL;

	return words ? words + (pfn & ~PAGE_SECTION_MASK) : NULL;
}

/* The bytes of all pieces, or 0 where memblock has not that much left. */
unsigned long __init alloctag_pieces_make(void)
{
	unsigned long start, end, bytes = 0;
	int i, nid;

	for_each_mem_pfn_range(i, MAX_NUMNODES, &start, &end, &nid) {
		start = ALIGN_DOWN(start, PAGES_PER_SECTION);
		for (; start < end; start += PAGES_PER_SECTION) {
			struct mem_section *section = __pfn_to_section(start);

			/* Beyond what can be mapped there is none. */
			if (!section || section->alloctag_words)
				continue;
			section->alloctag_words = memblock_alloc_node(PIECE_BYTES,
								      PIECE_ALIGN,
								      nid);
			if (!section->alloctag_words)
				return 0;
			/* There is no pointer in it. */
			kmemleak_ignore_phys(__pa(section->alloctag_words));
			bytes += PIECE_BYTES;
		}
	}
	return bytes;
}

#ifdef CONFIG_MEMORY_HOTPLUG
/* Makes the pieces of memory that comes; some may be there when it fails. */
int alloctag_pieces_come(unsigned long start, unsigned long end, int nid)
{
	for (; start < end; start += PAGES_PER_SECTION) {
		struct mem_section *section = __pfn_to_section(start);
		u32 *words;

		if (section->alloctag_words)
			continue;
		words = kvzalloc_node(PIECE_BYTES, GFP_KERNEL, nid);
		if (!words)
			return -ENOMEM;
		WRITE_ONCE(section->alloctag_words, words);
	}
	return 0;
}

static bool is_of_boot(const u32 *words)
{
	return !is_vmalloc_addr(words) && PageReserved(virt_to_page(words));
}

/* Takes the pieces of memory of which nothing is online, but for those that stay. */
void alloctag_pieces_go(unsigned long start, unsigned long end,
			bool (*stay)(const u32 *words, unsigned long number))
{
	for (; start < end; start += PAGES_PER_SECTION) {
		struct mem_section *section = __pfn_to_section(start);
		u32 *words = section->alloctag_words;

		if (!words || stay(words, PAGES_PER_SECTION))
			continue;
		/* They were memblock's, which took whole pages. */
		if (is_of_boot(words) && !IS_ALIGNED(PIECE_BYTES, PAGE_SIZE))
			continue;
		WRITE_ONCE(section->alloctag_words, NULL);
		if (is_of_boot(words))
			free_reserved_area(words, (void *)words + PIECE_BYTES,
					   -1, NULL);
		else
			kvfree(words);
	}
}
#endif /* CONFIG_MEMORY_HOTPLUG */
