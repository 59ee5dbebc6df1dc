# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What the suites under tests/suites share. A suite prints TAP and ends with `finish`; scripts/test counts.

# shellcheck source=scripts/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# Conditions fail on purpose here, and `expect` says so.
trap - ERR
set +eE
# shellcheck source=tests/selftests/lib/expect.sh
source "$REPO/tests/selftests/lib/expect.sh"

# Without one, what is written there goes into the root directory.
WORK=$(mktemp -d) || die "TMPDIR is '${TMPDIR:-/tmp}', where no directory can be made; set it to another one"
trap 'rm -rf "$WORK"' EXIT

# broken SENTENCE FILE: a failure whose evidence is in a file.
broken() {
	expect_count=$((expect_count + 1))
	expect_failures=$((expect_failures + 1))
	echo "not ok $expect_count - $1"
	tail -n 50 "$2" | sed 's/^/# /'
}

# relay NAME STATUS TAP-FILE: hands on another program's TAP under this suite's numbers. A missing or broken plan, or a
# status that its results do not explain, is a failure by the program's name.
relay() {
	local name=$1 status=$2 file=$3 line plan='' results=0 failures=0
	while IFS= read -r line; do
		case $line in
		1..[0-9]*) plan=${line#1..} ;;
		ok\ * | not\ ok\ *)
			results=$((results + 1))
			expect_count=$((expect_count + 1))
			if [[ $line == not* ]]; then
				failures=$((failures + 1))
				expect_failures=$((expect_failures + 1))
				echo "not ok $expect_count - $name: ${line#* - }"
			else
				echo "ok $expect_count - $name: ${line#* - }"
			fi
			;;
		*) echo "# ${line#\# }" ;;
		esac
	done <"$file"
	if [[ $plan != "$results" ]] || ((results == 0)); then
		broken "$name: came to its end (status $status, ${plan:-no} results planned, $results seen)" "${file%.tap}.err"
	elif ((status != 0 && failures == 0)); then
		broken "$name: ended with status 0 (it was $status)" "${file%.tap}.err"
	fi
}

# python_tests NAME FILE: runs a file of Python's unittest and relays each test's sentence.
python_tests() {
	local name=$1 status=0
	python3 "$2" --verbose 2>"$WORK/$name.err" || status=$?
	awk '
		/ \.\.\. ok$/            {sub(/ \.\.\. ok$/, ""); printf "ok %d - %s\n", ++n, $0}
		/ \.\.\. (FAIL|ERROR)$/  {sub(/ \.\.\. [A-Z]*$/, ""); printf "not ok %d - %s\n", ++n, $0}
		/^Ran [0-9]+ tests?/     {planned = $2}
		END                      {print "1.." planned + 0}' "$WORK/$name.err" >"$WORK/$name.tap"
	relay "$name" "$status" "$WORK/$name.tap"
}

# cargo_tests NAME ARGUMENT…: runs `cargo test` so, and relays what it says about each test, and of each program that it ran how many
# there were. Behind one that failed stands what it said, which cargo tells at the end of its program: a property's seed is among that.
cargo_tests() {
	local name=$1 status=0
	shift
	nice cargo test --locked "$@" >"$WORK/$name.out" 2>"$WORK/$name.err" || status=$?
	awk '
		NR != FNR && FNR == 1      {program = 0}
		/^running [0-9]+ tests?$/  {program++}
		NR == FNR {
			if (/^(failures|test result):/) {name = ""}
			if (name != "" && $0 != "") {said[program, name] = said[program, name] "# " $0 "\n"}
			if (/^---- .* stdout ----$/) {name = named($0, "---- ", " stdout ----")}
			next
		}
		/^test .* \.\.\. ok$/      {printf "ok %d - %s\n", ++n, named($0, "test ", " ... ")}
		/^test .* \.\.\. ignored/  {printf "ok %d - %s # SKIP ignored\n", ++n, named($0, "test ", " ... ")}
		/^test .* \.\.\. FAILED$/ {
			name = named($0, "test ", " ... ")
			printf "not ok %d - %s\n%s", ++n, name, said[program, name]
		}
		/^running [0-9]+ tests?$/  {planned += $2}
		function named(line, before, behind) {
			line = substr(line, length(before) + 1)
			return substr(line, 1, index(line, behind) - 1)
		}
		END {print "1.." planned + 0}' "$WORK/$name.out" "$WORK/$name.out" >"$WORK/$name.tap"
	relay "$name" "$status" "$WORK/$name.tap"
}

# guest_options FILE: what a selftest asks of its guest, from its '# guest:' line.
guest_options() { sed -n 's/^# guest: //p' "$1"; }

# only_on FILE: the architecture alone whose kernels have what a selftest is about, from its '# arch:' line.
only_on() { sed -n 's/^# arch: //p' "$1"; }

