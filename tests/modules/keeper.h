/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef ALLOCTAG_KEEPER_H
#define ALLOCTAG_KEEPER_H

#include <linux/mm_types.h>
#include <linux/percpu.h>

/*
 * Bytes of a per-CPU area, the most there may be. The keeper takes so much of
 * them that all others are out of the first chunk, whose areas no core counts.
 */
#define KEEPER_AREA	(32 * 1024)

/**
 * struct keepsake - memory that outlives who allocated it
 * @object:	from kmalloc() or vmalloc()
 * @page:	a single page
 * @area:	a per-CPU area
 */
struct keepsake {
	void *object;
	struct page *page;
	void __percpu *area;
};

/**
 * alloctag_keep() - hand memory over to a module that stays
 * @keepsake:	what is to be freed when /sys/kernel/debug/alloctag_keeper is
 *		written to
 *
 * Return: false where there is no room, and nothing was taken.
 */
bool alloctag_keep(const struct keepsake *keepsake);

/**
 * alloctag_keep_new() - have the keeper allocate an object, and keep it
 *
 * Return: false where it could not.
 */
bool alloctag_keep_new(void);

/**
 * alloctag_keeper_wait() - wait at the gate
 *
 * Whatever is written to /sys/kernel/debug/alloctag_keeper_gate lets one in; reading
 * tells how many wait.
 */
void alloctag_keeper_wait(void);

#endif /* ALLOCTAG_KEEPER_H */
