// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_packaged: alloctag_tenant under another name.
 */
#include "../modules/tenant.c"
