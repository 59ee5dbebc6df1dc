// SPDX-License-Identifier: GPL-2.0-only
/* What src/platform/module.rs needs of inline functions. */
#include <linux/alloc_tag.h>
#include <linux/module.h>

#include "../bindings.h"

bool alloctag_is_in_module(unsigned long address, struct module *module)
{
	return within_module(address, module);
}

bool alloctag_is_in_init(unsigned long address, struct module *module)
{
	return within_module_mem_type(address, module, MOD_INIT_TEXT);
}