# What selftests skip in kernels that are to have all they ask for.
SKIPS=$REPO/tests/selftests/skips

# of_core FILE: the core alone that has what a selftest is about, from its '# core:' line.
of_core() { sed -n 's/^# core: //p' "$1"; }

# selftest NAME CONFIG [OPTION…] [-- ARGUMENT…]: runs a selftest in a guest of its own and relays what it says.
selftest() {
	local name=$1 config=$2 options only given=() status=0
	shift 2
	while (($#)) && [[ $1 != -- ]]; do
		given+=("$1")
		shift
	done
	(($# == 0)) || shift
	only=$(only_on "$REPO/tests/selftests/$name.sh")
	if [[ -n $only && $only != "${ALLOCTAG_ARCH:-x86_64}" ]]; then
		skip "$name" "this is of $only"
		return
	fi
	if [[ $config == c && $(of_core "$REPO/tests/selftests/$name.sh") == rust ]]; then
		skip "$name" "this is of the Rust core"
		return
	fi
	read -ra options <<<"$(guest_options "$REPO/tests/selftests/$name.sh")"
	"$REPO/scripts/run" --config "$config" "${options[@]}" "${given[@]}" -- "/tests/$name.sh" "$@" \
		>"$WORK/$name.tap" 2>"$WORK/$name.err" || status=$?
	relay "$name" "$status" "$WORK/$name.tap"
	hold_skips "$config" "$name" "$WORK/$name.tap"
}

# hold_skips CONFIG NAME TAP-FILE: a kernel that is to have all that a selftest asks for skips what tests/selftests/skips says, and
# nothing else: or a core that has lost something would fail nowhere.
hold_skips() {
	local lost known
	grep -q "^# configurations: .*\b$1\b" "$SKIPS" || return 0
	known=$(sed -nE "s/^($1|${ALLOCTAG_ARCH:-x86_64}|all) $2: //p" "$SKIPS")
	lost=$(sed -nE 's/^ok [0-9]+ - (.*) # SKIP .*/\1/p' "$3" | grep -vxF -e "$known")
	[[ -z $lost ]] || expect "$2: nothing is skipped that the kernel $1 is to have" equal "$lost" ""
}

# row_kib VMLINUX: what a CPU's counters take, as whole pages.
row_kib() {
	local first last
	first=$(nm "$1" | sed -n 's/ . __alloc_tag_counters$//p')
	last=$(nm "$1" | sed -n 's/ . __per_cpu_end$//p')
	echo $(((16#$last - 16#$first) >> 12 << 2))
}

# free_port: one that nobody on this machine listens at.
free_port() {
	python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# selftests CONFIG [OPTION…]: runs every selftest.
selftests() {
	local test
	for test in "$REPO"/tests/selftests/*.sh; do selftest "$(basename "$test" .sh)" "$@"; done
}

# ktap CONSOLE: the kernel's own test report as TAP: a line for each case, under its suite's name. A suite that began and
# did not end leaves the plan unmet.
ktap() {
	sed -E 's/^\[ *[0-9.]+\] //' "$1" | awk '
		/^    # Subtest: /          {suite = $3}
		/^    1\.\.[0-9]+/          {sub(/^ *1\.\./, ""); planned += $0}
		/^    (not )?ok [0-9]+ /    {
			verdict = ($1 == "not") ? "not ok" : "ok"
			match($0, /ok [0-9]+ (- )?/)
			printf "%s %d - %s: %s\n", verdict, ++n, suite, substr($0, RSTART + RLENGTH)
		}
		/^    # / && !/Subtest|pass:/ {print}
		/^1\.\.[0-9]+/              {sub(/^1\.\./, ""); suites_planned = $0}
		/^(not )?ok [0-9]+ /        {suites++}
		END {
			if (suites != suites_planned) {print "# " suites + 0 " of " suites_planned + 0 " suites ended"; planned = -1}
			print "1.." planned + 0
		}'
}

# kunit CONFIG SUITES [NAME PARAMETER]: runs the KUnit suites of that pattern at boot and relays their cases; where a boot
# parameter is given, under that name.
kunit() {
	local name=${3:-boot} status=0
	"$REPO/scripts/run" --config "$1" --console "$WORK/console" \
		--append "kunit.enable=1 kunit.autorun=1 kunit.filter_glob=$2 kfence.sample_interval=10 ${4:-}" \
		-- true >"$WORK/kunit.out" 2>"$WORK/kunit.err" || status=$?
	[[ -e $WORK/console ]] || : >"$WORK/console"
	ktap "$WORK/console" >"$WORK/kunit.tap"
	relay "$name" "$status" "$WORK/kunit.tap"
}
