// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_mixed: alloctag_tenant, linked with foreign.c.
 */
#include "tenant.c"
