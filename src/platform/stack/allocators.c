// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the functions of the allocators lie: those whose names say that they leave
 * profiling to their callers, what stands between two of these, and Rust's; and of
 * those that free. They are looked up once; after that, an address costs a search in a short table.
 */
#include <linux/kallsyms.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "frames.h"

/* Runs of functions of one kind, in the order of addresses; they stay. */
struct run {
	unsigned long start;
	unsigned long end;
	enum kind kind;
};

static struct run *runs;
static unsigned int nr_runs;
static DEFINE_MUTEX(runs_lock);

/* How many there is room for at first; then twice as many each time. */
#define FIRST_RUNS	128

/* Functions between two whose names say it. */
static const char * const between[] = {
	"___kmalloc_large_node", "__do_krealloc", "__vmalloc_area_node",
	"alloc_pages_mpol",
	"alloc_pages_preferred_many", "mempool_alloc_from_pool",
	"mempool_alloc_pages", "mempool_alloc_slab", "mempool_kmalloc",
	"vm_area_alloc_pages",
};

/* Functions that free what they are given, and those between them and the hooks. */
static const char * const frees[] = {
	"___free_counted_pages", "___free_pages", "___free_tail", "__folio_put",
	"__free_contig_range", "__free_contig_range_common",
	"__free_frozen_pages", "__free_pages", "__free_pages_ok",
	"__free_pages_prepare", "__slab_free", "folios_put_refs",
	"free_contig_frozen_range", "free_contig_range", "free_frozen_pages",
	"free_large_kmalloc", "free_pages", "free_pages_bulk", "free_pages_exact",
	"free_pages_nolock", "free_pages_prepare", "free_percpu",
	"free_to_pcs_bulk", "free_unref_folios", "kfree", "kfree_const", "kfree_nolock",
	"kfree_sensitive", "kmem_cache_free", "kmem_cache_free_bulk",
	"kvfree", "kvfree_atomic", "kvfree_sensitive", "memcg_alloc_abort_single",
	"mempool_free", "mempool_free_bulk", "mempool_free_pages",
	"mempool_free_slab", "mempool_kfree", "slab_free_bulk", "vfree",
	"vm_area_free_pages",
};

static bool is_among(const char *name, size_t length,
		     const char * const *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (strlen(names[i]) == length && strstarts(name, names[i]))
			return true;
	return false;
}

/* The kind of a function; what the compiler adds to its name is behind a dot. */
static enum kind kind_of(const char *name)
{
	size_t length = strcspn(name, ".");

	if (strnstr(name, "_noprof", length))
		return C_ALLOCATOR;
	if (is_among(name, length, between, ARRAY_SIZE(between)))
		return C_ALLOCATOR;
	if (is_among(name, length, frees, ARRAY_SIZE(frees)))
		return FREES;
	if (strstarts(name, "alloctag_"))
		return RUST_ALLOCATOR;
	if (strstarts(name, "_R") &&
	    (strstr(name, "6kernel5alloc") || strstr(name, "8alloctag")))
		return RUST_ALLOCATOR;
	return OTHER;
}

/* The runs so far, and the function that begins where the symbols so far have it. */
struct search {
	struct run *runs;
	unsigned int nr;
	unsigned int room;
	unsigned long start;
	enum kind kind;
};

static int note_run(struct search *search, unsigned long end)
{
	struct run *last = search->nr ? &search->runs[search->nr - 1] : NULL;

	if (search->kind == OTHER)
		return 0;
	if (last && last->end == search->start && last->kind == search->kind) {
		last->end = end;
		return 0;
	}
	if (search->nr == search->room) {
		unsigned int room = search->room ? 2 * search->room : FIRST_RUNS;
		struct run *more = kvrealloc(search->runs, array_size(room, sizeof(*more)),
					     GFP_KERNEL);

		if (!more)
			return -ENOMEM;
		search->runs = more;
		search->room = room;
	}
	search->runs[search->nr++] = (struct run){ search->start, end, search->kind };
	return 0;
}

/* Symbols come in the order of their addresses; a function may have several. */
static int note_symbol(void *data, const char *name, unsigned long address)
{
	struct search *search = data;
	int ret = 0;

	if (address != search->start) {
		ret = note_run(search, address);
		search->start = address;
		search->kind = OTHER;
	}
	if (search->kind == OTHER)
		search->kind = kind_of(name);
	return ret;
}

/* Looks them up, before the first stack; may sleep. */
int alloctag_allocators_prepare(void)
{
	struct search search = {};
	int ret;

	guard(mutex)(&runs_lock);
	if (runs)
		return 0;
	ret = kallsyms_on_each_symbol(note_symbol, &search);
	if (ret) {
		kvfree(search.runs);
		return ret;
	}
	runs = search.runs;
	/* Who finds how many there are finds them. */
	smp_store_release(&nr_runs, search.nr);
	return 0;
}

/* The kind of the function that an address lies in. */
enum kind alloctag_kind_at(unsigned long address)
{
	/* Pairs with the release in alloctag_allocators_prepare(). */
	unsigned int low = 0, high = smp_load_acquire(&nr_runs);

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
