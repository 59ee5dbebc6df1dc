// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where memory comes and goes: what src/platform/page/plugged.rs and range.rs need
 * of macros.
 */
#include <linux/memory.h>
#include <linux/mm.h>
#include <linux/mmzone.h>

#include "../../bindings.h"

struct page *alloctag_pfn_page(unsigned long pfn)
{
	return pfn_to_page(pfn);
}

int alloctag_pfn_node(unsigned long pfn)
{
	return page_to_nid(pfn_to_page(pfn));
}

/* The first frame of the block that it comes and goes with. */
unsigned long alloctag_pfn_block(unsigned long pfn)
{
	return ALIGN_DOWN(pfn, PHYS_PFN(memory_block_size_bytes()));
}

/* Whether a page has failed whose owner may still have it. */
bool alloctag_pfn_is_poisoned(unsigned long pfn)
{
	return PageHWPoison(pfn_to_page(pfn));
}

/* Whether any of these page frames is online. */
bool alloctag_is_online(unsigned long start, unsigned long end)
{
	for (; start < end; start += PAGES_PER_SECTION) {
		if (online_section_nr(pfn_to_section_nr(start)))
			return true;
	}
	return false;
}
