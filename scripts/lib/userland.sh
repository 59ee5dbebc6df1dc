# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Debian's programs and libraries of another architecture: for its guests, and to compile and link programs for them. They are
# unpacked in the cache, and nothing is installed. They are of this machine's own release, or of the first that has the
# architecture. Needs common.sh, toolchain.sh, source.sh and machine.sh.

USERLAND_PACKAGES="bash busybox-static coreutils diffutils e2fsprogs findutils grep gzip kmod libc6-dev mawk mount procps sed
	util-linux"
# For the selftests.
WHOLE_PACKAGES="linux-perf trace-cmd"

# userland ARCH: where they are.
userland() { echo "$ALLOCTAG_CACHE/userland/$1"; }

# rust_std: the package with the standard library of this machine's rustc, and its version, if both are Debian's.
rust_std() {
	local sysroot library package
	sysroot=$("$(find_rustc)" --print sysroot)
	for library in "$sysroot"/lib/rustlib/x86_64-unknown-linux-gnu/lib/libstd-*.rlib; do
		package=$(dpkg-query -S "$library" 2>/dev/null) || return 0
		dpkg-query -W -f '${Package}=${Version}\n' "${package%%:*}:amd64"
	done
}

# userland_packages ARCH: all that is asked for; what these depend on comes with them.
userland_packages() {
	# shellcheck disable=SC2086 # names, one word each
	printf '%s\n' $USERLAND_PACKAGES "libgcc-$(gcc -dumpversion | cut -d. -f1)-dev"
	# shellcheck disable=SC2086 # names, one word each
	! is_whole "$1" || printf '%s\n' $WHOLE_PACKAGES "$(rust_std)" | grep .
}

# foreign_apt ARCH TOOL ARGUMENT…: apt as on a machine of that architecture on which nothing is installed.
foreign_apt() {
	local arch=$1 tool=$2 APT_STATE=$ALLOCTAG_CACHE/dl/apt-$1
	shift 2
	arch=$(debian_of "$arch")
	private_apt "$tool" -o "APT::Architecture=$arch" -o "APT::Architectures::=$arch" -o "Dir::State=$APT_STATE" \
		-o "Dir::State::status=$APT_STATE/status" -o Debug::NoLocking=1 -o Acquire::Languages=none "$@"
}

# write_sources ARCH: what this machine's own packages come from, its updates included; of a later release, as it came out.
write_sources() {
	local release first=''
	# shellcheck source=/dev/null
	release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	if [[ $1 == riscv && $release == bookworm ]]; then first=trixie; fi
	# shellcheck disable=SC2016 # apt's fields
	apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 2>/dev/null |
		awk -v "release=$release" -v "keyring=$KEYRING" '
			$1 ~ /debian/ && $2 ~ "^" release && $3 == "main" {print "deb [signed-by=" keyring "]", $1, $2, $3}' |
		if [[ -n $first ]]; then sed -n "s/ $release / $first /p"; else cat; fi | sort -u
}

# download_userland ARCH PACKAGE…
download_userland() {
	local arch=$1 state=$ALLOCTAG_CACHE/dl/apt-$1
	shift
	rm -rf "$state"
	mkdir -p "$state"
	: >"$state/status"
	write_sources "$arch" >"$state/sources.list"
	[[ -s $state/sources.list ]] || { echo "apt knows no Debian mirror ('apt-get indextargets' prints none)"; return 1; }
	foreign_apt "$arch" apt-get update && foreign_apt "$arch" apt-get install -y --no-install-recommends --download-only "$@"
}

# What is left out: texts, and a compiler that would run there.
USERLAND_WITHOUT=(--exclude ./usr/share --exclude 'libLLVM*' --exclude 'librustc_driver*')

# unpack_userland ARCH: as dpkg would, but for what it asks and runs.
unpack_userland() {
	local arch=$1 root deb
	root=$(userland "$1")
	rm -rf "$root"
	mkdir -p "$root"/usr/{bin,sbin,lib}
	ln -s usr/bin usr/sbin usr/lib "$root"
	for deb in "$ALLOCTAG_CACHE/dl/apt-$arch/cache/archives"/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" |
			tar -x --no-same-owner --keep-directory-symlink "${USERLAND_WITHOUT[@]}" -C "$root" || return 1
	done
	# Which of several it is, a package's script says.
	ln -s mawk "$root/usr/bin/awk"
}

# get_userland ARCH PACKAGE…
get_userland() { download_userland "$@" && unpack_userland "$1"; }

# ensure_userland ARCH: gets them, if they are not there, or others are wanted by now.
ensure_userland() {
	local arch=$1 packages stamp
	stamp=$(userland "$1")/.packages
	packages=$(userland_packages "$arch")
	[[ $(cat "$stamp" 2>/dev/null) != "$packages" ]] || return 0
	# shellcheck disable=SC2086 # names, one word each
	step "getting Debian's programs for $arch" "$LOGS/userland-$arch.log" get_userland "$arch" $packages ||
		die "cannot get Debian's programs for $arch"
	echo "$packages" >"$stamp"
}

# needed_by PROGRAM…: the names of the libraries that these ask for, and of the loader. Some are scripts.
needed_by() {
	{ readelf -dl "$@" 2>/dev/null || true; } | sed -nE 's/.*\(NEEDED\).*\[(.*)\]$/\1/p; s/.*interpreter: \/lib\/(.*)\]$/\1/p' | sort -u
}

# copy_foreign ARCH ROOT PROGRAM…: what programs of another architecture need, and what that needs, the loader included.
copy_foreign() {
	local lib from root=$2 wanted=("${@:3}") name more
	lib=lib/$(triple_of "$1")
	from=$(userland "$1")/$lib
	while ((${#wanted[@]})); do
		more=()
		while read -r name; do
			[[ ! -e $root/$lib/$name ]] || continue
			install -D "$from/$name" -t "$root/$lib" || return 1
			more+=("$from/$name")
		done < <(needed_by "${wanted[@]}")
		wanted=("${more[@]}")
	done
	# Where programs name it.
	for name in "$root/$lib"/ld*.so.*; do ln -sf "${name#"$root/lib/"}" "$root/lib/"; done
}

# cross_compiler ARCH: the words that compile and link a program in C for it.
cross_compiler() {
	echo "$(find_llvm)/clang --target=$(triple_of "$1") --sysroot=$(userland "$1") -fuse-ld=lld"
}

# has_rust_std ARCH: whether programs in Rust can be linked for it.
has_rust_std() { compgen -G "$(userland "$1")/usr/lib/rustlib/$(rust_target_of "$1")/lib/libstd-*.rlib" >/dev/null; }

# cross_rustflags ARCH: what rustc is told for that.
cross_rustflags() {
	local root
	root=$(userland "$1")
	echo "--sysroot=$root/usr -C linker=$(find_llvm)/clang -C link-arg=--target=$(triple_of "$1") -C link-arg=--sysroot=$root" \
		"-C link-arg=-fuse-ld=lld"
}
