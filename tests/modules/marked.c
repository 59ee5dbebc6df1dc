// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_marked: alloctag_tenant with the mark of the Rust core's tags, as one
 * has that was built for it. For kernels with the C core.
 */
#include "tenant.c"

MODULE_INFO(alloc_tags, "24 bytes");
