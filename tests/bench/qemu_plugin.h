/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What plugin.c uses of version 1 of QEMU's interface for plugins, from its documentation; Debian
 * has no package with the header.
 */
#ifndef ALLOCTAG_BENCH_QEMU_PLUGIN_H
#define ALLOCTAG_BENCH_QEMU_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

#define API_VERSION	1
#define EXPORT		__attribute__((visibility("default")))

/* Flags of a callback: it looks at no register. */
#define NO_REGISTERS	0
/* Kinds of access. */
#define READS_AND_WRITES	3

struct qemu_plugin_tb;
struct qemu_plugin_insn;

typedef void (*on_translation_t)(__u64 id, struct qemu_plugin_tb *tb);
typedef void (*on_instruction_t)(unsigned int vcpu, void *data);
typedef void (*on_access_t)(unsigned int vcpu, __u32 info, __u64 vaddr, void *data);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
__u64 qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
bool qemu_plugin_mem_is_store(__u32 info);
void qemu_plugin_register_vcpu_tb_trans_cb(__u64 id, on_translation_t cb);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, on_instruction_t cb,
					    int flags, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, on_access_t cb, int flags,
				      int kinds, void *data);

#endif
