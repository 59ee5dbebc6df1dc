# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The tool as guests have it. Needs common.sh, machine.sh, toolchain.sh and userland.sh.

# tool_of ARCH: where it is.
tool_of() { echo "$REPO/target/guest/$(rust_target_of "$1")/guest/alloctag"; }

# build_tool ARCH: makes it, linked statically so that it runs in any guest.
build_tool() {
	local arch=$1 log=$LOGS/tool-$$.log words=(RUSTFLAGS='-C target-feature=+crt-static')
	if is_foreign "$arch"; then
		# It is of one compiler.
		is_whole "$arch" || return 0
		has_rust_std "$arch" || { say "no tool for the guest: $RUSTC is not Debian's, who has its library for $arch" && return; }
		words=(RUSTFLAGS="-C target-feature=+crt-static $(cross_rustflags "$arch")" RUSTC="$RUSTC")
	fi
	mkdir -p "$LOGS"
	env "${words[@]}" cargo build --quiet --profile guest --locked --manifest-path "$REPO/Cargo.toml" \
		--target "$(rust_target_of "$arch")" --target-dir "$REPO/target/guest" -p alloctag >"$log" 2>&1 && rm "$log" && return
	tail -n 20 "$log" >&2
	die "cannot build the tool ($log)"
}
