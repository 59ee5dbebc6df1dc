// SPDX-License-Identifier: GPL-2.0-only
/*
 * For src/platform/contexts/lock.rs: initialiser and functions of the lock are
 * macros.
 */
#include <linux/hardirq.h>
#include <linux/percpu.h>
#include <linux/spinlock.h>

#include "../../bindings.h"

static DEFINE_RAW_SPINLOCK(contexts_lock);

/* Whether a CPU has the lock or is about to, tracers of locks included. */
static DEFINE_PER_CPU(bool, contexts_busy);

/*
 * Fails for what runs on top of this: an NMI, or what a tracer allocates, which
 * would wait for itself. An NMI waits for nobody else, either.
 */
bool alloctag_contexts_lock(unsigned long *flags)
{
	local_irq_save(*flags);
	if (__this_cpu_read(contexts_busy))
		goto refused;
	__this_cpu_write(contexts_busy, true);
	if (!in_nmi()) {
		raw_spin_lock(&contexts_lock);
		return true;
	}
	if (raw_spin_trylock(&contexts_lock))
		return true;
	__this_cpu_write(contexts_busy, false);
refused:
	local_irq_restore(*flags);
	return false;
}

void alloctag_contexts_unlock(unsigned long flags)
{
	raw_spin_unlock(&contexts_lock);
	__this_cpu_write(contexts_busy, false);
	local_irq_restore(flags);
}
