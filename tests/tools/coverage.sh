#!/bin/bash
# coverage.sh - say how many lines of each file the tests just run have reached.
#
# usage: coverage.sh OUT, where OUT was built with --coverage and its tests have run
set -eu
out=$1
find "$out/proto" "$out/store" "$out/server" "$out/client" -name '*.gcda' | sort |
	xargs -r gcov -n 2>/dev/null |
	awk '
		/^File / { file = substr($2, 2, length($2) - 2) }
		/^Lines executed:/ && file !~ /^\// && file ~ /\.c$/ {
			split($0, part, /[:% ]+/)
			percent = part[3]; lines = part[5]
			printf "%6.1f %% of %5d  %s\n", percent, lines, file
			layer = file; sub(/\/[^\/]*$/, "", layer)
			all[layer] += lines; hit[layer] += lines * percent / 100
			file = "/"
		}
		END {
			print ""
			for (layer in all) {
				printf "%6.1f %% of %5d  %s\n", 100 * hit[layer] / all[layer], all[layer], layer
			}
		}'
