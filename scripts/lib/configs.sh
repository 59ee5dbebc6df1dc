# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The small kernels of tests/configs, each of which tries what a setting makes of the core: which there are, of what they
# are made, and what the heads of their files say of them. Needs common.sh and machine.sh.
#
#   # arch: ARCHITECTURE   it is for that one alone, in the words of the kernel's Makefile
#   # compiler: gcc        where clang cannot do it, or is not what is meant
#   # refused: SYMBOL      Kconfig does not let the core have it, and this is what the refusal names
#   # append: PARAMETERS   of the kernel, when it is booted
#   # guest: ARGUMENTS     of QEMU
#   # qemu: VERSION        from which on that does what it asks for right, as far as is known
#   # cpus: N              of its guest
#   # nodes: N             among which its guest's memory is shared out
#   # again: PARAMETERS    with which it is booted once more, and its selftests are run once more
#   # says: TEXT           it says so at boot
#   # alone: yes           it is no part of random ones
#   # kunit: yes           the core's unit tests are run in it
#   # selftest: NAME       so is this one of tests/selftests, most of which ask for IKCONFIG_PROC
#
# One that is called random-SEED is made of some of those for the architecture that is asked for, chosen by the seed.

SMALL=$REPO/tests/configs

# head_of CONFIG WORD: what the file's head says after that word; of a random one, what those say that it is made of.
head_of() {
	local config
	case $1 in
	random-*) for config in $(chosen_by "${1#random-}"); do head_of "$config" "$2"; done | tr '\n' ' ' ;;
	*) [[ ! -f $SMALL/$1.config ]] || sed -n "s/^# $2: //p" "$SMALL/$1.config" ;;
	esac
}

is_small() { [[ $1 != */* && -f $SMALL/$1.config || $1 =~ ^random-[0-9]+$ ]]; }

# small_configs: the names of all that have a file.
small_configs() {
	local file
	for file in "$SMALL"/*.config; do basename "$file" .config; done
}

# arch_of CONFIG: the only one that it is for, or the one that is asked for.
arch_of() {
	local arch=''
	[[ $1 == random-* ]] || arch=$(head_of "$1" arch)
	echo "${arch:-$ALLOCTAG_ARCH}"
}

# name_of CONFIG: its name among those for all architectures.
name_of() {
	if [[ $(arch_of "$1") == x86_64 || -n $(head_of "$1" arch) ]]; then echo "$1"; else echo "$(arch_of "$1")-$1"; fi
}

# lacking_qemu CONFIG: what to say where the installed one is too old for its guest. Needs toolchain.sh.
lacking_qemu() {
	local wanted version
	read -r wanted _ <<<"$(head_of "$1" qemu)"
	[[ -n $wanted ]] || return 0
	version=$(emulator_version "$(arch_of "$1")")
	version_at_least "$wanted" "$version" || echo "$1 needs QEMU $wanted or later; this is $version"
}

# combinable: those of which random ones are made.
combinable() {
	local config
	for config in $(small_configs); do
		[[ $(arch_of "$config") != "$ALLOCTAG_ARCH" || -n $(head_of "$config" refused)$(head_of "$config" alone) ]] || echo "$config"
	done
}

# chosen_by SEED: a third of them. Whether one is chosen depends on its name and the seed alone.
chosen_by() {
	local config
	for config in $(combinable); do
		(($(cksum <<<"$1 $config" | cut -d' ' -f1) % 3)) || echo "$config"
	done
}

# small_fragments CONFIG: the names of its fragments; what comes later overrides.
small_fragments() {
	echo machine/any "machine/$(arch_of "$1")" profiling rust
	case $1 in
	random-*) chosen_by "${1#random-}" ;;
	*) echo "$1" ;;
	esac
}
