/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counter of instructions, for the kernel and for programs: under QEMU's -icount shift=0 a
 * nanosecond of the guest is one instruction, and this counts these nanoseconds.
 */
#ifndef ALLOCTAG_BENCH_COUNT_H
#define ALLOCTAG_BENCH_COUNT_H

#if defined(__x86_64__)

/* The time stamp counter. */
static inline unsigned long long instructions(void)
{
	unsigned int low, high;

	asm volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
	return (unsigned long long)high << 32 | low;
}

#elif defined(__aarch64__)

/*
 * The cycle counter, of which QEMU has a billion a second: the architecture's timer ticks once in
 * 16 instructions. It has to be started (module/counter.c).
 */
static inline unsigned long long instructions(void)
{
	unsigned long long count;

	asm volatile("mrs %0, pmccntr_el0" : "=r"(count) : : "memory");
	return count;
}

#endif
#endif
