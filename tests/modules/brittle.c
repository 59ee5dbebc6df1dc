// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_brittle: a module whose init function forgets what it has where it is
 * given no more, and then fails: nothing of the module is left but its memory.
 */
#include <linux/module.h>
#include <linux/slab.h>

#define OBJECT	512
#define OTHER	192

static void *object, *other;

static noinline int prepare(void)
{
	object = kmalloc(OBJECT, GFP_KERNEL);
	if (!object)
		return -ENOMEM;
	other = kmalloc(OTHER, GFP_KERNEL);
	return other ? 0 : -ENOMEM;
}

static int __init brittle_init(void)
{
	return prepare();
}

static void __exit brittle_exit(void)
{
	kfree(other);
	kfree(object);
}

module_init(brittle_init);
module_exit(brittle_exit);
MODULE_DESCRIPTION("an init function that leaks where it fails");
MODULE_LICENSE("GPL");
