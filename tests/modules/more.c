// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_more: as many call sites once more; a kernel that has the usual
 * number of spare accounts has none left for them while alloctag_many is loaded.
 */
#include "many.c"
