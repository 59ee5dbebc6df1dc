// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whose code an address lies in. That of the kernel stays, and of a module we are told
 * when it goes. What else may run (BPF programs, trampolines of ftrace, slots of
 * kprobes) goes without a word, and something else comes to its place.
 */
#include <linux/kallsyms.h>
#include <linux/module.h>

#include <asm/sections.h>

#include "../../bindings.h"
#include "frames.h"

static bool is_of_kernel(unsigned long address)
{
	return is_kernel_text(address) || is_kernel_inittext(address);
}

/*
 * Whether a context may keep it, because its name is kept before it goes. So it
 * is with a module's init code until that module has been initialised. Within an RCU
 * read-side critical section.
 */
bool alloctag_is_text(unsigned long address)
{
#ifdef CONFIG_MODULES
	struct module *module;

	if (is_of_kernel(address))
		return true;
	module = __module_address(address);
	if (!module)
		return false;
	return within_module_mem_type(address, module, MOD_TEXT) ||
	       (READ_ONCE(module->state) == MODULE_STATE_COMING &&
		within_module_mem_type(address, module, MOD_INIT_TEXT));
#else
	return is_of_kernel(address);
#endif
}

/*
 * Writes a return address as function+offset/size [module], for which there must be
 * room for ALLOCTAG_SYMBOL_LEN bytes. Returns how many were written; none where there
 * is no such function.
 */
unsigned int alloctag_name(char *buffer, unsigned long address)
{
	/* Until it is written, it stays. */
	guard(rcu)();
	if (!is_of_kernel(address - 1) && !__module_address(address - 1))
		return 0;
	sprint_backtrace(buffer, address);
	/* Of what is not known it writes the address. */
	return strstarts(buffer, "0x") ? 0 : strlen(buffer);
}
