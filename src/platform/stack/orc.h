/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's own ORC tables, which the linker bounds and the build has sorted.
 */
#ifndef _ALLOCTAG_STACK_ORC_H
#define _ALLOCTAG_STACK_ORC_H

#include <asm/orc_types.h>

extern int __start_orc_unwind_ip[];
extern int __stop_orc_unwind_ip[];
extern struct orc_entry __start_orc_unwind[];

#endif /* _ALLOCTAG_STACK_ORC_H */
