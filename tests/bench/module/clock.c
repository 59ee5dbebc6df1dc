// SPDX-License-Identifier: GPL-2.0-only
/* The clock: counting instructions, and the proof that it does. */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include "bench.h"

/* Instructions in a round of the calibration's loop. */
#define KNOWN	100

/* The first fills the allocator's caches. Of the others, the least has had no interrupt in it. */
#define REPETITIONS		6
#define REPETITIONS_SLEEPING	40

static u64 started, stopped;

noinline void start(void)
{
	MARK(MARK_BEGIN);
	started = instructions();
}

noinline void stop(void)
{
	stopped = instructions();
	MARK(MARK_STOP);
}

static bool run_nothing(unsigned int count)
{
	void *p = &started;

	return LOOP(count, ({ OPTIMIZER_HIDE_VAR(p); p; }), OPTIMIZER_HIDE_VAR(p));
}

static bool run_known(unsigned int count)
{
	void *p = &started;

	return LOOP(count, ({ OPTIMIZER_HIDE_VAR(p); p; }),
		    asm volatile(".rept %c0; nop; .endr" : : "i"(KNOWN)));
}

/* Instructions of one run, or 0 where it failed. */
static u64 once(const struct bench_op *op)
{
	unsigned long flags;
	bool done;

	if (op->sleeps)
		return op->run(op->count) ? stopped - started : 0;
	local_irq_save(flags);
	done = op->run(op->count);
	local_irq_restore(flags);
	return done ? stopped - started : 0;
}

static u64 least(const struct bench_op *op)
{
	int left = op->sleeps ? REPETITIONS_SLEEPING : REPETITIONS;
	u64 best = 0, took;

	while (left--) {
		took = once(op);
		if (!took)
			return 0;
		if (!best || took < best)
			best = took;
	}
	/* The plugin shows the last run. */
	MARK(MARK_SHOW);
	return best;
}

/* The loop's own cost for a number of rounds. */
static u64 overhead(unsigned int rounds)
{
	const struct bench_op nothing = { .count = rounds, .run = run_nothing };

	local_irq_disable();
	run_nothing(rounds);
	local_irq_enable();
	return once(&nothing);
}

void measure(struct seq_file *m, const struct bench_op *op)
{
	u64 took = 0, own = overhead(op->count / max(op->each, 1U));
	int err = op->setup ? op->setup() : 0;

	if (!err)
		took = least(op);
	if (op->teardown)
		op->teardown();
	if (took)
		seq_printf(m, "%s\t%lld\t%u\n", op->name,
			   div_s64(((s64)took - (s64)own) * 1000, op->count), max(op->each, 1U));
	else
		seq_printf(m, "%s\tfailed\n", op->name);
}

const struct bench_op clock_ops[] = {
	{ .name = "calibration", .count = 1000, .run = run_known },
	{ }
};
