// SPDX-License-Identifier: GPL-2.0-only
/*
 * For src/platform/symbol.rs: what is on the stack, and what it is called.
 */
#include <linux/kallsyms.h>
#include <linux/stacktrace.h>
#include <linux/string.h>

#include "../bindings.h"

/* The return addresses on the stack, the innermost first. */
unsigned int alloctag_stack(unsigned long *addresses, unsigned int room)
{
#ifdef CONFIG_STACKTRACE
	return stack_trace_save(addresses, room, 1);
#else
	return 0;
#endif
}

/* The symbol at an address, for a buffer of KSYM_NAME_LEN bytes. */
bool alloctag_symbol(unsigned long address, char *name)
{
	unsigned long size, offset;
	const char *found;
	char *module;

	found = kallsyms_lookup(address, &size, &offset, &module, name);
	if (found && found != name)
		strscpy(name, found, KSYM_NAME_LEN);
	return found;
}
