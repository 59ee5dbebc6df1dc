// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lock of src/platform/rwsem.rs: its initialiser is a macro.
 */
#include <linux/rwsem.h>

#include "../bindings.h"

DECLARE_RWSEM(alloctag_sections_rwsem);
