// SPDX-License-Identifier: GPL-2.0-only
/*
 * fexit FUNCTION COMMAND [ARGUMENT]…: runs the command while a program in BPF is
 * run whenever the function returns, for which a trampoline stands around it.
 */
#include <err.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define TYPES	"/sys/kernel/btf/vmlinux"
/* Far more than this kernel's types take. */
#define ROOM	(64 * 1024 * 1024)

static char types[ROOM];

/* As Linux 7.3 has them, wider than in older headers. */
#define VLEN	0xffffff
static unsigned int kind_of(const struct btf_type *type) { return type->info >> 24 & 0x7f; }

/* How many bytes stand behind a type, about what it is made of. */
static size_t tail(const struct btf_type *type)
{
	unsigned int nr = type->info & VLEN;

	switch (kind_of(type)) {
	case BTF_KIND_INT:
		return sizeof(__u32);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return nr * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return nr * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return nr * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return nr * sizeof(struct btf_param);
	case BTF_KIND_VAR:
		return sizeof(struct btf_var);
	case BTF_KIND_DATASEC:
		return nr * sizeof(struct btf_var_secinfo);
	case BTF_KIND_DECL_TAG:
		return sizeof(struct btf_decl_tag);
	default:
		return 0;
	}
}

/* The number of a function's type. */
static int type_of(const char *function)
{
	const struct btf_header *header = (void *)types;
	int fd = open(TYPES, O_RDONLY);
	const char *place, *end, *names;
	ssize_t had = 0, more;

	if (fd < 0)
		err(1, TYPES);
	while ((more = read(fd, types + had, ROOM - had)) > 0)
		had += more;
	if (more < 0 || had < (ssize_t)sizeof(*header) || header->magic != BTF_MAGIC)
		errx(1, TYPES ": cannot be read");
	close(fd);
	place = types + header->hdr_len + header->type_off;
	end = place + header->type_len;
	names = types + header->hdr_len + header->str_off;
	/* The first one is void, which is not there. */
	for (int id = 1; place < end; id++) {
		const struct btf_type *type = (const void *)place;

		if (kind_of(type) == BTF_KIND_FUNC &&
		    !strcmp(names + type->name_off, function))
			return id;
		place += sizeof(*type) + tail(type);
	}
	errx(1, TYPES ": has no function %s", function);
}

static void attach(const char *function)
{
	/* return 0 */
	const struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_TRACING,
		.expected_attach_type = BPF_TRACE_FEXIT,
		.attach_btf_id = type_of(function),
		.insns = (unsigned long)program,
		.insn_cnt = sizeof(program) / sizeof(*program),
		.license = (unsigned long)"GPL",
	};
	int fd = syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));

	if (fd < 0)
		err(1, "no program for %s is loaded", function);
	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.prog_fd = fd;
	if (syscall(SYS_bpf, BPF_RAW_TRACEPOINT_OPEN, &attr, sizeof(attr)) < 0)
		err(1, "%s cannot be traced", function);
}

int main(int argc, char **argv)
{
	int status;
	pid_t child;

	if (argc < 3)
		errx(2, "usage: fexit FUNCTION COMMAND [ARGUMENT]...");
	attach(argv[1]);
	child = fork();
	if (child < 0)
		err(1, "fork");
	if (!child) {
		execvp(argv[2], argv + 2);
		err(127, "%s", argv[2]);
	}
	if (waitpid(child, &status, 0) != child)
		err(1, "waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
