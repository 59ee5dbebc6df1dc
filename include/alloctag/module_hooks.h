/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inline hook of the module loader; part of kernel/module/main.c.
 *
 * What a module's call sites put into current->alloc_tag is read by every hook
 * as one of this kernel's tags. So a module that has others is not loaded,
 * whether anything is counted or not, and no flag for forcing a load is asked.
 */
#ifndef _ALLOCTAG_MODULE_HOOKS_H
#define _ALLOCTAG_MODULE_HOOKS_H

#include <linux/alloc_tag.h>

static bool has_alloc_tags(const struct load_info *info, const char *section)
{
	/* Section 0, for one that is not there, has no size. */
	return info->sechdrs[find_sec(info, section)].sh_size;
}

/* Before the module has memory of its own, so that nothing of it can run. */
static int check_modinfo_alloc_tags(const struct load_info *info)
{
	const char *layout = get_modinfo(info, __stringify(ALLOC_TAG_MODINFO));

	if (has_alloc_tags(info, ALLOC_TAG_OTHER_SECTION_NAME))
		layout = "the C core's";
	else if (!has_alloc_tags(info, ALLOC_TAG_MODULE_SECTION_NAME))
		return 0;
	else if (!layout)
		layout = "unmarked";
	else if (!strcmp(layout, ALLOC_TAG_LAYOUT))
		return 0;

	pr_err("%s: built with allocation tags that are not this kernel's (%s instead of %s); build it against this kernel's headers\n",
	       info->name, layout, ALLOC_TAG_LAYOUT);
	return -ENOEXEC;
}

#endif /* _ALLOCTAG_MODULE_HOOKS_H */
