// SPDX-License-Identifier: GPL-2.0-only
/*
 * A range of virtual memory with a word for every page frame that there can
 * be, and pages behind it where there is memory: what src/platform/page/range.rs
 * needs of macros and inline functions.
 */
#include <linux/gfp.h>
#include <linux/kasan.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/pgtable.h>
#include <linux/vmalloc.h>
#include <asm/cpufeature.h>

#include "../../bindings.h"

/* Not all of it has pages, which /proc/kcore would otherwise look for. */
static struct vm_struct area = { .flags = VM_SPARSE };

/* The first page frame that the direct map, and so the buddy allocator, can reach. */
unsigned long __init alloctag_range_begin(void)
{
#ifdef CONFIG_ARM64
	return PHYS_PFN(__pa(_PAGE_OFFSET(vabits_actual)));
#else
	return 0;
#endif
}

/* The one behind the last. */
unsigned long __init alloctag_range_end(void)
{
	return PHYS_PFN(DIRECT_MAP_PHYSMEM_END) + 1;
}

/* Where the struct page of page frame 0 is, or would be. */
unsigned long __init alloctag_range_vmemmap(void)
{
	return (unsigned long)vmemmap;
}

/*
 * Reserves virtual memory for so many bytes, and returns its address.
 *
 * Before vmalloc_init() whoever needs some takes it from the lower end of the
 * area, but for this, which is at the upper one. It has nothing behind it yet,
 * and all of it may be accessed as far as KASAN is concerned, whose shadow of
 * it is one page that is mapped everywhere.
 */
unsigned long __init alloctag_range_reserve(unsigned long bytes)
{
	bytes = roundup_pow_of_two(bytes);
	/* As much longer as vmalloc() makes its areas for a guard. */
	area.size = bytes + PAGE_SIZE;
	area.addr = (void *)ALIGN_DOWN(VMALLOC_END + 1 - area.size, bytes);
	area.caller = alloctag_range_reserve;
	vm_area_add_early(&area);
#if defined(CONFIG_KASAN_VMALLOC) && !defined(CONFIG_KASAN_HW_TAGS)
	kasan_populate_early_shadow(kasan_mem_to_shadow(area.addr),
				    kasan_mem_to_shadow(area.addr + bytes));
#endif
	return (unsigned long)area.addr;
}

bool __init alloctag_range_has_huge_pages(void)
{
#ifdef CONFIG_X86
	return boot_cpu_has(X86_FEATURE_PSE);
#else
	return true;
#endif
}

#ifdef CONFIG_MEMORY_HOTPLUG
/* Puts a page of zeroes behind an address, of that node if it has one to spare. */
int alloctag_range_map(unsigned long address, int nid)
{
	struct page *page;
	int err;

	if (vmalloc_to_page((void *)address))
		return 0;
	page = alloc_pages_node(nid, GFP_KERNEL | __GFP_ZERO, 0);
	if (!page)
		return -ENOMEM;
	err = vm_area_map_pages(&area, address, address + PAGE_SIZE, &page);
	if (err)
		__free_page(page);
	return err;
}

/* Takes away what is behind these addresses, which nobody reads or writes. */
void alloctag_range_unmap(unsigned long start, unsigned long end)
{
	struct page *page, *next;
	LIST_HEAD(pages);

	/* The kernel takes an empty range for a defect. */
	if (start == end)
		return;
	for (unsigned long at = start; at < end; at += PAGE_SIZE) {
		page = vmalloc_to_page((void *)at);
		if (page)
			list_add(&page->lru, &pages);
	}
	vm_area_unmap_pages(&area, start, end);
	list_for_each_entry_safe(page, next, &pages, lru) {
		list_del(&page->lru);
		/* Those of boot are memblock's. */
		if (PageReserved(page))
			free_reserved_page(page);
		else
			__free_page(page);
	}
}

/* Whether there is anything behind an address. */
bool alloctag_range_is_mapped(unsigned long address)
{
	return vmalloc_to_page((void *)address);
}

/* Whether a huge page is behind an address. */
bool alloctag_range_is_huge(unsigned long address)
{
	return alloctag_range_is_mapped(address) &&
	       pmd_leaf(pmdp_get(pmd_off_k(address)));
}
#endif /* CONFIG_MEMORY_HOTPLUG */
