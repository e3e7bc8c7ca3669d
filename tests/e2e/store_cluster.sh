#!/bin/bash
# store_cluster.sh - data of a directory go to a Redis Cluster, live on there, and come back: the dump is the same; an end in the middle leaves nothing that passes for a whole.
. "$(dirname "$0")/store_kit.bash"

data=$home/d.data

trap 'end_servers 2>/dev/null; finish' EXIT
begin_servers cluster

starts_on_directory() {
	local line
	mkfifo "$home/ready"
	"$AYED" --data "$data" --allow-root --listen "$AYE_SERVER" >"$home/ready" 2>>"$home/ayed.log" &
	echo $! >"$home/ayed.pid"
	read -r line <"$home/ready"
	[ "$line" = "ready $AYE_SERVER" ]
}
each_master() { # WORD...
	local port
	for port in "${ports[@]:0:3}"; do
		redis-cli -p "$port" "$@"
	done
}

a_team_works_on_a_directory() {
	starts_on_directory && a_team_works && all_is_there && end_ayed TERM
}
it_goes_to_the_cluster() {
	copies "lmdb:$data" "$store" --key-file "$key" && dump_directory "$data" >"$home/dump" && [ "$(wc -l <"$home/dump")" -gt 20 ] &&
		dump_store | cmp - "$home/dump" && grep -q ": $(wc -l <"$home/dump") items, .* checked" "$home/out" &&
		"$AYED" check --store "$store" --key-file "$key" | grep -q "^ok: $(wc -l <"$home/dump") items"
}
life_goes_on_there() {
	local room
	room=$(cat "$home/room")
	start_ayed && all_is_there && "$AYE" add "$room" "PAY-3 Another" >/dev/null && "$AYE" next "$room" >/dev/null &&
		"$AYE" vote "$room" 8 >/dev/null && "$AYED" check --store "$store" --key-file "$key" | grep -q "^ok: .* no problems" &&
		dump_store | grep -q PAY-3 &&
		fails "another ayed has these data open" "$AYED" copy "$store" "lmdb:$home/back.data" --key-file "$key" && [ ! -e "$home/back.data" ]
}
it_comes_back() {
	end_ayed TERM && dump_store >"$home/dump" && copies "$store" "lmdb:$home/back.data" --key-file "$key" &&
		dump_directory "$home/back.data" | cmp - "$home/dump" && "$AYED" check "$home/back.data" | grep -q "^ok: "
}
what_is_there_is_not_overwritten() {
	fails "already has data" "$AYED" copy "lmdb:$home/back.data" "$store" --key-file "$key" && dump_store | cmp - "$home/dump"
}

# ---- many rooms, so that there is a middle to stop in ----

many_rooms() {
	rm -rf "$home/many.data"
	"$(dirname "$AYED")/tests/bench/fill" "$home/many.data" 5000 3 0 0 3600 0 0 && each_master flushall >/dev/null
}
is_unfinished() {
	[ "$(redis-cli -c -p "${ports[0]}" get '{d}owner')" = "unfinished copy" ] && [ "$(each_master dbsize | sort -n | head -n 1)" -gt 500 ]
}
killed_in_the_middle() {
	"$AYED" copy "lmdb:$home/many.data" "$store" --key-file "$home/many.data/server.key" >"$home/out" 2>"$home/err" &
	copying=$!
	until_true is_unfinished && kill -9 "$copying"
	wait "$copying"
	[ $? = 137 ] && fails "has an unfinished copy" "$AYED" --allow-root --store "$store" --key-file "$home/many.data/server.key" --listen "unix:$home/other" &&
		fails "has an unfinished copy" "$AYED" check --store "$store" && fails "has an unfinished copy" "$AYED" dump --store "$store"
}
the_next_one_begins_again() {
	copies "lmdb:$home/many.data" "$store" --key-file "$home/many.data/server.key" && dump_directory "$home/many.data" >"$home/dump" &&
		dump_store | cmp - "$home/dump"
}

claim "a team works, its data in a directory" a_team_works_on_a_directory
claim "they go to a cluster: the dump is the same, and a check finds nothing" it_goes_to_the_cluster
claim "a server finds them there, and life goes on; meanwhile they can be checked and dumped, but not copied" life_goes_on_there
claim "they come back with what has changed: the dump is the same" it_comes_back
claim "a copy does not overwrite what is there" what_is_there_is_not_overwritten
claim "five thousand rooms" many_rooms
claim "a copy that is killed in the middle is unfinished, and accepted by nobody" killed_in_the_middle
claim "the next one begins again on all masters, and is whole" the_next_one_begins_again
