// SPDX-License-Identifier: GPL-2.0-only
/*
 * When modules come: before any of their code runs. The loader's own call of
 * codetag_load_module() comes after the module's parameters, whose functions may
 * allocate. When their init code has run, before it goes. And when they go, while
 * their functions have names, which they have no more when the loader says the next time
 * that it gives up a module before its init function.
 */
#include <linux/alloc_tag.h>
#include <linux/init.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/notifier.h>

#include "../bindings.h"

static int alloctag_module_notify(struct notifier_block *listener,
				  unsigned long state, void *module)
{
	switch (state) {
	case MODULE_STATE_COMING:
		return notifier_from_errno(alloctag_module_coming(module));
	case MODULE_STATE_LIVE:
		alloctag_module_live(module);
		return NOTIFY_OK;
	case MODULE_STATE_GOING:
		alloctag_module_going(module);
		return NOTIFY_OK;
	default:
		return NOTIFY_DONE;
	}
}

/* Before those that may call into the module. */
static struct notifier_block alloctag_module_listener = {
	.notifier_call = alloctag_module_notify,
	.priority = INT_MAX,
};

/* Before there is a user space that could load modules. */
static int __init alloctag_module_init(void)
{
	return register_module_notifier(&alloctag_module_listener);
}
core_initcall(alloctag_module_init);
