#!/bin/bash
# fuzz.sh - run every built fuzzer in turn, each for a while.
#
# usage: fuzz.sh OUT SECONDS
#
# The dictionary comes from the program's own tables. What is learned stays in
# OUT/corpus; seeds to begin with are in tests/fuzz/corpus/NAME, where there are any.
# An input that breaks something is kept as OUT/crash-*, and the status is 1.
set -eu
out=$1
seconds=$2
status=0
count=0

dict=$out/fuzz.dict
if ! "$out/tests/tools/reference" dict >"$dict" 2>/dev/null; then
	: >"$dict"
fi
for source in tests/fuzz/fuzz_*.c; do
	name=$(basename "$source" .c)
	learned=$out/corpus/$name
	seeds=tests/fuzz/corpus/$name
	mkdir -p "$learned"
	echo "---- $name, $seconds s"
	count=$((count + 1))
	ASAN_OPTIONS=allocator_may_return_null=1 "$out/tests/fuzz/$name" -dict="$dict" \
		-max_total_time="$seconds" -timeout=10 -rss_limit_mb=512 -malloc_limit_mb=64 \
		-print_final_stats=1 -verbosity=0 -artifact_prefix="$out/" \
		"$learned" $([ -d "$seeds" ] && echo "$seeds") || status=1
done
if [ "$count" -eq 0 ]; then
	echo "fuzz.sh: there is no tests/fuzz/fuzz_*.c" >&2
	exit 1
fi
exit $status
