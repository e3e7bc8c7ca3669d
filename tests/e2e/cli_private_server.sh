#!/bin/bash
# cli_private_server.sh - aye finds or starts its server, and keeps its secrets to itself.
. "$(dirname "$0")/cli_kit.bash"

two_at_once() {
	local pids=() pid
	for _ in 1 2 3 4; do
		"$AYE" room create >"$home/code.$RANDOM$RANDOM" &
		pids+=($!)
	done
	for pid in "${pids[@]}"; do
		wait "$pid" || return 1
	done
	[ "$(cat "$home"/code.* | sort -u | wc -l)" = 4 ] && [ "$(private_pid | wc -w)" = 1 ]
}

new_says_how_to_join() {
	local out code
	out=$("$AYE" new --title Sprint) || return 1
	code=$(printf '%s\n' "$out" | head -1)
	[ "$out" = "$code
aye join $code" ] && "$AYE" room show "$code" | grep -q "^Room $code: Sprint, round 1"
}

all_is_private() {
	local found
	found=$(find "$XDG_STATE_HOME/aye" "$XDG_RUNTIME_DIR/aye" -type f -perm /077 -o -type d -perm /077)
	echo "$found"
	[ -z "$found" ] && [ -n "$(find "$XDG_STATE_HOME/aye/rooms" -name '*.json')" ]
}

nobody_can_prepare_the_directory() {
	local dir=$home/run2
	mkdir -m 700 "$dir"
	mkdir -m 755 "$dir/aye"
	XDG_RUNTIME_DIR=$dir ends_with 3 "$AYE" server ping || return 1
	rmdir "$dir/aye"
	ln -s /tmp "$dir/aye"
	XDG_RUNTIME_DIR=$dir ends_with 3 "$AYE" server ping
}

it_is_started_again() {
	local pid
	pid=$(private_pid)
	kill "$pid"
	while kill -0 "$pid" 2>/dev/null; do :; done
	"$AYE" server ping | grep -q answers && [ "$(private_pid)" != "$pid" ]
}

those_in_a_room_start_it_again() {
	local code pid watcher
	code=$("$AYE" room create) || return 1
	"$AYE" watch "$code" >"$home/watch.out" 2>"$home/watch.err" &
	watcher=$!
	until_true grep -q "^Room $code" "$home/watch.out" || return 1
	pid=$(private_pid)
	kill -KILL "$pid"
	until_true grep -q "connected again" "$home/watch.err" || return 1
	kill "$watcher"
	wait "$watcher"
	[ "$(private_pid | wc -w)" = 1 ] && [ "$(private_pid)" != "$pid" ]
}

why_it_did_not_start() {
	mkdir -m 700 "$home/run3" "$home/state3" "$home/state3/aye"
	: >"$home/state3/aye/server"
	XDG_RUNTIME_DIR=$home/run3 XDG_STATE_HOME=$home/state3 ends_with 3 "$AYE" server ping 2>&1 | tee "$home/why"
	grep -q "^aye: .*$home/state3/aye" "$home/why"
}

no_secret_is_seen() {
	local key
	for key in $(sed -n 's/.*"\([A-Za-z0-9_-]\{43\}\)".*/\1/p' "$XDG_STATE_HOME"/aye/rooms/*.json); do
		! grep -q -- "$key" "$XDG_STATE_HOME/aye/server.log" || return 1
	done
}

claim "four clients at once start one private server" two_at_once
claim "without a terminal new prints the code and how to join" new_says_how_to_join
claim "what is kept is readable for its owner alone" all_is_private
claim "a runtime directory that is not ours alone is refused" nobody_can_prepare_the_directory
claim "after its end it is started again" it_is_started_again
claim "those who are in a room start it again when it is gone" those_in_a_room_start_it_again
claim "where it cannot start its place is named" why_it_did_not_start
claim "no key stands in the server's log" no_secret_is_seen
