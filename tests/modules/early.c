// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_early: its parameters allocate, in C and in Rust, before its init
 * function runs. "take" frees that again, "keep" hands it over to
 * alloctag_keeper, so many times; "refuse" has the load fail.
 */
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "early.h"
#include "keeper.h"

#define SIZE	100

static noinline void *early_object(void)
{
	return kmalloc(SIZE, GFP_KERNEL);
}

/* How often an object of each language is to be allocated. */
static int set_take(const char *value, const struct kernel_param *param)
{
	unsigned int times;
	int error = kstrtouint(value, 0, &times);

	while (!error && times--) {
		void *object = early_object();
		void *boxed = early_box();

		if (!object || !boxed)
			error = -ENOMEM;
		kfree(object);
		kfree(boxed);
	}
	return error;
}

static int keep(void *object)
{
	struct keepsake keepsake = { .object = object };

	if (!object)
		return -ENOMEM;
	if (alloctag_keep(&keepsake))
		return 0;
	kfree(object);
	return -ENOSPC;
}

static int set_keep(const char *value, const struct kernel_param *param)
{
	unsigned int times;
	int error = kstrtouint(value, 0, &times);

	while (!error && times--)
		error = keep(early_object()) ?: keep(early_box());
	return error;
}

static int set_refuse(const char *value, const struct kernel_param *param)
{
	return -EINVAL;
}

static const struct kernel_param_ops take_ops = { .set = set_take };
static const struct kernel_param_ops keep_ops = { .set = set_keep };
static const struct kernel_param_ops refuse_ops = { .set = set_refuse };

module_param_cb(take, &take_ops, NULL, 0);
MODULE_PARM_DESC(take, "how often to allocate and free");
module_param_cb(keep, &keep_ops, NULL, 0);
MODULE_PARM_DESC(keep, "how often to allocate and hand over");
module_param_cb(refuse, &refuse_ops, NULL, 0);
MODULE_PARM_DESC(refuse, "has the load fail");

static int __init early_init(void)
{
	return 0;
}

static void __exit early_exit(void)
{
}

module_init(early_init);
module_exit(early_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Allocates before its init function");
