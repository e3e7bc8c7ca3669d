#!/bin/bash
# store_copy.sh - ayed copy: a team's data go from a directory to a Redis, live on there, and come back; what stands against it is said, and an end in the middle leaves nothing that passes for a whole. ayed check and dump of data in Redis.
. "$(dirname "$0")/redis_kit.bash"

data=$home/d.data

# One address for whichever place has the data: logins belong to it.
starts() { # ARGUMENT...
	local line
	rm -f "$home/ready"
	mkfifo "$home/ready"
	"$AYED" "$@" --allow-root --listen "$AYE_SERVER" >"$home/ready" 2>>"$home/ayed.log" &
	echo $! >"$home/pid"
	read -r line <"$home/ready"
	[ "$line" = "ready $AYE_SERVER" ]
}
stop() {
	kill "$(cat "$home/pid")" && until_true is_gone "$(cat "$home/pid")"
}
empties() {
	ask_redis flushall >/dev/null
}

a_team_works_on_a_directory() {
	start_redis && starts --data "$data" && a_team_works && all_is_there
}
a_source_in_use_is_refused() {
	fails "in use by a server; stop it first" "$AYED" copy "lmdb:$data" "$store" --key-file "$key" && [ "$(ask_redis dbsize)" = 0 ]
}
it_goes_to_redis() {
	stop && copies "lmdb:$data" "$store" --key-file "$key" && grep -q "items, .* index entries, checked, in" "$home/out" &&
		cmp "$key" "$data/server.key" && [ "$(stat -c %a "$key")" = 600 ] && grep -q "the key of the data was copied" "$home/err" &&
		dump_directory "$data" >"$home/dump" && [ "$(wc -l <"$home/dump")" -gt 20 ] && dump_store | cmp - "$home/dump" &&
		"$AYED" check --store "$store" --key-file "$key" | grep -q "^ok: $(wc -l <"$home/dump") items"
}
life_goes_on_there() {
	local room
	room=$(cat "$home/room")
	starts --store "$store" --key-file "$key" && all_is_there && "$AYE" add "$room" "PAY-3 Another" >/dev/null &&
		"$AYE" next "$room" >/dev/null && "$AYE" vote "$room" 8 >/dev/null
}
# Nobody has to stop it; what is hidden is in neither.
checked_and_dumped_while_it_serves() {
	"$AYED" check --store "$store" --key-file "$key" | grep -q "^ok: .* no problems" &&
		"$AYED" dump --store "$store" >"$home/out" 2>"$home/err" && grep -q PAY-3 "$home/out" && ! grep -q '"vote":"8"' "$home/out" &&
		grep -q "without their hidden votes" "$home/err" && dump_store >"$home/out" && grep -q '"vote":"8"' "$home/out" &&
		fails "another ayed has these data open" "$AYED" copy "$store" "lmdb:$home/back.data" --key-file "$key" &&
		[ ! -e "$home/back.data" ] && all_is_there
}
it_comes_back() {
	stop && dump_store >"$home/dump" && copies "$store" "lmdb:$home/back.data" --key-file "$key" --json &&
		grep -q "^{\"from\":\"$store\",\"to\":\"$home/back.data\",\"items\":$(wc -l <"$home/dump"),\"index_entries\":[0-9]*,\"seconds\":[0-9.]*}\$" "$home/out" &&
		dump_directory "$home/back.data" | cmp - "$home/dump" && "$AYED" check "$home/back.data" | grep -q "^ok: " &&
		cmp "$key" "$home/back.data/server.key" && starts --data "$home/back.data" && all_is_there &&
		"$AYE" reveal "$(cat "$home/room")" >/dev/null && room_shows "$(cat "$home/room")" "ada 8" && stop
}
from_directory_to_directory_and_redis_to_redis() {
	copies "lmdb:$home/back.data" "lmdb:$home/third.data" && dump_directory "$home/back.data" >"$home/dump" &&
		dump_directory "$home/third.data" | cmp - "$home/dump" && cmp "$key" "$home/third.data/server.key" || return 1
	dump_store >"$home/dump" && copies "$store" "$store?db=1" --key-file "$key" &&
		"$AYED" dump --hidden-votes --store "$store?db=1" 2>/dev/null | cmp - "$home/dump"
}
what_stands_against_it_is_said() {
	fails "already has data" "$AYED" copy "lmdb:$data" "$store" --key-file "$key" &&
		fails "already has data" "$AYED" copy "$store" "lmdb:$data" --key-file "$key" || return 1
	"$AYED" key new "$home/key2" >/dev/null
	fails "is another key than that of $data" "$AYED" copy "lmdb:$data" "$store" --key-file "$home/key2" &&
		fails "another server key" "$AYED" copy "$store" "lmdb:$home/x" --key-file "$home/key2" &&
		fails "another server key" "$AYED" check --store "$store" --key-file "$home/key2" &&
		fails "not found; it must be the key" "$AYED" copy "$store" "lmdb:$home/x" --key-file "$home/none" &&
		fails "has no data of ayed" "$AYED" dump --store "$store?db=7" &&
		fails "has no data of ayed" "$AYED" copy "$store?db=7" "lmdb:$home/x" --key-file "$key" &&
		fails "No such file" "$AYED" copy "lmdb:$home/x" "$store?db=7" --key-file "$key" && [ ! -e "$home/x" ] &&
		ends_with 2 "$AYED" copy "$data" "$store" 2>"$home/err" && grep -q "takes lmdb:DIR" "$home/err" &&
		ends_with 2 "$AYED" copy "lmdb:$data" "$store" 2>"$home/err" && grep -q "needs --key-file" "$home/err" &&
		ends_with 2 "$AYED" check "$data" --store "$store" 2>"$home/err" && grep -q "not both" "$home/err"
}
no_password_is_shown() {
	ask_redis config set requirepass s3cret >/dev/null
	fails "does not accept the user or the password" "$AYED" copy "lmdb:$data" "redis+unix://:wr0ng@$redis?db=2" --key-file "$key" &&
		! grep -q wr0ng "$home/err" && AYED_REDIS_PASSWORD=s3cret copies "$store" "$store?db=2" --key-file "$key" &&
		AYED_REDIS_PASSWORD=s3cret "$AYED" check --store "$store?db=2" | grep -q "^ok"
	local ended=$?
	redis-cli -a s3cret -s "$redis" config set requirepass "" >/dev/null 2>&1
	return $ended
}
damage_is_found() {
	local room
	room=$(ask_redis --raw keys '{b*}i:ROOM:*' | head -n 1)
	ask_redis hset "$room" ROOM garbage-of-more-than-twenty-bytes >/dev/null
	ends_with 1 "$AYED" check --store "$store" >"$home/out" 2>"$home/err" && grep -q "^item ROOM:.* ROOM: the checksum does not match" "$home/out" &&
		grep -q "1 problems" "$home/err" && fails "an item is damaged" "$AYED" dump --store "$store" &&
		fails "an item is damaged" "$AYED" copy "$store" "lmdb:$home/x" --key-file "$key" && [ ! -e "$home/x" ]
}

