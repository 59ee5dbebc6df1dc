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

/*
 * NULL where a section has no memory. Not to be asked for what is no memory beside
 * some in its section, nor for a device's.
 */
u32 *alloctag_piece_word(const struct page *page)
{
	unsigned long pfn = page_to_pfn(page);
	const struct mem_section *section = __pfn_to_section(pfn);
	u32 *words = section ? READ_ONCE(section->alloctag_words) : NULL;

	return words ? words + (pfn & ~PAGE_SECTION_MASK) : NULL;
}

/*
 * Makes the piece of a section, with words for its page frames from the first to
 * the last that are memory, if there are any. False where memblock has not that
 * much left.
 *
 * A section of which a part is no memory never goes: offline_pages() refuses
 * blocks with holes.
 */
static bool __init piece_make(unsigned long first, unsigned long end, int nid)
{
	unsigned long bytes = (end - first) * sizeof(u32);
	u32 *words;

	if (!bytes)
		return true;
	words = memblock_alloc_node(bytes, bytes == PIECE_BYTES ?
				    PIECE_ALIGN : SMP_CACHE_BYTES, nid);
	if (!words)
		return false;
	/* There is no pointer in it. */
	kmemleak_ignore_phys(__pa(words));
	__pfn_to_section(first)->alloctag_words =
		words - (first & ~PAGE_SECTION_MASK);
	return true;
}

/* The bytes of all pieces, or 0 where memblock has not that much left. */
unsigned long __init alloctag_pieces_make(void)
{
	unsigned long start, end, next, frames = 0;
	/* Of the piece that is about to be made, which ranges may share. */
	unsigned long first = 0, last = 0;
	int i, nid, node = NUMA_NO_NODE;

	for_each_mem_pfn_range(i, MAX_NUMNODES, &start, &end, &nid) {
		for (; start < end; start = next) {
			next = min(ALIGN(start + 1, PAGES_PER_SECTION), end);
			/* Beyond what can be mapped there is none. */
			if (!__pfn_to_section(start))
				continue;
			if (first == last || pfn_to_section_nr(start) !=
					     pfn_to_section_nr(first)) {
				if (!piece_make(first, last, node))
					return 0;
				frames += last - first;
				first = start;
				node = nid;
			}
			last = next;
		}
	}
	if (!piece_make(first, last, node))
		return 0;
	return (frames + last - first) * sizeof(u32);
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
