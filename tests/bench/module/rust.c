// SPDX-License-Identifier: GPL-2.0-only
/*
 * Allocations of Rust code. Each is a call into boxed.rs and one to drop what it gave, in every
 * configuration.
 */
#include "bench.h"

#define PAIRS	1000

#define BOX(name)							\
static bool run_##name(unsigned int count)				\
{									\
	void *p;							\
									\
	return LOOP(count, p = bench_box_##name(), bench_box_drop(p));	\
}

BOX(new)
BOX(hooked)

const struct bench_op rust_ops[] = {
	{ .name = "kbox-64", .count = PAIRS, .run = run_new },
	{ .name = "kbox-hooked-64", .count = PAIRS, .run = run_hooked },
	{ }
};
