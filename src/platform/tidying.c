// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tidying up after allocations, some time later and where that may sleep: for
 * src/platform/tidying.rs.
 */
#include <linux/alloc_tag.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/workqueue.h>

#include "../bindings.h"

static void alloctag_tidy_work(struct work_struct *work)
{
	alloctag_tidy();
}

static DECLARE_DELAYED_WORK(tidying, alloctag_tidy_work);

/* At once, unless that is on its way; or in so many seconds, at the latest. */
void alloctag_tidy_in(unsigned int seconds)
{
	queue_delayed_work(system_dfl_wq, &tidying, seconds * HZ);
}

static void alloctag_tidy_irq(struct irq_work *work)
{
	alloctag_tidy_in(1);
}

static DEFINE_IRQ_WORK(asking, alloctag_tidy_irq);

/* For those who may hold any lock, and for NMIs. */
void alloctag_tidy_ask(void)
{
	irq_work_queue(&asking);
}
