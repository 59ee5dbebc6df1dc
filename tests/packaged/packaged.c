// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_packaged: alloctag_tenant under another name. It takes in all that
 * a package of headers has of this project.
 */
#include <uapi/linux/alloctag.h>

#include "../modules/tenant.c"
