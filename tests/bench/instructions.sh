#!/bin/bash
# instructions.sh - count the instructions of the pure core and codec, and
# compare with the figures in instructions.txt.
#
# usage: instructions.sh PROGRAM [--write]     (PROGRAM: a release build of instructions.c)
#
# More than TOLERANCE per cent above the figure is a failure; as much below asks
# for the file to be written anew, which --write does. Figures hold for one
# compiler, C library and architecture: each has its own lines.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
figures=$here/instructions.txt
program=$1
mode=${2:-}
TOLERANCE=3

# The C library picks its string functions by the processor; these plain ones every one has.
plain=glibc.cpu.hwcaps=-AVX,-AVX2,-AVX512F,-AVX_Fast_Unaligned_Load,-ERMS,-FSRM,-SSE4_2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The compiler is asked of the program: it may not be the one in PATH.
toolchain() {
	local compiler libc
	compiler=$("$program" compiler)
	libc=$(getconf GNU_LIBC_VERSION 2>/dev/null | tr ' ' -) || libc=libc
	echo "$compiler,$libc,$(uname -m)"
}

# count NAME: instructions of one run of it.
count() {
	local runs collected of=$1
	case $of in vote40 | story) of=vote ;; esac
	env -i GLIBC_TUNABLES="$plain" valgrind --tool=callgrind --callgrind-out-file="$work/out" \
		--toggle-collect="count_$of*" "$program" "$1" >"$work/said" 2>"$work/told" ||
		{ cat "$work/told" >&2; return 1; }
	runs=$(sed -n 's/^runs=\([0-9]*\).*/\1/p' "$work/said")
	collected=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$work/told")
	echo $((collected / runs))
}

key=$(toolchain)
passed=0
failed=0
better=0
printf '%-8s %10s %10s %10s   %s\n' what expected counted difference "$key"
declare -A counts
for name in vote full decode vote40 story; do
	counted=$(count "$name")
	counts[$name]=$counted
	expected=$(awk -v key="$key" -v name="$name" '$1 == key && $2 == name { print $3 }' "$figures")
	echo "$key $name $counted" >>"$work/counted"
	if [ -z "$expected" ]; then
		printf '%-8s %10s %10d\n' "$name" - "$counted"
		failed=$((failed + 1))
		continue
	fi
	printf '%-8s %10d %10d %+9.1f %%\n' "$name" "$expected" "$counted" \
		"$(awk -v c="$counted" -v e="$expected" 'BEGIN { print 100 * (c - e) / e }')"
	if [ $((counted * 100)) -gt $((expected * (100 + TOLERANCE))) ]; then
		failed=$((failed + 1))
	else
		passed=$((passed + 1))
		[ $((counted * 100)) -ge $((expected * (100 - TOLERANCE))) ] || better=$((better + 1))
	fi
done

printf 'a vote on an open story takes %d %% of one at the table of as many\n' $((counts[story] * 100 / counts[vote40]))

if [ "$mode" = --write ]; then
	{ grep -v "^$key " "$figures" || true; cat "$work/counted"; } >"$work/figures"
	cat "$work/figures" >"$figures"
	echo "written to $figures"
	exit 0
fi
if [ "$failed" -gt 0 ]; then
	echo "More than $TOLERANCE % above $figures, or no figure there for $key."
	echo "Where that is meant: make instructions-write, and say in the commit what it buys."
elif [ "$better" -gt 0 ]; then
	echo "More than $TOLERANCE % below: make instructions-write keeps what was won."
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
