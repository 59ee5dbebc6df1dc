// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the functions of the allocators lie: those whose names say that they leave
 * profiling to their callers, what stands between two of these, and Rust's. They
 * are looked up once; after that, an address costs a search in a short table.
 */
#include <linux/kallsyms.h>
#include <linux/mutex.h>
#include <linux/string.h>

#include "frames.h"

/* Runs of functions of one kind, in the order of addresses. */
#define MAX_RUNS	1024
struct run {
	unsigned long start;
	unsigned long end;
	enum kind kind;
};

static struct run runs[MAX_RUNS];
static unsigned int nr_runs;
static DEFINE_MUTEX(runs_lock);

/* Functions between two whose names say it. */
static const char * const between[] = {
	"___kmalloc_large_node", "__do_krealloc", "__vmalloc_area_node",
	"alloc_pages_mpol",
	"alloc_pages_preferred_many", "mempool_alloc_from_pool",
	"mempool_alloc_pages", "mempool_alloc_slab", "mempool_kmalloc",
	"vm_area_alloc_pages",
};

/* The kind of a function; what the compiler adds to its name is behind a dot. */
static enum kind kind_of(const char *name)
{
	size_t length = strcspn(name, ".");

	if (strnstr(name, "_noprof", length))
		return C_ALLOCATOR;
	for (int i = 0; i < ARRAY_SIZE(between); i++)
		if (strlen(between[i]) == length && strstarts(name, between[i]))
			return C_ALLOCATOR;
	if (strstarts(name, "alloctag_"))
		return RUST_ALLOCATOR;
	if (strstarts(name, "_R") &&
	    (strstr(name, "6kernel5alloc") || strstr(name, "8alloctag")))
		return RUST_ALLOCATOR;
	return OTHER;
}

/* The function that begins where the symbols so far have it. */
struct function {
	unsigned long start;
	enum kind kind;
};

static int note_run(const struct function *function, unsigned long end)
{
	struct run *last = nr_runs ? &runs[nr_runs - 1] : NULL;

	if (function->kind == OTHER)
		return 0;
	if (last && last->end == function->start && last->kind == function->kind) {
		last->end = end;
		return 0;
	}
	if (nr_runs == MAX_RUNS)
		return -ENOSPC;
	runs[nr_runs++] = (struct run){ function->start, end, function->kind };
	return 0;
}

/* Symbols come in the order of their addresses; a function may have several. */
static int note_symbol(void *data, const char *name, unsigned long address)
{
	struct function *function = data;
	int ret = 0;

	if (address != function->start) {
		ret = note_run(function, address);
		function->start = address;
		function->kind = OTHER;
	}
	if (function->kind == OTHER)
		function->kind = kind_of(name);
	return ret;
}

/* Looks them up, before the first stack; may sleep. */
void alloctag_allocators_prepare(void)
{
	struct function function = {};

	mutex_lock(&runs_lock);
	if (!nr_runs)
		kallsyms_on_each_symbol(note_symbol, &function);
	mutex_unlock(&runs_lock);
}

/* The kind of the function that an address lies in. */
enum kind alloctag_kind_at(unsigned long address)
{
	unsigned int low = 0, high = nr_runs;

	while (low < high) {
		unsigned int middle = (low + high) / 2;

		if (address < runs[middle].start)
			high = middle;
		else if (address >= runs[middle].end)
			low = middle + 1;
		else
			return runs[middle].kind;
	}
	return OTHER;
}
