# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The grafted tree and its builds. Needs common.sh, toolchain.sh and source.sh.
#
#   $ALLOCTAG_BUILD/7.3.4/tree          a copy of the sources (hard links), grafted
#   $ALLOCTAG_BUILD/7.3.4/rust          one build directory for each named configuration; for arm64 it is arm64-rust
#   $ALLOCTAG_BUILD/7.3.4/small-x86_64  one that all those of tests/configs for an architecture take in turn: what does
#                                       not depend on the symbols that differ is not compiled again
#
# All clones of this repository share them. Before a build the tree is brought in step with the clone that asks, by
# content, so that a fresh clone with a warm cache recompiles only what differs. Each build directory holds a stamp that
# says from what it was built, and is taken for current only where the stamp is the caller's own; the tree has none, and is
# brought in step again for whoever reads it. One lock is held meanwhile. To work in two clones that differ much, give one of
# them an ALLOCTAG_BUILD of its own.

ALLOCTAG_BUILD=$(realpath -ms -- "${ALLOCTAG_BUILD:-$ALLOCTAG_CACHE/build}")
for_make ALLOCTAG_BUILD "$ALLOCTAG_BUILD" "set it to another directory"
CONFIGS="rust c none debug kcsan off owner wide gcc gcc-rust gcc-c gcc-none"

# shellcheck source=scripts/lib/machine.sh
source "$REPO/scripts/lib/machine.sh"
# shellcheck source=scripts/lib/configs.sh
source "$REPO/scripts/lib/configs.sh"

# named_fragments CONFIG: what makes up a configuration on all architectures.
named_fragments() {
	case $1 in
	none) echo base none ;;
	c) echo base profiling c ;;
	rust) echo base profiling rust lines faults chosen ;;
	debug) echo base profiling rust lines faults chosen chunks debug ;;
	kcsan) echo base profiling rust lines faults chosen chunks kcsan ;;
	wide) echo base profiling rust lines faults chosen chunks debug wide ;;
	off) echo base off rust faults chosen ;;
	owner) echo base profiling rust lines faults chosen page-owner ;;
	gcc) echo base profiling rust lines faults chosen chunks gcc defaults ;;
	gcc-rust) echo base profiling rust lines faults chosen gcc ;;
	gcc-c) echo base profiling c gcc ;;
	gcc-none) echo base none gcc ;;
	*)
		is_small "$1" || die "no configuration '$1'; there are: $CONFIGS, those of tests/configs, and random-SEED"
		small_fragments "$1"
		;;
	esac
}

# fragments CONFIG: the same with the parts for its architecture, each behind what it is a part of. Each line holds in the result,
# or the build refuses.
fragments() {
	local arch name names
	names=$(named_fragments "$1") || exit 1
	arch=$(arch_of "$1")
	for name in $names; do
		echo "$name"
		[[ ! -f $(fragment_file "$name-$arch") ]] || echo "$name-$arch"
	done
}

# fragment_file NAME
fragment_file() {
	local file=$REPO/scripts/config/$1.config
	[[ -f $file ]] || file=$SMALL/$1.config
	echo "$file"
}

# out_of CONFIG: its build directory.
out_of() { if is_small "$1"; then echo "$BUILDS/small-$(arch_of "$1")"; else echo "$BUILDS/$(name_of "$1")"; fi; }

# compiler_of CONFIG
compiler_of() {
	local compiler
	case $1 in gcc*) compiler=gcc ;; *) compiler=$(head_of "$1" compiler) ;; esac
	echo "${compiler:-clang}"
}

kernel_version() {
	awk '/^(VERSION|PATCHLEVEL|SUBLEVEL) =/ {v = v s $3; s = "."} NR > 6 {exit} END {print v}' "$1/Makefile"
}

