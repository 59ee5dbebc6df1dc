// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_more: five thousand call sites; a kernel that has the usual number of
 * spare accounts has them in chunks.
 */
#define FIVE_THOUSAND
#include "many.c"
