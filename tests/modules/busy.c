// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_busy: a thread that neither sleeps nor lets itself be told to, as long
 * as it is loaded: who waits for all tasks to have slept waits for it.
 */
#include <linux/kthread.h>
#include <linux/module.h>

static struct task_struct *thread;

static int spin(void *unused)
{
	while (!kthread_should_stop())
		cond_resched();
	return 0;
}

static int __init busy_init(void)
{
	thread = kthread_run(spin, NULL, "alloctag_busy");
	return PTR_ERR_OR_ZERO(thread);
}

static void __exit busy_exit(void)
{
	kthread_stop(thread);
}

module_init(busy_init);
module_exit(busy_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A thread that never sleeps");
