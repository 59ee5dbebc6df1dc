// SPDX-License-Identifier: GPL-2.0-only
/*
 * What src/platform/module.rs needs of inline functions; those of parameters are
 * some without sysfs, whose lock it is.
 */
#include <linux/alloc_tag.h>
#include <linux/module.h>
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

bool alloctag_is_in_module(unsigned long address, struct module *module)
{
	return within_module(address, module);
}

bool alloctag_is_in_init(unsigned long address, struct module *module)
{
	return within_module_mem_type(address, module, MOD_INIT_TEXT);
}