# Sets TREE, the tree to compile, and BUILDS, where its build directories are.
use_tree() {
	if [[ -n ${LINUX:-} ]]; then
		TREE=$(realpath "$LINUX")
		for_make LINUX "$TREE" "move that tree"
		BUILDS=$ALLOCTAG_BUILD/own-$(cksum <<<"$TREE" | cut -d' ' -f1)
	else
		BUILDS=$ALLOCTAG_BUILD/$(kernel_version "$PRISTINE")
		TREE=$BUILDS/tree
	fi
}

# The tree, grafted and in step with this clone: a link in a tree of the user's, a copy by content in ours.
sync_tree() {
	if [[ -n ${LINUX:-} ]]; then
		"$REPO/scripts/graft" "$TREE" >&2
		return
	fi
	if [[ ! -d $TREE ]]; then
		mkdir -p "$BUILDS"
		rm -rf "$TREE.tmp"
		# No links lead from one file system to another.
		cp -al "$PRISTINE" "$TREE.tmp" 2>/dev/null || { rm -rf "$TREE.tmp" && cp -a "$PRISTINE" "$TREE.tmp"; } || return 1
		mv -T "$TREE.tmp" "$TREE" || return 1
	fi
	"$REPO/scripts/graft" --mirror "$PRISTINE" "$TREE"
}

# stamp CONFIG: names everything that a build depends on. Our sources are not of it where another core is built, where the
# headers are included that say that there are no hooks. A tree of the user's is not to be named so cheaply.
stamp() {
	local parts=(Kconfig scripts/edits scripts/config scripts/graft scripts/lib/{kernel,machine,toolchain}.sh
		scripts/lib/{edits,kernel_tree}.py include)
	[[ -z ${LINUX:-} ]] || return 0
	case " $(fragments "$1" | tr '\n' ' ') " in *" rust "*) parts+=(Kbuild src tests/kunit) ;; esac
	! is_small "$1" || parts+=(tests/configs scripts/lib/configs.sh)
	{
		echo "$(name_of "$1") $TREE $(toolchain "$(compiler_of "$1")") $(stat -c %Y "$PRISTINE/Makefile")"
		cd "$REPO" || exit 1
		find "${parts[@]}" -path src/cli -prune -o -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
	} | sha256sum | cut -d' ' -f1
}

# is_current CONFIG STAMP
is_current() {
	[[ -n $2 && $(cat "$(out_of "$1")/.alloctag-stamp" 2>/dev/null) == "$2" ]]
}

# remember CONFIG: has ccache, where it is installed, keep what is compiled for small kernels: one after another they leave
# and come back to the same settings, with the same sources.
remember() {
	local compiler
	is_small "$1" && type -P ccache >/dev/null || return 0
	compiler=$(compiler_of "$1")
	[[ $compiler != gcc ]] || compiler=$GCC
	export CCACHE_DIR=$ALLOCTAG_CACHE/ccache CCACHE_MAXSIZE=10G
	COMPILER+=(CC="ccache $compiler")
}

# kmake CONFIG ARGUMENT…
kmake() {
	local config=$1 COMPILER
	shift
	choose_compiler "$(compiler_of "$config")"
	remember "$config"
	"${KMAKE[@]}" "${COMPILER[@]}" ARCH="$(arch_of "$config")" -C "$TREE" O="$(out_of "$config")" "$@"
}

