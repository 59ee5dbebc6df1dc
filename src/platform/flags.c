// SPDX-License-Identifier: GPL-2.0-only
/*
 * For src/platform/flags.rs.
 */
#include <linux/gfp.h>
#include <linux/sprintf.h>

#include "../bindings.h"

/* Writes the names of an allocation's flags, and returns how long they are. */
unsigned int alloctag_gfp_names(u32 flags, char *names)
{
	gfp_t gfp = (__force gfp_t)flags;

	return scnprintf(names, ALLOCTAG_GFP_NAMES_LEN, "%pGg", &gfp);
}
