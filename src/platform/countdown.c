// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bytes that are left until an allocation is looked at, on each CPU: for
 * src/platform/countdown.rs.
 *
 * Between counting and beginning anew there are some ten instructions. Who is
 * interrupted there by somebody who allocates, or moves to another CPU, may draw
 * for another one or not at all: with a chance of one in a hundred thousand or so
 * of those that are drawn.
 */
#include <linux/percpu.h>
#include <linux/random.h>

#include "../bindings.h"

DEFINE_PER_CPU(s64, alloctag_countdowns[ALLOCTAG_COUNTDOWNS]);

static DEFINE_PER_CPU(u64, random_state);

/* Elsewhere it is an instruction. */
#if !(defined(CONFIG_X86) && defined(CONFIG_SMP))
/* Counts bytes on a countdown, and says whether it is due. */
bool alloctag_countdown(unsigned int index, size_t bytes)
{
	return this_cpu_sub_return(alloctag_countdowns[index], bytes) <= 0;
}
#endif

/* Whether the countdown of this CPU is due. */
bool alloctag_countdown_is_due(unsigned int index)
{
	return this_cpu_read(alloctag_countdowns[index]) <= 0;
}

/* So many bytes are left on this CPU. */
void alloctag_countdown_set(unsigned int index, s64 bytes)
{
	this_cpu_write(alloctag_countdowns[index], bytes);
}

/* The same on another one that there can be, which does not count yet. */
void alloctag_countdown_set_on(unsigned int cpu, unsigned int index, s64 bytes)
{
	if (cpu_possible(cpu))
		WRITE_ONCE(per_cpu(alloctag_countdowns[index], cpu), bytes);
}

/* Steele, Lea and Flood's splitmix64: a step that is whole, and a mixture of it. In any context. */
u64 alloctag_countdown_random(void)
{
	u64 random = this_cpu_add_return(random_state, 0x9e3779b97f4a7c15ULL);

	random = (random ^ (random >> 30)) * 0xbf58476d1ce4e5b9ULL;
	random = (random ^ (random >> 27)) * 0x94d049bb133111ebULL;
	return random ^ (random >> 31);
}

/* Begins on every CPU with what nobody can foretell; may sleep. */
void alloctag_countdown_prepare(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu(random_state, cpu), get_random_u64());
}
