/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instructions per operation, under QEMU's -icount shift=0 with one CPU. There a nanosecond of the
 * guest is one instruction, and instructions() counts those nanoseconds. The row "calibration"
 * shows that it does.
 *
 * Every operation is a function that executes it n times between start() and stop(). The loop
 * itself, and what each round of it has besides the operation, is LOOP() around nothing; that is
 * measured likewise and subtracted.
 */
#ifndef ALLOCTAG_BENCH_H
#define ALLOCTAG_BENCH_H

#include <linux/compiler.h>
#include <linux/gfp.h>
#include <linux/irqflags.h>
#include <linux/seq_file.h>
#include <linux/types.h>

#include "../count.h"

/*
 * What tests/bench/plugin.c recognises: an instruction that does nothing, that no compiler emits,
 * and whose constant names an event: a nop's displacement, or what is loaded into the register that
 * is always zero. Without the plugin it is one instruction like any other.
 */
#define MARK_BEGIN	0xa101
#define MARK_ROUND	0xa102
#define MARK_STOP	0xa103
#define MARK_SHOW	0xa104
#ifdef CONFIG_ARM64
#define MARK(event)	({ asm volatile("movz xzr, %0" : : "i"(event) : "memory"); })
#else
#define MARK(event) \
	({ asm volatile(".byte 0x0f, 0x1f, 0x80; .long %c0" : : "i"(event) : "memory"); })
#endif

/* Allocations that may be made with interrupts off; the fast paths are those of GFP_KERNEL. */
#define GFP_BENCH	(GFP_NOWAIT | __GFP_NOWARN)

/**
 * struct bench_op - one operation
 * @name:	the row's name, a stable key of the output
 * @count:	how often @run executes the operation; a multiple of @each
 * @each:	operations in a round of the loop (0 stands for 1)
 * @sleeps:	it may sleep, so that interrupts stay on; the tick is got rid of by the minimum
 * @setup:	what has to be there before, or NULL; 0 or a negative error
 * @run:	executes the operation @count times, calls start() before and stop() after
 * @teardown:	undoes @setup, or NULL
 */
struct bench_op {
	const char *name;
	unsigned int count;
	unsigned int each;
	bool sleeps;
	int (*setup)(void);
	bool (*run)(unsigned int count);
	void (*teardown)(void);
};

/* Has instructions() count. */
void start_counting(void);

/* Brackets of what is timed. */
void start(void);
void stop(void);

/**
 * LOOP() - time a statement
 * @rounds:	how often
 * @pointer:	an expression; a false value ends the loop, and the operation has failed
 * @undo:	a statement, executed where @pointer is true
 *
 * Every operation's loop is this one, so that their costs beside the operation are the same.
 */
#define LOOP(rounds, pointer, undo) ({		\
	unsigned int left_ = (rounds);		\
						\
	start();				\
	do {					\
		MARK(MARK_ROUND);		\
		if (unlikely(!(pointer)))	\
			break;			\
		undo;				\
	} while (--left_);			\
	stop();					\
	left_ == 0;				\
})

/* Of boxed.rs: two ways to allocate a box of 64 bytes, and how it is dropped. */
void *bench_box_new(void);
void *bench_box_hooked(void);
void bench_box_drop(void *bytes);
/* Of boxed.rs: a line of Rust code, of as many as the core has places for. */
const void *bench_line(u32 number);

/* Lists of operations, each ended by an entry without a name. */
extern const struct bench_op clock_ops[];
extern const struct bench_op slab_ops[];
extern const struct bench_op batch_ops[];
extern const struct bench_op charged_ops[];
extern const struct bench_op page_ops[];
extern const struct bench_op percpu_ops[];
extern const struct bench_op vmalloc_ops[];
extern const struct bench_op rust_ops[];
extern const struct bench_op published_ops[];

/*
 * Measures one operation and prints its row, with tabs: name, thousandths of an instruction,
 * operations in a round.
 */
void measure(struct seq_file *m, const struct bench_op *op);
/* Prints rows of memory: "memory/" and a name, tab, bytes in thousandths. */
void measure_memory(struct seq_file *m);
/* Prints rows of lines of Rust code: "lines/" and a name, tab, thousandths of an instruction. */
void measure_lines(struct seq_file *m);

#endif
