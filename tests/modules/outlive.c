// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_outlive: allocates in one way after the other, hands it all over to
 * alloctag_keeper, and can be unloaded. Its init function returns "error".
 */
#include <linux/gfp.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "keeper.h"

#define SMALL	100
#define PAGES	3

static int error;
module_param(error, int, 0);
MODULE_PARM_DESC(error, "what the init function returns, 0 or a negative error");

static bool keep_object(void)
{
	struct keepsake keepsake = { .object = kmalloc(SMALL, GFP_KERNEL) };

	return keepsake.object && alloctag_keep(&keepsake);
}

static bool keep_vmalloc(void)
{
	struct keepsake keepsake = { .object = vmalloc(PAGES * PAGE_SIZE) };

	return keepsake.object && alloctag_keep(&keepsake);
}

static bool keep_page(void)
{
	struct keepsake keepsake = { .page = alloc_page(GFP_KERNEL) };

	return keepsake.page && alloctag_keep(&keepsake);
}

static bool keep_area(void)
{
	struct keepsake keepsake = { .area = __alloc_percpu(KEEPER_AREA, PAGE_SIZE) };

	return keepsake.area && alloctag_keep(&keepsake);
}

/* In the order in which alloctag_keeper will free it. */
static int __init outlive_init(void)
{
	if (!keep_object() || !keep_vmalloc() || !keep_page() || !keep_area())
		return -ENOMEM;
	return error;
}

static void __exit outlive_exit(void)
{
}

module_init(outlive_init);
module_exit(outlive_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Leaves memory behind");
