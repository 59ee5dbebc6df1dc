/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the module loader asks of code tagging: <linux/codetag.h> where the Rust
 * core is configured.
 *
 * Objects and pages name an account, never a tag, so a module's tags can live
 * and die with its other data: none of them needs memory of its own.
 */
#ifndef _ALLOCTAG_CODETAG_H
#define _ALLOCTAG_CODETAG_H

#include <linux/types.h>

struct module;

static inline bool codetag_needs_module_section(struct module *mod,
						const char *name,
						unsigned long size)
{
	return false;
}

static inline void *codetag_alloc_module_section(struct module *mod,
						 const char *name,
						 unsigned long size,
						 unsigned int prepend,
						 unsigned long align)
{
	return NULL;
}

static inline void codetag_module_replaced(struct module *mod,
					   struct module *new_mod) {}

/* Its parameters may allocate, so it was made known before: src/hooks/module.c. */
static inline int codetag_load_module(struct module *mod) { return 0; }

#ifdef CONFIG_MODULES
/* After its last line of code has run, and where its load has failed before. */
void codetag_unload_module(struct module *mod);
void codetag_free_module_sections(struct module *mod);
#else
static inline void codetag_unload_module(struct module *mod) {}
static inline void codetag_free_module_sections(struct module *mod) {}
#endif

#endif /* _ALLOCTAG_CODETAG_H */