# ---- many rooms, so that there is a middle to stop in ----

many_rooms() {
	rm -rf "$home/many.data"
	"$(dirname "$AYED")/tests/bench/fill" "$home/many.data" 20000 3 0 0 3600 0 0 && empties
}
# A copy through a socket on which so many bytes pass, and then nothing: it is in its middle until it ends.
copies_to_the_middle() { # BYTES FROM TO
	local line
	rm -f "$home/middle" "$home/m"
	mkfifo "$home/middle"
	/usr/bin/python3 "$(dirname "$0")/../support/middle.py" hold "$home/m" "$redis" "$1" >"$home/middle" 2>>"$home/middle.log" &
	middle=$!
	exec 3<"$home/middle"
	read -r line <&3 && [ "$line" = ready ] && starts_to_copy "${2/"$store"/redis+unix://$home/m}" "${3/"$store"/redis+unix://$home/m}" &&
		read -r line <&3 && [ "$line" = held ]
}
# Redis is silent until the copy has ended.
ends_copying() { # SIGNAL
	kill "-$1" "$copying"
	wait "$copying"
	local ended=$?
	kill "$middle"
	exec 3<&-
	return $ended
}
starts_to_copy() { # FROM TO
	"$AYED" copy "$1" "$2" --key-file "$home/many.data/server.key" >"$home/out" 2>"$home/err" &
	copying=$!
}
nobody_accepts_it() {
	fails "has an unfinished copy" "$AYED" --allow-root --store "$store" --key-file "$home/many.data/server.key" --listen "unix:$home/other" &&
		fails "has an unfinished copy" "$AYED" check --store "$store" && fails "has an unfinished copy" "$AYED" dump --store "$store" &&
		fails "has an unfinished copy" "$AYED" copy "$store" "lmdb:$home/x" --key-file "$home/many.data/server.key"
}
stopped_in_the_middle_it_is_unfinished() {
	copies_to_the_middle 2000000 "lmdb:$home/many.data" "$store" || return 1
	ends_copying TERM
	[ $? = 1 ] && grep -q "interrupted; .* has an unfinished copy, which no server accepts" "$home/err" && nobody_accepts_it
}
killed_in_the_middle_too() {
	copies_to_the_middle 2000000 "lmdb:$home/many.data" "$store" || return 1
	ends_copying KILL
	[ $? = 137 ] && nobody_accepts_it
}
full_in_the_middle_too() {
	ask_redis config set maxmemory 8mb >/dev/null
	fails "its maxmemory is too small" "$AYED" copy "lmdb:$home/many.data" "$store" --key-file "$home/many.data/server.key"
	local ended=$?
	ask_redis config set maxmemory 0 >/dev/null
	[ $ended = 0 ] && nobody_accepts_it
}
the_next_one_begins_again() {
	copies "lmdb:$home/many.data" "$store" --key-file "$home/many.data/server.key" && dump_directory "$home/many.data" >"$home/dump" &&
		dump_store | cmp - "$home/dump"
}
has_begun_to_fill() {
	compgen -G "$home/many2.data/.ayed-unfinished-*/data.mdb" >/dev/null
}
back_to_a_directory_it_is_all_or_nothing() {
	copies_to_the_middle 2000000 "$store" "lmdb:$home/many2.data" && has_begun_to_fill || return 1
	ends_copying TERM
	[ $? = 1 ] && grep -q "interrupted; nothing was left in $home/many2.data" "$home/err" && [ ! -e "$home/many2.data" ] || return 1
	(ulimit -f 4096 && fails "not enough space for the data; nothing was kept" "$AYED" copy "$store" "lmdb:$home/many2.data" \
		--key-file "$home/many.data/server.key") && [ ! -e "$home/many2.data" ] || return 1
	copies_to_the_middle 2000000 "$store" "lmdb:$home/many2.data" && has_begun_to_fill || return 1
	ends_copying KILL
	[ ! -e "$home/many2.data/data.mdb" ] &&
		fails "has no data but an unfinished copy" "$AYED" --data "$home/many2.data" --allow-root --listen "unix:$home/other" &&
		[ ! -e "$home/many2.data/data.mdb" ] && [ ! -e "$home/many2.data/server.key" ] &&
		copies "$store" "lmdb:$home/many2.data" --key-file "$home/many.data/server.key" &&
		dump_directory "$home/many2.data" | cmp - "$home/dump" && ! has_begun_to_fill
}
progress_is_shown_on_a_terminal() {
	empties && on_a_terminal "$AYED" copy "lmdb:$home/many.data" "$store" --key-file "$home/many.data/server.key" >"$home/out" &&
		grep -q "Copying: [0-9]*%" "$home/out" && grep -q "Checking the copy: [0-9]*%" "$home/out" && grep -q "items, .* checked" "$home/out"
}

