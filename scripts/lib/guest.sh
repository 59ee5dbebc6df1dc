# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# One boot of a kernel in QEMU, and the judgement of what the guest said. Needs common.sh, machine.sh and watchdog.sh.

# How a guest that did not come to say its command's exit status is told from one that did.
GUEST_WARNED=121
GUEST_DIED=122
GUEST_SILENT=123
GUEST_HUNG=124
# Nobody reads what it says: as if SIGPIPE had ended it.
GUEST_UNREAD=141

# What a kernel that has found fault with itself writes, where it does not stop at once, or has nobody left to say it to.
COMPLAINTS='WARNING: |BUG: |UBSAN: |INFO: (possible|suspicious|trying|task )|kmemleak: [0-9]+ new suspected|INFO: rcu'
COMPLAINTS+='|Oops( -|:) |Internal error: '
PANIC='Kernel panic'

# More arguments for QEMU, and a bound on the console's silence in seconds, for those who want them.
QEMU_MORE=() SILENCE=''

# The process that the guest is, or that watches over it.
GUEST=''

# end_with_us: has a signal that ends this script end its guest as well.
end_with_us() {
	trap 'end_guest 129' HUP
	trap 'end_guest 130' INT
	trap 'end_guest 143' TERM
}
end_guest() {
	trap '' HUP INT TERM
	if [[ -n $GUEST ]]; then
		kill "$GUEST" 2>/dev/null || true
		wait "$GUEST" || true
	fi
	exit "$1"
}

# await_guest COMMAND…: runs it in the background, for a shell does not hear of signals while it waits for another command.
await_guest() {
	local status=0
	"$@" <&0 &
	GUEST=$!
	wait "$GUEST" || status=$?
	GUEST=''
	return "$status"
}

# read_out PIPE RUN_DIR: hands on what the guest writes. Where nobody wants it any more, the guest, which would wait for that, is
# ended.
read_out() {
	local dir=$2 pipe
	exec {pipe}<"$1"
	if cat <&"$pipe"; then return; fi
	: >"$dir/unread"
	{ kill "$(<"$dir/pid")" || true; } 2>/dev/null
	# What it has left to write does not hold it up.
	cat <&"$pipe" >/dev/null
}

# boot RUN_DIR: boots $RUN_DIR/kernel with $RUN_DIR/initramfs. Reads the options ARCH, ACCEL, CPUS, MEM, APPEND, SHELL_MODE, LIMIT
# and SILENCE (seconds) and WARNS. The guest's stdout and stderr go to ours. Returns the command's exit status, or one of the
# above.
boot() {
	local dir=$1 out_reader err_reader out_hold err_hold watcher qemu_status=0 emulator machine arguments
	# A CPU that an emulator on a busy machine has no time for is none that is stuck.
	local parameters
	parameters="$(console_of "$ARCH") rcupdate.rcu_cpu_stall_timeout=300"
	parameters+=" panic=-1 panic_on_warn=1 oops=panic kunit.enable=0 $APPEND"
	mkfifo "$dir/out" "$dir/err" "$dir/monitor.in" "$dir/monitor.out"
	: >"$dir/verdict"
	emulator=$(emulator_of "$ARCH")
	read -ra machine <<<"$(machine_of "$ARCH")"
	# shellcheck disable=SC2054 # QEMU's own commas
	arguments=(-nodefaults -no-user-config -no-reboot -display none -nic none
		"${machine[@]}" -accel "$ACCEL" -smp "$CPUS" -m "$MEM"
		-pidfile "$dir/pid" -kernel "$dir/kernel" -initrd "$dir/initramfs" -append "$parameters"
		-device virtio-serial
		-chardev "file,id=verdict,path=$dir/verdict" -device virtserialport,chardev=verdict,name=verdict
		-chardev "file,id=out,path=$dir/out" -device virtserialport,chardev=out,name=out
		-chardev "file,id=err,path=$dir/err" -device virtserialport,chardev=err,name=err
		"${QEMU_MORE[@]}")
	# Our own hold on the pipes: nobody waits to open them, and the readers end when we and QEMU have let go.
	exec {out_hold}<>"$dir/out" {err_hold}<>"$dir/err"
	read_out "$dir/out" "$dir" {out_hold}>&- {err_hold}>&- &
	out_reader=$!
	read_out "$dir/err" "$dir" >&2 {out_hold}>&- {err_hold}>&- &
	err_reader=$!
	if [[ -n $SHELL_MODE ]]; then
		await_guest "$emulator" "${arguments[@]}" -chardev "stdio,id=console,mux=on,signal=off,logfile=$dir/console" \
			-serial chardev:console -mon chardev=console || qemu_status=$?
	else
		# Whoever waits for our output to end does not wait for the watcher.
		watch "$dir" {out_hold}>&- {err_hold}>&- >/dev/null 2>&1 &
		watcher=$!
		await_guest timeout --foreground "$LIMIT" "$emulator" "${arguments[@]}" -serial "file:$dir/console" \
			-chardev "pipe,id=monitor,path=$dir/monitor" -mon chardev=monitor </dev/null 2>"$dir/qemu" || qemu_status=$?
		kill "$watcher" 2>/dev/null || true
	fi
	exec {out_hold}>&- {err_hold}>&-
	wait "$out_reader" "$err_reader"
	judge "$dir" "$qemu_status"
}

