// SPDX-License-Identifier: GPL-2.0-only
/* The counter that ../count.h reads, where it does not count of itself: on arm64. */
#include <linux/bits.h>
#include <linux/smp.h>

#include "bench.h"

#ifdef CONFIG_ARM64
#include <asm/sysreg.h>

/* Of PMCR_EL0: that anything counts. */
#define ENABLE		BIT(0)
/* Of PMCNTENSET_EL0: the counter of cycles. */
#define CYCLES		BIT(31)
/* Of PMUSERENR_EL0: programs may read it. */
#define PROGRAMS_READ	BIT(2)

static void start_here(void *unused)
{
	write_sysreg(read_sysreg(pmcr_el0) | ENABLE, pmcr_el0);
	write_sysreg(0, pmccfiltr_el0);
	write_sysreg(CYCLES, pmcntenset_el0);
	write_sysreg(PROGRAMS_READ, pmuserenr_el0);
	isb();
}

void start_counting(void)
{
	on_each_cpu(start_here, NULL, 1);
}
#else
void start_counting(void)
{
}
#endif
