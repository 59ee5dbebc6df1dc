// SPDX-License-Identifier: GPL-2.0-only
/*
 * Looking up steps in the ORC tables, remembering and forgetting them: for walk.c.
 *
 * What is remembered holds as long as there is that code at the address: for ever, or
 * until a module goes. Of a module that is going nothing more is remembered; who has
 * not seen that yet is waited for, by RCU, before what there is of it is forgotten.
 * Of init code, which goes by and by, nothing is remembered at all.
 */
#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/rethook.h>
#include <linux/slab.h>

#include <asm/sections.h>

#include "frames.h"
#include "orc.h"
#include "step.h"

/* The most words that a step can say. */
#define MOST_WORDS	(BIT(13) - 1)

u64 __rcu *alloctag_steps;

static const struct orc_entry *search(const int *ips, const struct orc_entry *entries,
				      unsigned int nr, unsigned long address)
{
	unsigned int low = 0, high = nr;

	/* Of several that begin at an address, the last one counts. */
	while (low < high) {
		unsigned int middle = low + (high - low) / 2;
		unsigned long begin = (unsigned long)&ips[middle] + ips[middle];

		if (begin <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &entries[low - 1] : NULL;
}

static const struct orc_entry *search_module(unsigned long address, bool *lasts)
{
#ifdef CONFIG_MODULES
	struct module *module = __module_address(address);
	enum module_state state;
	bool is_core;

	if (!module)
		return NULL;
	state = READ_ONCE(module->state);
	if (!alloctag_is_text(address))
		return NULL;
	is_core = within_module_mem_type(address, module, MOD_TEXT);
	*lasts = is_core && (state == MODULE_STATE_COMING || state == MODULE_STATE_LIVE);
	return search(module->arch.orc_unwind_ip, module->arch.orc_unwind,
		      module->arch.num_orcs, address);
#else
	return NULL;
#endif
}

static bool is_trampoline(unsigned long address)
{
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	if (address == (unsigned long)return_to_handler)
		return true;
#endif
	return IS_ENABLED(CONFIG_RETHOOK) && is_rethook_trampoline(address);
}

/*
 * Who traces returns has put something else in the place of the address that is returned
 * to. A return address is one more than what it is looked up by, a register is not.
 */
bool alloctag_is_replaced(unsigned long address)
{
	return is_trampoline(address) || is_trampoline(address + 1);
}

/* False where it is a step of no usual kind. */
static bool set_frame(union step *step, const struct orc_entry *entry)
{
	int end = entry->sp_offset, saved = 0;

	switch (entry->sp_reg) {
	case ORC_REG_SP:
		step->base = STACK_POINTER;
		break;
	case ORC_REG_BP:
		step->base = FRAME_POINTER;
		break;
	case ORC_REG_SP_INDIRECT:
		step->base = POINTED_TO;
		break;
	default:
		return false;
	}
	switch (entry->bp_reg) {
	case ORC_REG_UNDEFINED:
		break;
	case ORC_REG_PREV_SP:
		saved = -entry->bp_offset;
		if (saved <= 0)
			return false;
		break;
	default:
		return false;
	}
	if (end < 0 || (end | saved) % sizeof(long) ||
	    (end | saved) / sizeof(long) > MOST_WORDS)
		return false;
	step->end = end / sizeof(long);
	step->saved = saved / sizeof(long);
	return true;
}

/* Looks up what to do at an address, and remembers it. */
noinline union step alloctag_look_up(unsigned long address, u64 *remembered)
{
	const struct orc_entry *entry;
	union step step = { .address = address };
	bool lasts = true;

	if (step.address != (long)address || alloctag_is_replaced(address))
		return step;
	if (address >= (unsigned long)_stext && address < (unsigned long)_etext)
		entry = search(__start_orc_unwind_ip, __start_orc_unwind,
			       __stop_orc_unwind_ip - __start_orc_unwind_ip,
			       address);
	else
		entry = search_module(address, &lasts);
	if (!entry)
		return step;

	step.kind = alloctag_kind_at(address);
	if (entry->type == ORC_TYPE_END_OF_STACK)
		step.how = END;
	else if (entry->type == ORC_TYPE_CALL && !entry->signal && set_frame(&step, entry))
		step.how = RETURN;
	else if (entry->type == ORC_TYPE_REGS && entry->signal && set_frame(&step, entry) &&
		 !step.saved)
		step.how = REGISTERS;
	if (lasts && step.how != UNUSUAL)
		WRITE_ONCE(*remembered, step.word);
	return step;
}

/* Before the first walk, and not again before the end; may sleep. */
int alloctag_walk_prepare(void)
{
	u64 *table;

	if (rcu_access_pointer(alloctag_steps))
		return -EBUSY;
	table = kvcalloc(STEPS, sizeof(*table), GFP_KERNEL);
	if (!table)
		return -ENOMEM;
	rcu_assign_pointer(alloctag_steps, table);
	return 0;
}

/* Forgets a module that is going; may sleep. Prepared for, and not at the same time as the end. */
void alloctag_walk_forget(struct module *module)
{
	u64 *table = rcu_access_pointer(alloctag_steps);

	if (!table)
		return;
	/* Whoever has not seen that it is going. */
	synchronize_rcu();
	for (unsigned int i = 0; i < STEPS; i++) {
		union step step = { .word = READ_ONCE(table[i]) };

		if (within_module(step.address, module))
			WRITE_ONCE(table[i], 0);
	}
}

/* After the last walk; may sleep. */
void alloctag_walk_end(void)
{
	u64 *table = rcu_access_pointer(alloctag_steps);

	RCU_INIT_POINTER(alloctag_steps, NULL);
	synchronize_rcu();
	kvfree(table);
}
