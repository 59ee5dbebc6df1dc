// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bytes that are left until an allocation is looked at, on each CPU: for
 * src/platform/countdown.rs.
 *
 * Who is interrupted between reading and writing, or moves to another CPU, draws
 * a little sooner or later, whatever the size of what is allocated.
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
		per_cpu(alloctag_countdowns[index], cpu) = bytes;
}

/* Marsaglia's xorshift64, which needs no lock; 0 is no state. In any context. */
u64 alloctag_countdown_random(void)
{
	u64 state = this_cpu_read(random_state);

	if (unlikely(!state))
		state = get_cycles() | 1;
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	this_cpu_write(random_state, state);
	return state;
}

/* Begins on every CPU with what nobody can foretell; may sleep. */
void alloctag_countdown_prepare(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(random_state, cpu) = get_random_u64() | 1;
}
