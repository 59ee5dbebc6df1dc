// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_forged: alloctag_tenant with the tags of the C core, 40 bytes each, as
 * if headers had been found that know of no other. A kernel with the C core takes
 * it for what it is.
 */
#undef CONFIG_MEM_ALLOC_PROFILING_RUST
#include "tenant.c"