claim "a team works, its data in a directory" a_team_works_on_a_directory
claim "data that a server uses are not copied" a_source_in_use_is_refused
claim "they go to Redis with their key: the dump is the same, and a check finds nothing" it_goes_to_redis
claim "a server finds them there, and life goes on" life_goes_on_there
claim "while it serves, they can be checked and dumped, but not copied" checked_and_dumped_while_it_serves
claim "they come back with what has changed: the dump is the same, and a server finds them" it_comes_back
claim "a directory is copied to another, and one database of Redis to another" from_directory_to_directory_and_redis_to_redis
claim "data in the way, another key, no key, no data, a wrong place: refused with the reason" what_stands_against_it_is_said
claim "a password is in no message; the environment's is for both places" no_password_is_shown
claim "an item that is damaged is found, and neither dumped nor copied" damage_is_found
claim "twenty thousand rooms" many_rooms
claim "a copy that is stopped in the middle is unfinished, and accepted by nobody" stopped_in_the_middle_it_is_unfinished
claim "so is one that is killed" killed_in_the_middle_too
claim "so is one for which Redis is too small" full_in_the_middle_too
claim "the next one begins again, and is whole" the_next_one_begins_again
# promise: whole-copy
claim "in a directory there is the whole copy or nothing, however it ends; no server begins in what is left of one" back_to_a_directory_it_is_all_or_nothing
claim "its progress is shown on a terminal" progress_is_shown_on_a_terminal
