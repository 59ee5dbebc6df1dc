// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls a service over Binder, the way that Android's processes do, and holds the connection.
 *
 * Usage: binder DEVICE CALLS
 *
 * One process is the context manager and answers every call with the bytes that it got; the other
 * makes CALLS calls of some size. Both print nothing but "called N", and stay until stdin ends.
 */
#include <err.h>
#include <fcntl.h>
#include <linux/android/binder.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAPPED	(128 * 1024)
/* Enough to be worth a page of its own. */
#define PAYLOAD	6000

/* What is sent to the driver: commands, each followed by its argument. */
struct commands {
	char bytes[256];
	size_t length;
};

static void add(struct commands *commands, __u32 command, const void *argument, size_t length)
{
	memcpy(commands->bytes + commands->length, &command, sizeof(command));
	commands->length += sizeof(command);
	if (length)
		memcpy(commands->bytes + commands->length, argument, length);
	commands->length += length;
}

static int open_binder(const char *device)
{
	int file = open(device, O_RDWR | O_CLOEXEC);
	struct binder_version version;

	if (file < 0)
		err(1, "%s", device);
	if (ioctl(file, BINDER_VERSION, &version) ||
	    version.protocol_version != BINDER_CURRENT_PROTOCOL_VERSION)
		errx(1, "%s: not the protocol's version", device);
	if (mmap(NULL, MAPPED, PROT_READ, MAP_PRIVATE, file, 0) == MAP_FAILED)
		err(1, "%s: mmap", device);
	return file;
}

/* Sends commands, and waits for what comes back; returns its length. */
static size_t exchange(int file, struct commands *commands, char *answers, size_t room)
{
	struct binder_write_read transfer = {
		.write_size = commands->length,
		.write_buffer = (unsigned long)commands->bytes,
		.read_size = room,
		.read_buffer = (unsigned long)answers,
	};

	if (ioctl(file, BINDER_WRITE_READ, &transfer))
		err(1, "BINDER_WRITE_READ");
	commands->length = 0;
	return transfer.read_consumed;
}

/* Goes through answers to the one that is wanted, and copies its transaction; false without one. */
static int find(const char *answers, size_t length, __u32 wanted,
		struct binder_transaction_data *data)
{
	size_t at = 0;
	__u32 answer;

	while (at + sizeof(answer) <= length) {
		memcpy(&answer, answers + at, sizeof(answer));
		at += sizeof(answer);
		if (answer == BR_DEAD_REPLY || answer == BR_FAILED_REPLY)
			errx(1, "it was refused");
		if (answer == wanted) {
			memcpy(data, answers + at, sizeof(*data));
			return 1;
		}
		at += _IOC_SIZE(answer);
	}
	return 0;
}

static void receive(int file, struct commands *commands, __u32 wanted,
		    struct binder_transaction_data *data)
{
	char answers[512];
	size_t length;

	do {
		length = exchange(file, commands, answers, sizeof(answers));
	} while (!find(answers, length, wanted, data));
}

static void serve(int file, int ready)
{
	struct commands commands = { .length = 0 };
	struct binder_transaction_data data;

	if (ioctl(file, BINDER_SET_CONTEXT_MGR, &(int){ 0 }))
		err(1, "BINDER_SET_CONTEXT_MGR");
	if (write(ready, "r", 1) != 1)
		err(1, "pipe");
	add(&commands, BC_ENTER_LOOPER, NULL, 0);
	for (;;) {
		binder_uintptr_t buffer;

		receive(file, &commands, BR_TRANSACTION, &data);
		buffer = data.data.ptr.buffer;
		add(&commands, BC_REPLY, &data, sizeof(data));
		exchange(file, &commands, NULL, 0);
		add(&commands, BC_FREE_BUFFER, &buffer, sizeof(buffer));
	}
}

static void call(int file, int calls)
{
	static char payload[PAYLOAD];
	struct commands commands = { .length = 0 };

	for (int i = 0; i < calls; i++) {
		struct binder_transaction_data reply, data = {
			.code = 1,
			.data_size = sizeof(payload),
			.data.ptr.buffer = (unsigned long)payload,
		};
		binder_uintptr_t buffer;

		memset(payload, i, sizeof(payload));
		add(&commands, BC_TRANSACTION, &data, sizeof(data));
		receive(file, &commands, BR_REPLY, &reply);
		buffer = reply.data.ptr.buffer;
		if (reply.data_size != sizeof(payload) ||
		    memcmp((const void *)(unsigned long)buffer, payload, sizeof(payload)))
			errx(1, "answer %d is not what was sent", i);
		add(&commands, BC_FREE_BUFFER, &buffer, sizeof(buffer));
	}
}

int main(int argc, char **argv)
{
	int ready[2], calls;
	pid_t server;
	char byte;

	calls = argc == 3 ? atoi(argv[2]) : 0;
	if (calls < 1)
		errx(2, "usage: binder DEVICE CALLS");
	if (pipe(ready))
		err(1, "pipe");
	server = fork();
	if (server == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		serve(open_binder(argv[1]), ready[1]);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		errx(1, "the service did not come up");
	call(open_binder(argv[1]), calls);
	printf("called %d\n", calls);
	fflush(stdout);
	while (read(0, &byte, 1) > 0)
		;
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
	return 0;
}
