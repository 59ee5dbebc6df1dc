// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_stranded: has a page of the block of memory that begins with page frame
 * "start", until it goes. With "unplugged" it lets that memory go with the page
 * unfreed, as virtio-mem's driver does, and does not free it.
 */
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/memory.h>
#include <linux/mm.h>
#include <linux/module.h>

static ulong start;
module_param(start, ulong, 0);
MODULE_PARM_DESC(start, "the first page frame of the block");

static bool unplugged;
module_param(unplugged, bool, 0);
MODULE_PARM_DESC(unplugged, "the page goes with its memory");

static ulong address;
module_param(address, ulong, 0400);
MODULE_PARM_DESC(address, "of the page, to the hardware");

static struct page *page;

static bool is_within(const struct page *candidate)
{
	ulong pfn = page_to_pfn(candidate);

	return pfn >= start && pfn < start + PHYS_PFN(memory_block_size_bytes());
}

/* Of the block's own node, or the others' memory would have to go first. */
static noinline struct page *stranded_page(void)
{
	return alloc_pages_node(page_to_nid(pfn_to_page(start)), GFP_HIGHUSER_MOVABLE, 0);
}

/* Those that lie elsewhere are kept until one lies there, or memory is half empty. */
static struct page *page_within(void)
{
	unsigned long left = si_mem_available() / 2;
	struct page *candidate, *next;
	LIST_HEAD(others);

	while ((candidate = stranded_page()) && !is_within(candidate)) {
		list_add(&candidate->lru, &others);
		if (!--left) {
			candidate = NULL;
			break;
		}
	}
	list_for_each_entry_safe(page, next, &others, lru) {
		list_del(&page->lru);
		__free_page(page);
	}
	return candidate;
}

static int going(struct notifier_block *block, unsigned long action, void *data)
{
	const struct memory_notify *memory = data;

	if (memory->start_pfn != start)
		return NOTIFY_OK;
	if (action == MEM_GOING_OFFLINE)
		page_ref_dec(page);
	else if (action == MEM_CANCEL_OFFLINE)
		page_ref_inc(page);
	return NOTIFY_OK;
}

static struct notifier_block listener = { .notifier_call = going };

static int __init stranded_init(void)
{
	page = page_within();
	if (!page)
		return -ENOMEM;
	address = page_to_phys(page);
	if (!unplugged)
		return 0;
	__folio_set_offline(page_folio(page));
	return register_memory_notifier(&listener);
}

static void __exit stranded_exit(void)
{
	if (unplugged)
		unregister_memory_notifier(&listener);
	else
		__free_page(page);
}

module_init(stranded_init);
module_exit(stranded_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A page whose memory goes before it is freed");
