// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_tenant: has one object as long as it is loaded, and says so where any
 * of its code runs: a parameter that is set as it is loaded, and its init
 * function. Other modules are made of it, which differ in their tags.
 */
#include <linux/module.h>
#include <linux/slab.h>

#define OBJECT	512

static void *object;

static int set_sign(const char *value, const struct kernel_param *kp)
{
	pr_info("%s: its parameter was set\n", KBUILD_MODNAME);
	return 0;
}

static const struct kernel_param_ops sign_ops = {
	.set = set_sign,
};

module_param_cb(sign, &sign_ops, NULL, 0200);
MODULE_PARM_DESC(sign, "anything");

static int __init tenant_init(void)
{
	pr_info("%s: its init function runs\n", KBUILD_MODNAME);
	object = kmalloc(OBJECT, GFP_KERNEL);
	return object ? 0 : -ENOMEM;
}

static void __exit tenant_exit(void)
{
	kfree(object);
}

module_init(tenant_init);
module_exit(tenant_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("One object, and a sign of life");
