#!/bin/bash
# store_watch.sh - what the log and the metrics tell of a Redis: that another one answers, and that its clock differs.
. "$(dirname "$0")/redis_kit.bash"

middle=$(dirname "$0")/../support/middle.py

# Between ayed and Redis: while $home/late is there, Redis' clock is wrong.
starts() {
	local line
	mkfifo "$home/middle"
	/usr/bin/python3 "$middle" clock "$home/m" "$redis" "$home/late" >"$home/middle" 2>>"$home/middle.log" &
	read -r line <"$home/middle"
	"$AYED" key new "$key" >/dev/null && start_redis && start_ayed_at "redis+unix://$home/m" && "$AYE" login ada >/dev/null && "$AYE" new >/dev/null
}
# Of the metrics: those of this name, without labels.
metric() { # NAME
	"$AYED" stats "unix:$home/sock" --prometheus | sed -n "s/^ayed_$1 //p"
}
counts() {
	[ "$(metric redis_connections_total)" = 3 ] && [ "$(metric redis_connection_attempts_total)" -ge 3 ] &&
		[ "$(metric redis_commits_total)" -ge 2 ] && [ "$(metric redis_commands_total)" -gt "$(metric redis_commits_total)" ] &&
		[ "$(metric redis_failovers_total)" = 0 ] && [ "$(metric redis_waits_missed_total)" = 0 ] &&
		[ -n "$(metric redis_conflicts_total)" ] && [ -n "$(metric redis_unanswered_total)" ] && ! grep -q "event=store_clock" "$home/ayed.log"
}
told() { # TEXT NUMBER
	[ "$(grep -c "event=$1" "$home/ayed.log")" = "$2" ]
}
is_counted() { # NAME NUMBER
	[ "$(metric "$1")" = "$2" ]
}
another_run_is_told() {
	local before
	before=$(ask_redis info server | sed -n 's/^run_id:\(........\).*/\1/p')
	kill_redis && start_redis && until_true told store_failover 1 && until_true is_counted redis_failovers_total 1 &&
		grep "event=store_failover" "$home/ayed.log" | grep -q "run_id=$(ask_redis info server | sed -n 's/^run_id:\(........\).*/\1/p') before=$before" &&
		[ "$(metric redis_connections_total)" -gt 3 ]
}
# More looks at the clock than one, before it is told that this was enough.
looks_on() {
	local before
	before=$(metric redis_commands_total)
	until_true has_looked $((before + 8))
}
has_looked() { # NUMBER
	[ "$(metric redis_commands_total)" -ge "$1" ]
}
clocks_that_differ_are_told_once() {
	touch "$home/late" && until_true told "store_clock" 1 && looks_on && told "store_clock" 1 &&
		grep "event=store_clock" "$home/ayed.log" | grep -q "level=warn.* ahead_ms=[0-9]\{10,\} .*NTP" && [ "$(metric redis_clock_difference_seconds | cut -d. -f1)" -gt 2 ]
}
and_once_that_they_agree() {
	rm "$home/late" && until_true told "store_clock" 2 && looks_on && told "store_clock" 2 &&
		grep "event=store_clock" "$home/ayed.log" | tail -n 1 | grep -q "level=info.*agree again"
}
at_the_start_too() {
	end_ayed TERM && touch "$home/late" && start_ayed_at "redis+unix://$home/m" && until_true told "store_clock" 3
}

claim "it starts" starts
claim "connections, commands and commits are counted; clocks that agree are not told of" counts
claim "another run of Redis is told and counted" another_run_is_told
claim "clocks that differ are told once, with what to do" clocks_that_differ_are_told_once
claim "that they agree again is told once, too" and_once_that_they_agree
claim "clocks that differ at the start are told" at_the_start_too
