#!/bin/bash
# fuzz.sh - run every built fuzzer, as many at a time as there are cores, each for a while.
#
# usage: fuzz.sh OUT SECONDS
#
# The dictionary, OUT/fuzz.dict, comes from the program's own tables. What is learned stays in
# OUT/corpus; seeds to begin with are in tests/fuzz/corpus/NAME, where there are any.
# An input that breaks something is kept as OUT/crash-*, and the status is 1.
set -eu
out=$1
seconds=$2

dict=$out/fuzz.dict
if [ ! -s "$dict" ]; then
	echo "fuzz.sh: there is no dictionary in $dict" >&2
	exit 1
fi

# What it says is shown whole when it has ended, so that two do not speak at once.
fuzz() { # NAME
	local learned=$out/corpus/$1 seeds=tests/fuzz/corpus/$1 status=0
	mkdir -p "$learned"
	# What is freed is kept for a while to catch its use; its share of rss_limit_mb is a small one.
	ASAN_OPTIONS=allocator_may_return_null=1:quarantine_size_mb=64 "$out/tests/fuzz/$1" -dict="$dict" \
		-max_total_time="$seconds" -timeout=10 -rss_limit_mb=512 -malloc_limit_mb=64 \
		-print_final_stats=1 -verbosity=0 -artifact_prefix="$out/" \
		"$learned" $([ -d "$seeds" ] && echo "$seeds") >"$out/$1.log" 2>&1 || status=1
	echo "---- $1, $seconds s"
	cat "$out/$1.log"
	return "$status"
}
export -f fuzz
export out seconds dict

sources=(tests/fuzz/fuzz_*.c)
if [ ! -e "${sources[0]}" ]; then
	echo "fuzz.sh: there is no tests/fuzz/fuzz_*.c" >&2
	exit 1
fi
# xargs: 123 when one has failed.
basename --suffix=.c "${sources[@]}" | xargs -P "$(nproc)" -I{} bash -c 'fuzz {}' || exit 1
