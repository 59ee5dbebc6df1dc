// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lock of src/platform/spin.rs: its initialiser and its functions are macros.
 */
#include <linux/hardirq.h>
#include <linux/spinlock.h>

#include "../bindings.h"

static DEFINE_RAW_SPINLOCK(tables_lock);

/* Fails in an NMI, which may have interrupted the lock's holder. */
bool alloctag_tables_lock(unsigned long *flags)
{
	if (in_nmi())
		return false;
	raw_spin_lock_irqsave(&tables_lock, *flags);
	return true;
}

void alloctag_tables_unlock(unsigned long flags)
{
	raw_spin_unlock_irqrestore(&tables_lock, flags);
}

bool alloctag_in_nmi(void)
{
	return in_nmi();
}
