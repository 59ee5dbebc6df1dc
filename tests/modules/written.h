/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef ALLOCTAG_WRITTEN_H
#define ALLOCTAG_WRITTEN_H

/* Of written_box.rs: allocates and frees. Returns whether it was given something. */
bool written_box(void);

#endif /* ALLOCTAG_WRITTEN_H */
