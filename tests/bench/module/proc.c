// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/alloctag_bench: reading it measures, in the reader's context (its memory cgroup pays for
 * what is charged), and shows a row for each operation. The parameter "only" names the operations.
 */
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/string.h>

#include "bench.h"

/* More than all rows take, so that seq_file has no reason to ask, and measure, twice. */
#define ROWS_SIZE	(16 * 1024)

static char *only = "";
module_param(only, charp, 0444);
MODULE_PARM_DESC(only, "operations to measure, separated by commas; all where it is empty");

static const struct bench_op *const lists[] = {
	slab_ops, batch_ops, page_ops, charged_ops, percpu_ops, vmalloc_ops,
	rust_ops, published_ops,
};

static bool wanted(const char *name)
{
	size_t length = strlen(name);
	const char *at = only;

	while (*at) {
		size_t here = strcspn(at, ",");

		if (here == length && !strncmp(at, name, length))
			return true;
		at += here + (at[here] == ',');
	}
	return !*only;
}

static int show(struct seq_file *m, void *unused)
{
	const struct bench_op *op;
	int i;

	/* First, while no cache has objects left over from an operation. */
	if (wanted("memory"))
		measure_memory(m);
	for (op = clock_ops; op->name; op++)
		measure(m, op);
	for (i = 0; i < ARRAY_SIZE(lists); i++)
		for (op = lists[i]; op->name; op++)
			if (wanted(op->name))
				measure(m, op);
	/* Last: from now on no line of Rust code finds a place. */
	if (wanted("lines"))
		measure_lines(m);
	return 0;
}

static int open(struct inode *inode, struct file *file)
{
	return single_open_size(file, show, NULL, ROWS_SIZE);
}

static const struct proc_ops operations = {
	.proc_open	= open,
	.proc_read	= seq_read,
	.proc_lseek	= seq_lseek,
	.proc_release	= single_release,
};

static int __init bench_init(void)
{
	start_counting();
	return proc_create("alloctag_bench", 0400, NULL, &operations) ? 0 : -ENOMEM;
}
module_init(bench_init);

static void __exit bench_exit(void)
{
	remove_proc_entry("alloctag_bench", NULL);
}
module_exit(bench_exit);

MODULE_DESCRIPTION("Counts the instructions of memory allocations");
MODULE_LICENSE("GPL");
