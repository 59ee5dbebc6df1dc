// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_holder: has containers that others made, a list in Rust and two hash
 * tables in C. A number that is written to /sys/kernel/debug/alloctag_holder makes
 * each longer by so many; 0 drops them, with interrupts off where that may be.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rhashtable.h>
#include <linux/slab.h>

#include "holder.h"

struct node {
	u32 key;
	struct rhash_head head;
};

static const struct rhashtable_params params = {
	.key_len = sizeof_field(struct node, key),
	.key_offset = offsetof(struct node, key),
	.head_offset = offsetof(struct node, head),
};

static DEFINE_MUTEX(lock);
static void *list;
static struct table {
	struct rhashtable hash;
	bool is_there;
	u32 keys;
} tables[2], *const called = &tables[0], *const covered = &tables[1];
static struct dentry *file;

int alloctag_holder_list(void)
{
	guard(mutex)(&lock);
	if (list)
		return -EBUSY;
	list = holder_list_new();
	return list ? 0 : -ENOMEM;
}
EXPORT_SYMBOL_GPL(alloctag_holder_list);

static int make(struct table *table)
{
	int error;

	if (table->is_there)
		return -EBUSY;
	/* Not the macro, which would have it on this line. */
	error = rhashtable_init_noprof(&table->hash, &params);
	table->is_there = !error;
	return error;
}

int alloctag_holder_table(void)
{
	guard(mutex)(&lock);
	return make(called);
}
EXPORT_SYMBOL_GPL(alloctag_holder_table);

int holder_make_covered(void)
{
	return make(covered);
}

int alloctag_holder_covered(void)
{
	guard(mutex)(&lock);
	return holder_cover();
}
EXPORT_SYMBOL_GPL(alloctag_holder_covered);

static void free_node(void *node, void *unused)
{
	kfree(node);
}

void alloctag_holder_drop(void)
{
	unsigned long flags;

	guard(mutex)(&lock);
	if (list) {
		local_irq_save(flags);
		holder_list_drop(list);
		local_irq_restore(flags);
		list = NULL;
	}
	for (int i = 0; i < ARRAY_SIZE(tables); i++) {
		if (tables[i].is_there)
			rhashtable_free_and_destroy(&tables[i].hash, free_node, NULL);
		tables[i].is_there = false;
	}
	/* What they have outgrown. */
	rcu_barrier();
}
EXPORT_SYMBOL_GPL(alloctag_holder_drop);

static int insert(struct table *table)
{
	struct node *node;
	int error;

	if (!table->is_there)
		return 0;
	node = kmalloc_obj(*node);
	if (!node)
		return -ENOMEM;
	node->key = table->keys++;
	error = rhashtable_insert_fast(&table->hash, &node->head, params);
	if (error)
		kfree(node);
	return error;
}

static int grow(void)
{
	if (list && !holder_list_push(list))
		return -ENOMEM;
	return insert(called) ?: insert(covered);
}

static int set(void *unused, u64 number)
{
	int error = 0;

	if (!number) {
		alloctag_holder_drop();
		return 0;
	}
	guard(mutex)(&lock);
	while (!error && number--)
		error = grow();
	/* The tables grow in the background. */
	for (int i = 0; i < ARRAY_SIZE(tables); i++)
		if (tables[i].is_there)
			flush_work(&tables[i].hash.run_work);
	return error;
}
DEFINE_DEBUGFS_ATTRIBUTE(holder_fops, NULL, set, "%llu\n");

static int __init holder_init(void)
{
	file = debugfs_create_file("alloctag_holder", 0200, NULL, NULL, &holder_fops);
	return 0;
}

static void __exit holder_exit(void)
{
	debugfs_remove(file);
	alloctag_holder_drop();
}

module_init(holder_init);
module_exit(holder_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Has containers that others made");
