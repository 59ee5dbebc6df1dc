// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whether any call of an allocator has to be asked for: for src/platform/calls.rs.
 */
#include <linux/jump_label.h>

#include <alloctag/fault_hooks.h>

#include "../bindings.h"

DEFINE_STATIC_KEY_FALSE(alloctag_armed_key);

u8 alloctag_armed[256];

/* Whether there is a call site of which calls have to be; may sleep. */
void alloctag_arm(bool on)
{
	if (on)
		static_branch_enable(&alloctag_armed_key);
	else
		static_branch_disable(&alloctag_armed_key);
}
