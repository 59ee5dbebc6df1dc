/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Of the module loader, where the kernel has the C core or none; part of
 * kernel/module/main.c.
 *
 * The C core would take tags of the other one for its own, which lie in a section
 * of the same name and are 24 bytes long and not 40. Without a core there is
 * nobody who looks at them.
 */
#ifndef _ALLOCTAG_NO_MODULE_HOOKS_H
#define _ALLOCTAG_NO_MODULE_HOOKS_H

static int check_modinfo_alloc_tags(const struct load_info *info)
{
	const char *layout = get_modinfo(info, "alloc_tags");

	if (!IS_ENABLED(CONFIG_MEM_ALLOC_PROFILING) || !layout)
		return 0;

	pr_err("%s: built with allocation tags that are not this kernel's (%s instead of the C core's); build it against this kernel's headers\n",
	       info->name, layout);
	return -ENOEXEC;
}

#endif /* _ALLOCTAG_NO_MODULE_HOOKS_H */
