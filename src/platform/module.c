// SPDX-License-Identifier: GPL-2.0-only
/*
 * What src/platform/module.rs needs of parameters: without sysfs, whose lock it
 * is, these are inline functions.
 */
#include <linux/alloc_tag.h>
#include <linux/moduleparam.h>

#include "../bindings.h"

void alloctag_parameters_lock(struct module *module)
{
	kernel_param_lock(module);
}

void alloctag_parameters_unlock(struct module *module)
{
	kernel_param_unlock(module);
}
