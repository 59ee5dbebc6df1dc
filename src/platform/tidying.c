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

/* Two, lest what can wait for minutes be in the way of what an allocation waits for. */
static DECLARE_DELAYED_WORK(tidying_soon, alloctag_tidy_work);
static DECLARE_DELAYED_WORK(tidying_later, alloctag_tidy_work);

/* In so many seconds, whatever was said before. */
void alloctag_tidy_in(unsigned int seconds)
{
	mod_delayed_work(system_dfl_wq, &tidying_later, seconds * HZ);
}

static void alloctag_tidy_irq(struct irq_work *work)
{
	queue_delayed_work(system_dfl_wq, &tidying_soon, HZ);
}

static DEFINE_IRQ_WORK(asking, alloctag_tidy_irq);

/*
 * For those who may hold any lock, and for NMIs. Who finds that it is on its way
 * and is not seen by it any more asks again with the next allocation.
 */
void alloctag_tidy_ask(void)
{
	if (!delayed_work_pending(&tidying_soon))
		irq_work_queue(&asking);
}
