// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_fails: allocates, frees that, and does not want to be loaded. It takes
 * a parameter that is a number, so that it can be loaded wrongly, too.
 */
#include <linux/module.h>
#include <linux/slab.h>

static unsigned int size = 100;
module_param(size, uint, 0);
MODULE_PARM_DESC(size, "bytes to allocate");

static int __init fails_init(void)
{
	void *object = kmalloc(size, GFP_KERNEL);

	kfree(object);
	return object ? -EOPNOTSUPP : -ENOMEM;
}

module_init(fails_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Fails to load");
