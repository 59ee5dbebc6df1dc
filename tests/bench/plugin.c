// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plugin for QEMU's emulator: what each operation of the module executes and touches, a round of
 * its loop at a time. A second way of counting instructions, beside the guest's clock, and the only
 * one to see cache lines. Writes to the file named by the argument out=FILE, for each operation
 *
 *	op ROUNDS INSTRUCTIONS CODE READ WRITTEN TOUCHED
 *
 * where INSTRUCTIONS is a sum over the rounds, the others are sums of a round's distinct lines: of
 * code executed, data read, data written, data read or written; followed by
 *
 *	pc ADDRESS TIMES
 *
 * for each instruction that was executed in them. Lines are told apart by virtual address.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/types.h>

#include "qemu_plugin.h"

EXPORT int qemu_plugin_version = API_VERSION;

#define LINE_SHIFT	6

/* As in module/bench.h: on x86-64 a nop with a displacement of 32 bits that names the event. */
static const unsigned char mark_x86[] = { 0x0f, 0x1f, 0x80 };
#define MARK_X86_SIZE	7
/* On arm64, whose instructions are of one size: movz xzr, #event. */
#define MARK_ARM64	0xd280001f
#define MARK_ARM64_SIZE	4
#define MARK_ARM64_MASK	0xffe0001f
#define MARK_ARM64_SHIFT	5
#define MARK_BEGIN	0xa101
#define MARK_ROUND	0xa102
#define MARK_STOP	0xa103
#define MARK_SHOW	0xa104

/* An instruction in a translated block; there may be several for one address. */
struct instruction {
	__u64 address;
	__u64 times;
	__u32 event;
	struct instruction *next_executed;
};

/* A round's distinct lines: a hash table that is emptied by going to the next generation. */
#define SET_SIZE	16384
/* Spreads what differs in its low bits over the high ones (2^64 by the golden ratio). */
#define HASH_FACTOR	0x9e3779b97f4a7c15ULL
struct set {
	struct {
		__u64 line;
		__u32 generation;
	} slot[SET_SIZE];
	__u32 generation;
	unsigned int here;
	__u64 sum;
};

enum { CODE, READ, WRITTEN, TOUCHED, SETS };
static struct set sets[SETS];

static enum { OUTSIDE, BEGUN, IN_ROUND } state;
/* A round of this run had more lines than a set takes. No run that is shown has. */
static bool overfull;
static __u64 rounds, instructions, instructions_here;
static struct instruction *executed;
static FILE *out;

static void add(struct set *set, __u64 address)
{
	__u64 line = address >> LINE_SHIFT;
	unsigned int i = (line * HASH_FACTOR >> 32) % SET_SIZE;

	while (set->slot[i].generation == set->generation) {
		if (set->slot[i].line == line)
			return;
		i = (i + 1) % SET_SIZE;
	}
	if (set->here >= SET_SIZE / 2) {
		overfull = true;
		return;
	}
	set->here++;
	set->slot[i].line = line;
	set->slot[i].generation = set->generation;
}

/* Empties the sets of the round; counts them where it was a whole one. */
static void next_round(bool whole)
{
	for (int i = 0; i < SETS; i++) {
		if (whole)
			sets[i].sum += sets[i].here;
		sets[i].here = 0;
		sets[i].generation++;
	}
	if (whole) {
		rounds++;
		instructions += instructions_here;
	}
	instructions_here = 0;
}

static void show(void)
{
	struct instruction *at;

	if (overfull) {
		fprintf(stderr, "plugin: a round touches more than %d lines\n", SET_SIZE / 2);
		exit(1);
	}
	fprintf(out, "op %llu %llu", rounds, instructions);
	for (int i = 0; i < SETS; i++)
		fprintf(out, " %llu", sets[i].sum);
	fprintf(out, "\n");
	for (at = executed; at; at = at->next_executed)
		fprintf(out, "pc %llx %llu\n", at->address, at->times);
	fflush(out);
}

static void begin(void)
{
	for (int i = 0; i < SETS; i++)
		sets[i].sum = 0;
	rounds = 0;
	instructions = 0;
	overfull = false;
	for (; executed; executed = executed->next_executed)
		executed->times = 0;
	next_round(false);
}

static void on_mark(__u32 event)
{
	switch (event) {
	case MARK_BEGIN:
		begin();
		state = BEGUN;
		break;
	case MARK_ROUND:
		if (state == OUTSIDE)
			break;
		/* What came before the first mark is no round; nor is what comes after the last. */
		next_round(state == IN_ROUND);
		state = IN_ROUND;
		break;
	case MARK_STOP:
		state = OUTSIDE;
		break;
	case MARK_SHOW:
		show();
		break;
	}
}

static void on_instruction(unsigned int vcpu, void *data)
{
	struct instruction *insn = data;

	(void)vcpu;
	if (insn->event)
		on_mark(insn->event);
	if (state != IN_ROUND)
		return;
	if (!insn->times++) {
		insn->next_executed = executed;
		executed = insn;
	}
	instructions_here++;
	add(&sets[CODE], insn->address);
}

static void on_access(unsigned int vcpu, __u32 info, __u64 address, void *data)
{
	(void)vcpu;
	(void)data;
	if (state != IN_ROUND)
		return;
	add(&sets[qemu_plugin_mem_is_store(info) ? WRITTEN : READ], address);
	add(&sets[TOUCHED], address);
}

static __u32 event_of(const struct qemu_plugin_insn *insn)
{
	const unsigned char *bytes = qemu_plugin_insn_data(insn);
	size_t size = qemu_plugin_insn_size(insn);
	__u32 event = 0;

	if (size == MARK_X86_SIZE && !memcmp(bytes, mark_x86, sizeof(mark_x86))) {
		memcpy(&event, bytes + sizeof(mark_x86), sizeof(event));
	} else if (size == MARK_ARM64_SIZE) {
		memcpy(&event, bytes, sizeof(event));
		if ((event & MARK_ARM64_MASK) != MARK_ARM64)
			return 0;
		event = (event & ~MARK_ARM64_MASK) >> MARK_ARM64_SHIFT;
	}
	return event >= MARK_BEGIN && event <= MARK_SHOW ? event : 0;
}

static void on_translation(__u64 id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);

	(void)id;
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		/* Never freed: the emulator does not say when a translation is dropped. */
		struct instruction *known = calloc(1, sizeof(*known));

		if (!known) {
			fprintf(stderr, "plugin: out of memory\n");
			exit(1);
		}
		known->address = qemu_plugin_insn_vaddr(insn);
		known->event = event_of(insn);
		qemu_plugin_register_vcpu_insn_exec_cb(insn, on_instruction, NO_REGISTERS, known);
		qemu_plugin_register_vcpu_mem_cb(insn, on_access, NO_REGISTERS, READS_AND_WRITES,
						 NULL);
	}
}

EXPORT int qemu_plugin_install(__u64 id, const void *info, int argc, char **argv)
{
	(void)info;
	for (int i = 0; i < argc; i++)
		if (!strncmp(argv[i], "out=", 4))
			out = fopen(argv[i] + 4, "w");
	if (!out) {
		fprintf(stderr, "plugin: needs out=FILE, a file that can be written\n");
		return 1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
	return 0;
}
