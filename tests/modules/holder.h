/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef ALLOCTAG_HOLDER_H
#define ALLOCTAG_HOLDER_H

#include <linux/types.h>

/*
 * Makes a container that charges what it allocates to the line from which this
 * is called: a list in Rust, which has nothing yet, and a hash table in C, which
 * is made at once or by Rust code on behalf of that line. There can be one of each.
 * 0 or a negative error.
 */
int alloctag_holder_list(void);
int alloctag_holder_table(void);
int alloctag_holder_covered(void);

/* Drops what containers there are. */
void alloctag_holder_drop(void);

/* Of holder_list.rs: a list, or NULL; whether it could be made longer. */
void *holder_list_new(void);
bool holder_list_push(void *list);
void holder_list_drop(void *list);

/* Of the same: has the other one make the table, under a tag that is gone when it returns. */
int holder_cover(void);
int holder_make_covered(void);

#endif /* ALLOCTAG_HOLDER_H */
