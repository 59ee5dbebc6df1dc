// SPDX-License-Identifier: GPL-2.0-only
/*
 * override FUNCTION VALUE COMMAND [ARGUMENT]…: runs the command while a program
 * in BPF has the function return the value without being run.
 */
#include <err.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define KPROBE_TYPE	"/sys/bus/event_source/devices/kprobe/type"

/* bpf_override_return(context, value); return 0 */
static int load(int value)
{
	const struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_2, .imm = value },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_override_return },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_KPROBE,
		.insns = (unsigned long)program,
		.insn_cnt = sizeof(program) / sizeof(*program),
		.license = (unsigned long)"GPL",
	};
	int fd = syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));

	if (fd < 0)
		err(1, "the program is not loaded");
	return fd;
}

static int attach(int program, const char *function)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .config1 = (unsigned long)function };
	FILE *type = fopen(KPROBE_TYPE, "r");
	int fd;

	if (!type || fscanf(type, "%u", &attr.type) != 1)
		err(1, KPROBE_TYPE);
	fclose(type);
	/* On any CPU of any task. */
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		err(1, "no probe of %s", function);
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, program))
		err(1, "%s cannot be overridden", function);
	if (ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		err(1, "the probe is not enabled");
	return fd;
}

int main(int argc, char **argv)
{
	int status;
	pid_t child;

	if (argc < 4)
		errx(2, "usage: override FUNCTION VALUE COMMAND [ARGUMENT]...");
	attach(load(atoi(argv[2])), argv[1]);
	child = fork();
	if (child < 0)
		err(1, "fork");
	if (!child) {
		execvp(argv[3], argv + 3);
		err(127, "%s", argv[3]);
	}
	if (waitpid(child, &status, 0) != child)
		err(1, "waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
