# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The grafted tree and its builds. Needs common.sh, toolchain.sh and source.sh.
#
#   $ALLOCTAG_BUILD/7.3.4/tree     a copy of the sources (hard links), grafted
#   $ALLOCTAG_BUILD/7.3.4/rust     one build directory for each named configuration
#
# All clones of this repository share them. Before a build the tree is brought in step with the clone that asks, by
# content, so that a fresh clone with a warm cache recompiles only what differs. Each build directory holds a stamp that
# says from what it was built, and is taken for current only where the stamp is the caller's own. To work in two clones
# that differ much, give one of them an ALLOCTAG_BUILD of its own.

ALLOCTAG_BUILD=${ALLOCTAG_BUILD:-$ALLOCTAG_CACHE/build}
CONFIGS="rust c none debug kcsan off gcc gcc-c gcc-none"

# fragments CONFIG: what makes up a named configuration; each line of it holds in the result, or the build refuses.
fragments() {
	case $1 in
	none) echo base none ;;
	c) echo base profiling c ;;
	rust) echo base profiling rust lines ;;
	debug) echo base profiling rust lines debug ;;
	kcsan) echo base profiling rust lines kcsan ;;
	off) echo base off rust ;;
	gcc) echo base profiling rust lines gcc ;;
	gcc-c) echo base profiling c gcc ;;
	gcc-none) echo base none gcc ;;
	*) die "no configuration '$1'; there are: $CONFIGS" ;;
	esac
}

# compiler_of CONFIG
compiler_of() {
	case $1 in gcc*) echo gcc ;; *) echo clang ;; esac
}

kernel_version() {
	awk '/^(VERSION|PATCHLEVEL|SUBLEVEL) =/ {v = v s $3; s = "."} NR > 6 {exit} END {print v}' "$1/Makefile"
}

# Sets TREE, the tree to compile, and BUILDS, where its build directories are.
use_tree() {
	if [[ -n ${LINUX:-} ]]; then
		TREE=$(realpath "$LINUX")
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
		cp -al "$PRISTINE" "$TREE.tmp" 2>/dev/null || cp -a "$PRISTINE" "$TREE.tmp"
		mv -T "$TREE.tmp" "$TREE"
	fi
	"$REPO/scripts/graft" --mirror "$PRISTINE" "$TREE"
}

# stamp CONFIG: names everything that a build depends on. Our sources are not of it where another core is built: they are
# neither compiled nor included there. A tree of the user's is not to be named so cheaply.
stamp() {
	local parts=(Kconfig scripts/edits scripts/config scripts/lib/kernel.sh include/rust)
	[[ -z ${LINUX:-} ]] || return 0
	case " $(fragments "$1") " in *" rust "*) parts+=(Kbuild include src tests/kunit) ;; esac
	{
		echo "$1 $TREE $(toolchain "$(compiler_of "$1")") $(stat -c %Y "$PRISTINE/Makefile")"
		cd "$REPO" || exit 1
		find "${parts[@]}" -path src/cli -prune -o -type f -print0 | sort -z | xargs -0 sha256sum
	} | sha256sum | cut -d' ' -f1
}

# is_current CONFIG STAMP
is_current() {
	[[ -n $2 && $(cat "$BUILDS/$1/.alloctag-stamp" 2>/dev/null) == "$2" ]]
}

# kmake CONFIG ARGUMENT…
kmake() {
	local config=$1 COMPILER
	shift
	choose_compiler "$(compiler_of "$config")"
	"${KMAKE[@]}" "${COMPILER[@]}" -C "$TREE" O="$BUILDS/$config" "$@"
}

# Lines of the fragments that did not come true in .config.
unmet() {
	local out=$1 line name
	shift
	grep -hE '^(CONFIG_|# CONFIG_.* is not set$)' "$@" | while read -r line; do
		if [[ $line == \#* ]]; then
			name=${line#\# }
			! grep -q "^${name%% *}=" "$out/.config" || echo "$line"
		else
			grep -qxF "$line" "$out/.config" || echo "$line"
		fi
	done
}

configure() {
	local config=$1 out=$BUILDS/$1 files=() name wrong
	for name in $(fragments "$config"); do files+=("$REPO/scripts/config/$name.config"); done
	mkdir -p "$out"
	cat "${files[@]}" >"$out/.fragments"
	# Anew each time: a Kconfig that has changed must not stop to ask. The file is left alone where nothing differs.
	kmake "$config" KCONFIG_ALLCONFIG="$out/.fragments" allnoconfig || return 1
	wrong=$(unmet "$out" "${files[@]}")
	[[ -z $wrong ]] || {
		echo "these settings did not come true (a dependency is missing, or the symbol is gone):"
		echo "$wrong"
		return 1
	}
}

compile() {
	local config=$1 out=$BUILDS/$1
	configure "$config" &&
		kmake "$config" -j"$(nproc)" bzImage modules &&
		kmake "$config" INSTALL_MOD_PATH="$out/modroot" INSTALL_MOD_STRIP=1 modules_install
}

# With the lock held.
build_locked() {
	local config=$1 stamp=$2 out=$BUILDS/$1
	is_current "$config" "$stamp" && return
	rm -f "$out/.alloctag-stamp"
	sync_tree || exit 1
	step "building the $config kernel" "$LOGS/build-$config.log" compile "$config" || {
		[[ -n ${LINUX:-} ]] || say "(files under $TREE/mm/alloctag are copies of those in $REPO)"
		exit 1
	}
	[[ -z $stamp ]] || echo "$stamp" >"$out/.alloctag-stamp"
}

# build CONFIG: brings a build up to date and sets STAMP to what it was built from.
build() {
	check_compiler "$(compiler_of "$1")"
	STAMP=$(stamp "$1")
	is_current "$1" "$STAMP" || locked "build-$(cksum <<<"$ALLOCTAG_BUILD" | cut -d" " -f1)" "build of $1" build_locked "$1" "$STAMP"
}
