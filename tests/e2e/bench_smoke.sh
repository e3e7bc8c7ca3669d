#!/bin/bash
# bench_smoke.sh - the benchmark measures, says what it measured, and leaves nothing behind.
#
# Only that it works, never how fast anything is. Needs AYED, beside which all that is built of
# its variant lies, in the environment. Speaks TAP.
set -u
bench=${AYED%/*}/tests/bench/bench
home=$(mktemp -d /tmp/bench-smoke-XXXXXX)
trap 'rm -rf "$home"' EXIT
mkdir "$home/data" "$home/stopped"

. "$(dirname "$0")/../support/claims.bash"

short() {
	"$bench" --quick --rounds 1 --window 0.05 --only direct --only log --only aye --dir "$home/data" "$@"
}

measures() {
	short --cell 2 --cell 3 --cell 6 --cell 10 --json "$home/json" >"$home/table" || { cat "$home/table"; return 1; }
}
claim "members of a server without logic and of ours see every vote once" measures
claim "the table has a row for each target" grep -q '^| 10 .*connects/s' "$home/table"

is_json() {
	/usr/bin/python3 - "$home/json" <<-'END'
		import json, sys
		lines = [json.loads(line) for line in open(sys.argv[1])]
		runs = [line for line in lines if "contender" in line]
		targets = [line for line in lines if "target" in line]
		assert len(runs) == 3 + 3 + 3 + 2, len(runs)
		assert all(run["is_done"] for run in runs), runs
		assert all(run["deliveries"] > 0 for run in runs if run["cell"] != "10"), runs
		assert {target["cell"] for target in targets} == {"2", "3", "6", "10"}, targets
	END
}
claim "each run and each target is a line of JSON" is_json

measures_redis() {
	"$bench" --quick --rounds 1 --window 0.05 --cell 25 --dir "$home/data" --json "$home/redis" >"$home/table" &&
		[ "$(grep -c '"is_done":true' "$home/redis")" = 5 ] || { cat "$home/table" "$home/redis"; return 1; }
}
claim "the table in a directory, in Redis, and votes kept in Redis are measured" measures_redis

measures_commits() {
	"$bench" --quick --rounds 1 --window 0.05 --cell 28 --dir "$home/data" --json "$home/commits" >"$home/table" &&
		[ "$(grep -c '"is_done":true' "$home/commits")" = 7 ] || { cat "$home/table" "$home/commits"; return 1; }
}
claim "so are commits on a directory, a Redis and a cluster without a server around them" measures_commits

is_empty() {
	[ -z "$(ls -A "$1")" ] || { ls -AlR "$1"; return 1; }
}
claim "nothing is left in the data's directory" is_empty "$home/data"

# Told to stop as soon as it has said that it runs.
is_stopped_cleanly() {
	local pid line
	coproc RUNNING { exec "$bench" --quick --cell 2 --only aye --dir "$home/stopped"; }
	pid=$RUNNING_PID
	read -r line <&"${RUNNING[0]}"
	kill -TERM "$pid"
	cat <&"${RUNNING[0]}" >/dev/null
	wait "$pid"
	[ $? -eq 1 ] && is_empty "$home/stopped"
}
claim "told to stop, it ends its servers and leaves nothing" is_stopped_cleanly

refuses_options() {
	"$bench" --no-such-thing
	[ $? -eq 2 ]
}
claim "an option that it does not know is refused" refuses_options

echo "1..$n"
exit $failed