# boot_process RUN_DIR: the same for a kernel that is a process of this machine. It has no ports, but reaches the directory.
boot_process() {
	local dir=$1 status=0 parameters
	read -ra parameters <<<"$APPEND"
	: >"$dir/verdict"
	: >"$dir/out"
	: >"$dir/err"
	await_guest timeout --foreground "$LIMIT" "$dir/kernel" "initrd=$dir/initramfs" "mem=$MEM" "ncpus=$CPUS" \
		con=null con0=null,fd:1 ssl=null panic_on_warn=1 oops=panic kunit.enable=0 "port_directory=$dir" "${parameters[@]}" \
		</dev/null >"$dir/console" 2>&1 || status=$?
	cat "$dir/out" || : >"$dir/unread"
	cat "$dir/err" >&2 || : >"$dir/unread"
	judge "$dir" "$status"
}

# unmeant PATTERN CONSOLE: whether there are lines of it that nobody meant.
unmeant() { grep -E "$1" "$2" 2>/dev/null | grep -vE -e "${WARNS:-^$}" >/dev/null; }

# judge RUN_DIR QEMU_STATUS: what the boot comes to.
judge() {
	local dir=$1 qemu_status=$2 status
	status=$(sed -n 's/^exit \([0-9]*\)$/\1/p' "$dir/verdict")
	if grep -qE "$PANIC - not syncing: .*panic_on_warn" "$dir/console" 2>/dev/null; then
		fault "$dir" "the guest's kernel warned" "$GUEST_WARNED"
	elif [[ -n $status ]] && unmeant "$PANIC" "$dir/console"; then
		fault "$dir" "the guest's kernel panicked, though its command came to its end" "$GUEST_DIED"
	elif [[ -n $status ]] && unmeant "$COMPLAINTS" "$dir/console"; then
		fault "$dir" "the guest's kernel warned" "$GUEST_WARNED"
	elif [[ -e $dir/unread ]]; then
		# Whatever its command made of it: it may have come to its end before the guest did.
		return "$GUEST_UNREAD"
	elif [[ -n $status ]]; then
		return "$status"
	elif [[ -e $dir/silent ]]; then
		fault "$dir" "the guest's console said nothing for $SILENCE s" "$GUEST_HUNG"
	elif ((qemu_status == 124)); then
		fault "$dir" "the guest did not finish within $LIMIT s" "$GUEST_HUNG"
	elif grep -q "$PANIC" "$dir/console" 2>/dev/null; then
		fault "$dir" "the guest's kernel panicked" "$GUEST_DIED"
	elif ((qemu_status)); then
		say "$(cat "$dir/qemu" 2>/dev/null)"
		fault "$dir" "QEMU failed with status $qemu_status" "$GUEST_DIED"
	else
		fault "$dir" "the guest ended without saying how its command did" "$GUEST_SILENT"
	fi
}

# fault RUN_DIR WHAT STATUS: says what went wrong with the end of the console, and keeps the whole of it.
fault() {
	local kept=$LOGS/console-$$.log
	mkdir -p "$LOGS"
	cp "$1/console" "$kept" 2>/dev/null || : >"$kept"
	say "$2; the end of its console ($kept):"
	tail -n 40 "$kept" | tr -d '\r' | sed 's/^/  | /' >&2
	if (($3 == GUEST_HUNG)) && [[ -e $1/registers ]]; then
		say "where its CPUs are (all of their registers: at the end of that file):"
		at_instructions "$1" | sed 's/^/  | /' >&2
		cat "$1/registers" >>"$kept"
	fi
	return "$3"
}
