#!/bin/bash
# cli_status.sh - aye status beside a room that is played: from the server, from what was written
# down, and without starting or disturbing anything.
. "$(dirname "$0")/cli_kit.bash"

# Whether it says this; the server may be too slow for one try, and is asked again.
says() { # TEXT ARGUMENT...
	local wanted=$1
	shift
	[ "$("$AYE" status "$@")" = "$wanted" ]
}
from_server() { # ARGUMENT...
	"$AYE" status "$@" --json --timeout 60 | grep -q '"from":"server"'
}
json_says() { # FIELD
	"$AYE" status --json | grep -q -- "$1"
}

# Somebody who follows the room in lines, fed through a descriptor of theirs.
open_room() {
	mkfifo "$home/in"
	"$AYE" join "$code" --name Ada <"$home/in" >"$home/lines" 2>&1 &
	lines=$!
	exec 7>"$home/in"
	echo "vote 5" >&7
	until_true room_shows "$code" "Ada.*has voted"
}

the_server_tells() {
	until_true from_server && until_true says "PAY-3: 1 of 2" && says "1 of 2" --short "$code"
}

what_the_prompt_does_is_not_seen() {
	local before after
	before=$("$AYE" room show "$code" --json) && from_server
	after=$("$AYE" room show "$code" --json)
	[ "$before" = "$after" ]
}

# Without the host key, which would open it.
a_locked_room_is_not_asked_for() {
	local code=1 file
	"$AYE" room policy "$1" locked=on >/dev/null || return 1
	until_true grep -q '"is_closed": true' "$XDG_STATE_HOME"/aye/status/*-"$1".json
	file=$(echo "$XDG_STATE_HOME"/aye/rooms/*-"$1".json)
	mv "$file" "$file.aside"
	says "1 of 2" --short && json_says '"from":"cache"' && code=0
	mv "$file.aside" "$file"
	"$AYE" room policy "$1" locked=off >/dev/null && until_true from_server && return "$code"
}

a_stopped_server_leaves_what_was_written() {
	kill -STOP "$server_pid"
	json_says '"from":"cache"' && says "1 of 2" --short
	local code=$?
	kill -CONT "$server_pid"
	return "$code"
}

it_waits_for_who_took_the_card_back() {
	echo "retract" >&7
	until_true says "PAY-3: 0 of 2, waiting for you" && says "0 of 2, waiting for you" --short &&
		json_says '"waits_for_you":true'
}

# Without an answer, so that it is what was written down.
from_what_was_written() { # COMMAND...
	kill -STOP "$server_pid"
	json_says '"from":"cache"' && "$@"
	local code=$?
	kill -CONT "$server_pid"
	return "$code"
}

one_window_of_two_leaves_the_other_in() {
	"$AYE" join "$code" --name Ada <<<quit >"$home/second" 2>&1
	grep -q "you are still in the room in another terminal" "$home/second" && from_what_was_written json_says '"is_in":true'
}

# Another process that holds the lock of the state, as an aye does that waits for the disk; it says when it has it.
hold_the_lock() {
	/usr/bin/python3 -c '
import fcntl, sys
with open(sys.argv[1], "w") as lock:
    fcntl.lockf(lock, fcntl.LOCK_EX)
    print("held", flush=True)
    sys.stdin.read()
' "$XDG_STATE_HOME/aye/lock"
}

a_held_lock_is_not_waited_for() {
	local held failed
	coproc hold_the_lock
	read -r held <&"${COPROC[0]}" || return 1
	timeout 5 "$AYE" status --server tls://127.0.0.1:2937 --short
	failed=$?
	kill "$COPROC_PID"
	return "$failed"
}

who_leaves_is_left_in_peace() {
	printf "quit\ny\n" >&7
	exec 7>&-
	until_true is_gone "$lines"
	from_what_was_written json_says '"is_in":false' && from_what_was_written says "" --short &&
		until_true says "PAY-3: 0 of 1; you have no seat" && says "" --short
}

# No answer says that the seat was given up; what was written has to be enough.
who_leaves_a_silent_server_is_left_in_peace() {
	local XDG_STATE_HOME=$home/linus lines ended=1
	mkfifo "$home/silent"
	"$AYE" join "$code" --name Linus <"$home/silent" >"$home/linus.lines" 2>&1 &
	lines=$!
	exec 8>"$home/silent"
	until_true grep -rqs '"is_in": true' "$XDG_STATE_HOME/aye/status" || return 1
	kill -STOP "$server_pid"
	printf "quit\ny\n" >&8
	exec 8>&-
	until_true is_gone "$lines" && json_says '"is_in":false' && says "" --short && ended=0
	kill -CONT "$server_pid"
	return "$ended"
}

without_a_server_none_is_started() {
	end_server && says "" --short && json_says '"from":"cache"' && [ -z "$(servers_of "$home")" ]
}

a_room_that_is_gone_is_forgotten() {
	start_server poker && AYE_SERVER=$server && "$AYE" room delete "$code" --yes &&
		until_true ends_with 5 "$AYE" status && ! ls "$XDG_STATE_HOME"/aye/status/*.json 2>/dev/null
}

start_server poker || { echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server
code=$("$AYE" room create --title Sprint)
"$AYE" story add "$code" Refunds --key PAY-3 >/dev/null
"$AYE" story select "$code" PAY-3 >/dev/null
"$AYE" room policy "$code" auto_reveal=off >/dev/null
claim "whoever is in no room hears nothing" says "" --short
open_room
XDG_STATE_HOME=$home/grace "$AYE" join "$code" --name Grace < <(exec sleep 600) >/dev/null 2>&1 &
claim "a server that answers at once is asked" the_server_tells
claim "what a prompt asks is seen by nobody" what_the_prompt_does_is_not_seen
claim "a room that is locked is not asked for" a_locked_room_is_not_asked_for "$code"
# promise: status-answers
claim "without an answer it is what a client wrote down" a_stopped_server_leaves_what_was_written
claim "a card that was taken back is waited for" it_waits_for_who_took_the_card_back
claim "one window of two leaves the other in the room" one_window_of_two_leaves_the_other_in
claim "the lock of another aye is not waited for" a_held_lock_is_not_waited_for
claim "whoever has left is left in peace" who_leaves_is_left_in_peace
claim "and whoever left while the server did not answer" who_leaves_a_silent_server_is_left_in_peace
claim "no server is started for it" without_a_server_none_is_started
claim "a room that is gone is forgotten" a_room_that_is_gone_is_forgotten