# settings FILE…: the lines that set a symbol, the last one of each.
settings() {
	cat "$@" | grep -E '^(CONFIG_|# CONFIG_.* is not set$)' | awk '
		{name = $0; sub(/^# /, "", name); sub(/[= ].*/, "", name)}
		!(name in line) {order[++n] = name}
		{line[name] = $0}
		END {for (i = 1; i <= n; i++) print line[order[i]]}'
}

# holds OUT SETTING: whether it came true in .config.
holds() {
	local name=${2#\# }
	if [[ $2 == \#* ]]; then ! grep -q "^${name%% *}=" "$1/.config"; else grep -qxF "$2" "$1/.config"; fi
}

# Those of the settings that did not come true.
unmet() {
	local line
	while read -r line; do holds "$1" "$line" || echo "$line"; done <"$1/.fragments"
}

# lacks OUT: of what our core depends on, what is not so.
lacks() {
	local need
	sed -n '/^config MEM_ALLOC_PROFILING_RUST$/,/help$/s/^\tdepends on //p' "$REPO/Kconfig" | while read -r need; do
		if [[ $need == !* ]]; then holds "$1" "# CONFIG_${need#!} is not set"; else holds "$1" "CONFIG_$need=y"; fi || echo "$need"
	done
}

# configure CONFIG: its .config, or one line in $out/.refused that says what did not come true.
configure() {
	local config=$1 out files=() name wrong needs
	out=$(out_of "$config")
	for name in $(fragments "$config"); do files+=("$(fragment_file "$name")"); done
	mkdir -p "$out"
	rm -f "$out/.refused"
	settings "${files[@]}" >"$out/.fragments"
	# Anew each time: a Kconfig that has changed must not stop to ask. The file is left alone where nothing differs.
	kmake "$config" KCONFIG_ALLCONFIG="$out/.fragments" allnoconfig || return 1
	wrong=$(unmet "$out")
	# Of a random one, what its parts ask for may exclude each other; the core may not.
	[[ $config != random-* ]] || wrong=$(grep -x 'CONFIG_\(MEM_ALLOC_PROFILING.*\|RUST\)=y' <<<"$wrong") || true
	[[ -n $wrong ]] || return 0
	needs=$(lacks "$out" | tr '\n' ' ')
	if [[ $wrong == *CONFIG_MEM_ALLOC_PROFILING_RUST=y* && -n $needs ]]; then
		wrong="Kconfig does not offer Alloctag's core, which needs ${needs% }"
	else
		wrong="Kconfig does not have it so (a dependency is missing, or the symbol is gone): ${wrong//$'\n'/, }"
	fi
	echo "$wrong" | tee "$out/.refused"
	return 1
}

# What there is to make of a configuration, for its architecture and settings.
targets() {
	local config=$1 image
	image=$(kernel_of "$(arch_of "$config")")
	basename "${image:-vmlinux}"
	! has_modules "$config" || echo modules
}

# image_of CONFIG: what is booted.
image_of() {
	local image
	image=$(kernel_of "$(arch_of "$1")")
	[[ -n $image ]] || die "--config $1: no emulator here for $(arch_of "$1")"
	echo "$image"
}

has_modules() { grep -qx CONFIG_MODULES=y "$(out_of "$1")/.config"; }

# pack DIRECTORY: a cpio archive of it on stdout, owned by root.
pack() {
	(cd "$1" && find . -mindepth 1 -print0 | sort -z | cpio --null --quiet --reproducible -o -H newc -R 0:0)
}

compile() {
	local config=$1 out
	out=$(out_of "$config")
	rm -rf "$out/modroot"
	mkdir -p "$out/modroot/lib/modules"
	# shellcheck disable=SC2046 # words
	kmake "$config" -j"$(nproc)" $(targets "$config") || return 1
	! has_modules "$config" || kmake "$config" INSTALL_MOD_PATH="$out/modroot" INSTALL_MOD_STRIP=1 modules_install || return 1
	# As guests unpack them.
	pack "$out/modroot" >"$out/modules.cpio"
}

# Of a kernel only the core, and what that is compiled against.
compile_core() { kmake "$1" -j"$(nproc)" mm/alloctag/; }

# build_log CONFIG: where it is kept what was said while that was built. Each ALLOCTAG_BUILD has its own.
build_log() {
	local of=''
	[[ $ALLOCTAG_BUILD == "$ALLOCTAG_CACHE/build" ]] || of=-$(cksum <<<"$ALLOCTAG_BUILD" | cut -d' ' -f1)
	echo "$LOGS/build-$(name_of "$1")$of.log"
}

# warned CONFIG: the first thing that compilers and objtool had to say of our code; none of it is taken.
warned() { grep -m 1 -E '(mm|include)/alloctag/.*warning: |^ *--> .*/mm/alloctag/' "$(build_log "$1")"; }

# forget_warned OUT: our code is compiled again by the next build. Or else that would see no warning of it.
forget_warned() {
	find "$1/mm/alloctag" -name '*.o' -delete
	find "$TREE/include/alloctag" -name '*.h' -exec touch {} +
}

# build_locked CONFIG STAMP [FUNCTION]: with the lock held, and by that function where it is not the whole kernel. Afterwards the
# tree is in step with this clone, whether anything was built or not.
build_locked() {
	local config=$1 stamp=$2 by=${3:-compile} out name log said
	out=$(out_of "$config")
	name=$(name_of "$config")
	sync_tree || exit 1
	is_current "$config" "$stamp" && return
	rm -f "$out/.alloctag-stamp"
	log=$(build_log "$config")
	said=${log/build-/configure-}
	mkdir -p "$LOGS"
	configure "$config" >"$said" 2>&1 || {
		[[ ! -e $out/.refused ]] || die "$name: $(cat "$out/.refused")"
		die "$name: cannot be configured ($said): $(tail -n 1 "$said")"
	}
	step "building the $name kernel" "$log" "$by" "$config" || {
		! warned "$config" >&2 || forget_warned "$out"
		[[ -n ${LINUX:-} ]] || say "(files under $TREE/mm/alloctag are copies of those in $REPO)"
		exit 1
	}
	if warned "$config" >&2; then
		forget_warned "$out"
		die "$name: our code draws a warning ($log)"
	fi
	[[ -z $stamp ]] || echo "$stamp" >"$out/.alloctag-stamp"
}

# hold WHAT COMMAND…: runs a command while nobody else builds, or brings the tree in step.
hold() { locked "build-$(cksum <<<"$ALLOCTAG_BUILD" | cut -d" " -f1)" "$@"; }

# build_by CONFIG STAMP FUNCTION
build_by() { hold "build of $(name_of "$1")" build_locked "$@"; }

# check_build CONFIG: sets STAMP to what it is to be built from.
check_build() {
	check_compiler "$(compiler_of "$1")" "$(arch_of "$1")"
	STAMP=$(stamp "$1")
}

# build CONFIG: brings a build up to date and sets STAMP to what it was built from.
build() {
	check_build "$1"
	is_current "$1" "$STAMP" || build_by "$1" "$STAMP" compile
}

# build_core CONFIG: compiles the core as that configuration has it, which makes no kernel.
build_core() {
	check_compiler "$(compiler_of "$1")" "$(arch_of "$1")"
	build_by "$1" '' compile_core
}

# with_tree COMMAND…: runs a command that reads the tree.
with_tree() { hold "the tree" in_step "$@"; }
in_step() {
	sync_tree || exit 1
	"$@"
}

# with_build CONFIG COMMAND…: brings a build up to date, sets STAMP, and runs a command that makes more of the build and the tree, or
# copies of it.
with_build() {
	check_build "$1"
	hold "build of $(name_of "$1")" up_to_date "$@"
}
up_to_date() {
	local config=$1
	shift
	build_locked "$config" "$STAMP" || return 1
	"$@"
}

# take_build CONFIG MAKE TAKE: brings a build up to date, sets STAMP, and has TAKE copy what it wants of it, which fails where
# something is not there yet; then MAKE makes that. What is all there is taken without the lock, for another kernel's build holds it
# for long; it counts if the build was current before and after.
take_build() {
	check_build "$1"
	if { is_current "$1" "$STAMP" && "$3" && is_current "$1" "$STAMP"; } 2>/dev/null; then return; fi
	with_build "$1" make_and_take "$2" "$3"
}
make_and_take() { "$1" && "$2"; }
