// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_keeper: keeps what other modules have allocated, and frees so many
 * pieces of it, the oldest first, as are written to
 * /sys/kernel/debug/alloctag_keeper; reading tells how many there are.
 */
#include <linux/completion.h>
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "keeper.h"

#define ROOM	256
/* More than the first chunk has room for. */
#define FILLERS	12
#define SMALL	100

static DEFINE_MUTEX(lock);
static struct keepsake kept[ROOM];
static unsigned int first, nr;
static void __percpu *fillers[FILLERS];
static DECLARE_COMPLETION(gate);
static atomic_t waiting;
static struct dentry *file, *gate_file;

bool alloctag_keep(const struct keepsake *keepsake)
{
	guard(mutex)(&lock);
	if (nr == ROOM)
		return false;
	kept[(first + nr++) % ROOM] = *keepsake;
	return true;
}
EXPORT_SYMBOL_GPL(alloctag_keep);

static noinline void *keep_new(void)
{
	return kmalloc(SMALL, GFP_KERNEL);
}

bool alloctag_keep_new(void)
{
	struct keepsake keepsake = { .object = keep_new() };

	if (keepsake.object && alloctag_keep(&keepsake))
		return true;
	kfree(keepsake.object);
	return false;
}
EXPORT_SYMBOL_GPL(alloctag_keep_new);

void alloctag_keeper_wait(void)
{
	atomic_inc(&waiting);
	wait_for_completion(&gate);
	atomic_dec(&waiting);
}
EXPORT_SYMBOL_GPL(alloctag_keeper_wait);

static int open_gate(void *unused, u64 value)
{
	complete(&gate);
	return 0;
}

static int count_waiting(void *unused, u64 *number)
{
	*number = atomic_read(&waiting);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(gate_fops, count_waiting, open_gate, "%llu\n");

static int release(void *unused, u64 wanted)
{
	guard(mutex)(&lock);
	while (wanted-- && nr) {
		struct keepsake *keepsake = &kept[first];

		kvfree(keepsake->object);
		if (keepsake->page)
			__free_page(keepsake->page);
		free_percpu(keepsake->area);
		first = (first + 1) % ROOM;
		nr--;
	}
	return 0;
}

static int count(void *unused, u64 *number)
{
	guard(mutex)(&lock);
	*number = nr;
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(keeper_fops, count, release, "%llu\n");

static void drop_fillers(void)
{
	int i;

	for (i = 0; i < FILLERS; i++)
		free_percpu(fillers[i]);
}

static int __init keeper_init(void)
{
	int i;

	for (i = 0; i < FILLERS; i++) {
		fillers[i] = __alloc_percpu(KEEPER_AREA, PAGE_SIZE);
		if (!fillers[i]) {
			drop_fillers();
			return -ENOMEM;
		}
	}
	file = debugfs_create_file("alloctag_keeper", 0600, NULL, NULL, &keeper_fops);
	gate_file = debugfs_create_file("alloctag_keeper_gate", 0600, NULL, NULL, &gate_fops);
	return 0;
}

static void __exit keeper_exit(void)
{
	debugfs_remove(gate_file);
	debugfs_remove(file);
	release(NULL, ROOM);
	drop_fillers();
}

module_init(keeper_init);
module_exit(keeper_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Keeps what other modules have allocated");
