#!/bin/bash
# data_whoami_watch.sh - aye whoami --watch: a user's sessions and rooms come and go, and so does the server.
. "$(dirname "$0")/cli_kit.bash"
start_server main || { echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server
other=$home/other host=$home/host
mkdir -p -m 700 "$other/aye" "$host/aye"

as() { # STATE COMMAND...
	local state=$1
	shift
	XDG_STATE_HOME=$state "$@"
}
session_of() { # STATE
	as "$1" "$AYE" call session.watch | sed 's/.*"session_id":"\([^"]*\)","user_id".*/\1/'
}
# How many lines of the watch are so.
lines() { # PATTERN
	grep -c -- "$1" "$home/watch.out"
}
watch_shows() { # PATTERN
	until_true grep -q -- "$1" "$home/watch.out"
}
shows_twice() { # PATTERN
	[ "$(lines "$1")" = 2 ]
}
watch_json() {
	grep -q "$1" "$home/json.out"
}
shows_where_it_stands() {
	watch_shows "^Ada (user $user)$" && watch_shows "^session [0-9A-Z]* (this one), until [0-9:]* if idle$" &&
		[ "$(lines "^session")" = 1 ] && [ "$(lines "^in room")" = 0 ]
}

sees_a_login() {
	as "$other" "$AYE" login Countess && [ "$(as "$other" "$AYE" whoami --json | grep -c "\"$user\"")" = 1 ] &&
		watch_shows "^session $(session_of "$other") started$"
}

sees_a_room_come() {
	as "$other" "$AYE" room vote "$code" 5 && watch_shows "^in room $code$"
}

# The seat has no connection any more: the nudge reaches the user where the watch is.
is_rung_elsewhere() {
	as "$other" "$AYE" room vote "$code" - && [ "$(as "$host" "$AYE" nudge "$code")" = "1 nudged" ] &&
		watch_shows "^Someone asks you to vote in $code$"
}

sees_a_room_go() {
	as "$other" "$AYE" script >"$home/script.out" <<-END && watch_shows "^left room $code$"
		{"id":1,"method":"room.subscribe","params":{"room_id":"$code"}}
		{"id":2,"method":"room.delete_user","params":{"room_id":"$code"}}
	END
}

sees_a_logout() {
	local session
	session=$(session_of "$other")
	as "$other" "$AYE" logout && watch_shows "^session $session ended$"
}

# It stands still while the server dies, comes back, and is logged in to.
survives_a_crash() {
	local before
	before=$(lines "^Ada (user")
	kill -STOP "$watch_pid"
	kill -9 "$server_pid"
	until_true is_gone "$server_pid" && start_server main && as "$other" "$AYE" login Duchess && kill -CONT "$watch_pid" &&
		watch_shows "^session $(session_of "$other"), until" && [ "$(lines "^Ada (user")" = $((before + 1)) ]
}

follows_after_the_crash() {
	local session
	session=$(session_of "$other")
	as "$other" "$AYE" room vote "$code" 8 && until_true shows_twice "^in room $code$" && as "$other" "$AYE" logout &&
		watch_shows "^session $session ended$"
}

writes_records() {
	"$AYE" whoami --watch --json >"$home/json.out" &
	json_pid=$!
	until_true watch_json '^{"version":[0-9]*,"session_id":"[0-9A-Z]*","user_id":"'"$user"'","user_name":"Ada","sessions":\[' &&
		as "$other" "$AYE" login Countess && until_true watch_json '^{"since":[0-9]*,"version":[0-9]*,"started":{"session_id":' &&
		kill "$json_pid" && ends_with 0 wait "$json_pid"
}

ends_with_its_session() {
	"$AYE" logout && until_true test -s "$home/watch.code" && [ "$(cat "$home/watch.code")" = 0 ] &&
		grep -q "this session has ended" "$home/watch.err"
}

ends_as_documented() {
	as "$other" ends_with 4 "$AYE" whoami --watch --timeout 0.3 && ends_with 1 "$AYE" whoami --watch --json 2>"$home/err" &&
		grep -q '"code":"UNAUTHENTICATED"' "$home/err" && ends_with 2 "$AYE" whoami --watch x &&
		AYE_SERVER=unix:$home/none ends_with 3 "$AYE" whoami --watch
}

"$AYE" login Ada >"$home/out"
user=$("$AYE" whoami --json | sed 's/.*"user_id":"\([^"]*\)".*/\1/')
cp "$XDG_STATE_HOME/aye/identity.json" "$other/aye/identity.json"
code=$(as "$host" "$AYE" room create)
# A claim is no parent of it: its exit code is kept in a file.
{
	"$AYE" whoami --watch >"$home/watch.out" 2>"$home/watch.err" &
	echo $! >"$home/watch.pid"
	wait $!
	echo $? >"$home/watch.code"
} &
until_true test -s "$home/watch.pid"
watch_pid=$(cat "$home/watch.pid")
claim "first it prints who one is, and the sessions" shows_where_it_stands
claim "a login elsewhere is a line" sees_a_login
claim "a room that is joined is a line" sees_a_room_come
claim "a nudge from a room that one is away from is a line" is_rung_elsewhere
claim "a room that is left is a line" sees_a_room_go
claim "a logout elsewhere is a line" sees_a_logout
claim "after a crash of the server the state is printed anew where it differs" survives_a_crash
claim "and changes follow again" follows_after_the_crash
claim "with --json it prints the records" writes_records
claim "it ends with its session" ends_with_its_session
claim "its exit codes are those of all verbs" ends_as_documented
