# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The kernel's sources: Debian's linux-source package, whatever release this is. Needs common.sh.

# The base of this project. It is a tarball in a package, so it fits any Debian.
SOURCE_PACKAGE=linux-source-7.3
SOURCE_VERSION='7.3.4-1~bpo13+1'
SOURCE_SHA256=703e369ddd4cce971452f5a593ee55df3a5c10c83caf0fa0df039633ed181ee3
SOURCE_SUITE=trixie-backports
KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

# The unmodified tree: never built in, never edited; the graft works on a copy (kernel.sh).
PRISTINE=$ALLOCTAG_CACHE/src/$SOURCE_PACKAGE

# Runs an apt tool on a private set of sources, those in APT_STATE, so that the system's is neither needed nor changed.
private_apt() {
	local tool=$1 state=${APT_STATE:-$ALLOCTAG_CACHE/dl/apt}
	shift
	mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
	"$tool" -o Dir::Etc::SourceList="$state/sources.list" -o Dir::Etc::SourceParts=/dev/null \
		-o Dir::State::Lists="$state/lists" -o Dir::Cache="$state/cache" \
		-o APT::Sandbox::User="$(id -un)" "$@"
}

# The mirror that this machine already uses.
debian_mirror() {
	# shellcheck disable=SC2016 # apt's fields
	apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
		awk '!/security/ {print $1; exit}'
}

fetch_package() {
	local mirror
	mirror=$(debian_mirror)
	[[ -n $mirror ]] || { echo "apt knows no Debian mirror ('apt-get indextargets' prints none)"; return 1; }
	[[ -r $KEYRING ]] || { echo "$KEYRING is missing (package debian-archive-keyring)"; return 1; }
	mkdir -p "$ALLOCTAG_CACHE/dl/apt"
	echo "deb [signed-by=$KEYRING] $mirror $SOURCE_SUITE main" >"$ALLOCTAG_CACHE/dl/apt/sources.list"
	private_apt apt-get update || return 1
	cd "$ALLOCTAG_CACHE/dl" || return 1
	private_apt apt-get download "$SOURCE_PACKAGE=$SOURCE_VERSION" && return
	echo "note: $SOURCE_VERSION is no longer there; taking the newest of $SOURCE_PACKAGE"
	private_apt apt-get download "$SOURCE_PACKAGE"
}

# Newest downloaded package file, the pinned one first.
downloaded_package() {
	local pinned=$ALLOCTAG_CACHE/dl/${SOURCE_PACKAGE}_${SOURCE_VERSION}_all.deb
	if [[ -f $pinned ]]; then echo "$pinned"; else
		find "$ALLOCTAG_CACHE/dl" -maxdepth 1 -name "${SOURCE_PACKAGE}_*.deb" 2>/dev/null | sort -V | tail -n 1
	fi
}

# The pinned version is held to its checksum; a newer one has apt's signature alone.
verify_package() {
	local deb=$1
	[[ ${deb##*/} == *"_${SOURCE_VERSION}_"* ]] || return 0
	echo "$SOURCE_SHA256  $deb" | sha256sum --check --status && return
	mv "$deb" "$deb.bad"
	echo "$deb: wrong checksum; moved to $deb.bad, run again to get it anew"
	return 1
}

unpack_package() {
	local deb=$1 tmp=$PRISTINE.tmp
	rm -rf "$tmp"
	mkdir -p "$tmp"
	dpkg-deb --fsys-tarfile "$deb" | tar -xO "./usr/src/$SOURCE_PACKAGE.tar.xz" | tar -xJ -C "$tmp" --strip-components=1 &&
		mv -T "$tmp" "$PRISTINE"
}

# Gets and unpacks the sources, if they are not there.
ensure_source() {
	[[ -f $PRISTINE/Makefile ]] && return
	command -v apt-get dpkg-deb >/dev/null ||
		die "no apt here to get $SOURCE_PACKAGE with; set LINUX=/path to a Linux 7.3 tree of yours"
	if [[ -z $(downloaded_package) ]]; then
		step "getting $SOURCE_PACKAGE" "$LOGS/source-get.log" fetch_package ||
			die "cannot get $SOURCE_PACKAGE; set LINUX=/path to a Linux 7.3 tree of yours"
		grep '^note:' "$LOGS/source-get.log" >&2 || true
	fi
	step "verifying $SOURCE_PACKAGE" "$LOGS/source-verify.log" verify_package "$(downloaded_package)" || exit 1
	step "unpacking $SOURCE_PACKAGE" "$LOGS/source-unpack.log" unpack_package "$(downloaded_package)" || exit 1
}
