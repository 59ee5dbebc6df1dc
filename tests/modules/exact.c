// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_exact: /sys/kernel/debug/alloctag_exact has two files. A step's
 * number, written to "step", takes it: 1 holds, 2 changes, 3 releases. "expected"
 * has a line for every call site: function, live bytes ("?" where they are not
 * known beforehand), live allocations.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>

#include "exact.h"

/* Call sites that something was said about. */
#define MAX_SITES	64

enum step { RELEASED, HELD, CHANGED, RELEASE };

static const struct exact_part *const parts[] = {
	&names_part, &slab_part, &page_part, &area_part, &container_part,
};

static struct exact_site {
	const char *function;
	s64 bytes;
	u64 calls;
} sites[MAX_SITES];

static enum step at;
static struct dentry *directory;

void exact_expect(const char *function, s64 bytes, u64 calls)
{
	struct exact_site *site;

	for (site = sites; site < sites + MAX_SITES; site++) {
		if (!site->function || !strcmp(site->function, function)) {
			*site = (struct exact_site){ function, bytes, calls };
			return;
		}
	}
	pr_err("no room for call site %s\n", function);
}

static void release(void)
{
	struct exact_site *site;
	int i;

	for (i = 0; i < ARRAY_SIZE(parts); i++)
		parts[i]->release();
	/* Tables that are freed after a grace period. */
	rcu_barrier();
	for (site = sites; site < sites + MAX_SITES; site++) {
		site->bytes = 0;
		site->calls = 0;
	}
	at = RELEASED;
}

static bool advance(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(parts); i++)
		if (!(at == RELEASED ? parts[i]->hold() : parts[i]->change()))
			return false;
	at++;
	return true;
}

static int set_step(void *unused, u64 step)
{
	if (step == RELEASE && at != RELEASED) {
		release();
		return 0;
	}
	/* One after the other. */
	if (step != at + 1 || step == RELEASE)
		return -EINVAL;
	if (advance())
		return 0;
	release();
	return -ENOMEM;
}
DEFINE_DEBUGFS_ATTRIBUTE(step_fops, NULL, set_step, "%llu\n");

static int expected_show(struct seq_file *m, void *unused)
{
	struct exact_site *site;

	for (site = sites; site < sites + MAX_SITES && site->function; site++) {
		seq_printf(m, "%s ", site->function);
		if (site->bytes == EXACT_UNKNOWN)
			seq_puts(m, "?");
		else
			seq_printf(m, "%lld", site->bytes);
		seq_printf(m, " %llu\n", site->calls);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(expected);

static int __init exact_init(void)
{
	directory = debugfs_create_dir("alloctag_exact", NULL);
	debugfs_create_file("step", 0200, directory, NULL, &step_fops);
	debugfs_create_file("expected", 0400, directory, NULL, &expected_fops);
	return 0;
}

static void __exit exact_exit(void)
{
	debugfs_remove(directory);
	if (at != RELEASED)
		release();
}

module_init(exact_init);
module_exit(exact_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Allocates known amounts on known lines");
