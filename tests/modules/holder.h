/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef ALLOCTAG_HOLDER_H
#define ALLOCTAG_HOLDER_H

#include <linux/types.h>

/*
 * Makes a container that charges what it allocates to the line from which this
 * is called: a list in Rust, which has nothing yet, and a hash table in C. There
 * can be one of each. 0 or a negative error.
 */
int alloctag_holder_list(void);
int alloctag_holder_table(void);

/* Drops what containers there are. */
void alloctag_holder_drop(void);

/* Of holder_list.rs: a list, or NULL; whether it could be made longer. */
void *holder_list_new(void);
bool holder_list_push(void *list);
void holder_list_drop(void *list);

#endif /* ALLOCTAG_HOLDER_H */
