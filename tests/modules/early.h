/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef ALLOCTAG_EARLY_H
#define ALLOCTAG_EARLY_H

/* Of early_box.rs: some bytes from kmalloc(), or NULL. */
void *early_box(void);

#endif /* ALLOCTAG_EARLY_H */
