#!/bin/bash
# data_life.sh - a room's end is announced, comes, and can be put off.
. "$(dirname "$0")/cli_kit.bash"
start_server long --limit room_life_ms=61500 || { echo "Bail out! no server"; exit 1; }
long=$server
start_server main --limit room_life_ms=1500 || { echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server

# A minute and a little: the last warning comes soon after the room.
the_end_is_announced() {
	local room line json
	room=$("$AYE" room create --server "$long")
	mkfifo "$home/watch" "$home/json"
	"$AYE" watch "$room" --server "$long" >"$home/watch" & local watch=$!
	"$AYE" watch "$room" --server "$long" --json >"$home/json" & json=$!
	exec 5<"$home/watch" 6<"$home/json"
	while read -r line <&5 && [ "${line#The room is deleted in}" = "$line" ]; do :; done
	[ "$line" = "The room is deleted in 1 minute if unused." ] || return 1
	while read -r line <&6 && [ "${line#*room.expiring}" = "$line" ]; do :; done
	kill $watch $json
	wait $watch $json
	exec 5<&- 6<&-
	printf '%s\n' "$line" | grep -q '^{"method":"room.expiring","params":{"room_id":"'"$room"'","expires_at":[0-9]*}}$'
}

the_end_comes() {
	local room
	room=$("$AYE" room create)
	"$AYE" watch "$room" --json >"$home/json.end" 2>"$home/err" || return 1
	[ "$(tail -1 "$home/json.end")" = '{"method":"room.expired","params":{"room_id":"'"$room"'"}}' ] &&
		grep -q "^aye: the room has expired$" "$home/err" && ends_with 1 "$AYE" room show "$room"
}

kept_rooms_stay() {
	local room other
	room=$("$AYE" room create)
	other=$("$AYE" room create)
	"$AYE" room keep "$room" 2 | grep -q "^$room is kept until 20[0-9-]* [0-9:]*$" || return 1
	"$AYE" watch "$other" >/dev/null 2>&1 || return 1
	ends_with 1 "$AYE" room show "$other" && "$AYE" room show "$room" &&
		"$AYE" room keep "$room" 90 --json | grep -q '{"expires_at":[0-9]*,"version":[0-9]*}' &&
		XDG_STATE_HOME=$home/stranger ends_with 1 "$AYE" room keep "$room" 3 &&
		ends_with 2 "$AYE" room keep "$room" 91 && ends_with 2 "$AYE" room keep "$room" soon &&
		ends_with 2 "$AYE" room keep "$room" 0
}

# Whoever comes first after the night finds neither the room nor the session, and the name is free.
a_night_down_ends_them() {
	local room expires
	set -- --limit room_life_ms=1000 --limit session_life_ms=1000
	start_server night "$@" || return 1
	room=$("$AYE" room create --server "$server") && "$AYE" login Ada --guest --server "$server" || return 1
	expires=$("$AYE" whoami --json --server "$server" | sed 's/.*"expires_at":\([0-9]*\).*/\1/')
	kill "$server_pid"
	wait "$server_pid"
	until [ "$(date +%s%3N)" -gt "$expires" ]; do :; done
	start_server night "$@" || return 1
	ends_with 1 "$AYE" room show "$room" --server "$server" && ends_with 1 "$AYE" whoami --server "$server" &&
		XDG_STATE_HOME=$home/stranger "$AYE" login Ada --guest --server "$server"
}

claim "who watches is told of the end before" the_end_is_announced
claim "a watch ends with its room" the_end_comes
claim "a kept room outlives others, and only its host keeps it" kept_rooms_stay
claim "what was over after a night without the server is over for whoever comes first" a_night_down_ends_them
