#!/bin/bash
# backlog_import.sh - a tracker's file of 5,000 rows comes into a backlog by two imports at once, and again:
# each issue is there once, also where one file says its keys in small letters.
. "$(dirname "$0")/cli_kit.bash"
start_server main || { echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server

items() { # the keys of all items, in small letters
	"$AYE" item list Tracker --json | grep -oiE '"name":"big-[0-9]+ ' | tr '[:upper:]' '[:lower:]'
}
two_import_at_once() {
	local other
	{
		echo "key,title"
		for ((i = 1; i <= 5000; i++)); do echo "BIG-$i,Issue $i"; done
	} >"$home/big.csv"
	sed 's/^BIG/big/' "$home/big.csv" >"$home/small.csv"
	"$AYE" backlog import Tracker "$home/small.csv" --json >"$home/second" 2>"$home/second-err" &
	other=$!
	"$AYE" backlog import Tracker "$home/big.csv" --json >"$home/first" 2>"$home/first-err" && wait "$other" &&
		[ ! -s "$home/first-err" ] && [ ! -s "$home/second-err" ] || { cat "$home/first-err" "$home/second-err"; return 1; }
}
each_issue_is_there_once() {
	[ "$("$AYE" item list Tracker --json | wc -l)" = 5000 ] && [ "$(items | sort -u | wc -l)" = 5000 ]
}
# What the one added the other knew.
both_say_what_they_did() {
	python3 -c '
import json, sys
a, b = (json.load(open(path)) for path in sys.argv[1:])
assert a["added"] + b["added"] == 5000, (a, b)
assert all(x["added"] + x["known"] == 5000 and x["skipped"] == 0 for x in (a, b)), (a, b)
' "$home/first" "$home/second"
}
a_third_adds_nothing() {
	"$AYE" backlog import Tracker "$home/big.csv" --json >"$home/third" && grep -q '"added":0,"known":5000' "$home/third" || { cat "$home/third"; return 1; }
}

"$AYE" login ada >/dev/null 2>&1
"$AYE" team new Payments Tracker >/dev/null || { echo "Bail out! no team"; exit 1; }
claim "5,000 rows come into a backlog by two imports at once" two_import_at_once
claim "each issue is there once, in whatever case its key came" each_issue_is_there_once
claim "what one has added is known to the other" both_say_what_they_did
claim "the file again adds nothing" a_third_adds_nothing
kill -TERM "$server_pid" && wait "$server_pid"
claim "the server ends well" test $? = 0
