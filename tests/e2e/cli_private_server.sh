#!/bin/bash
# cli_private_server.sh - aye finds or starts its server, and keeps its secrets to itself.
. "$(dirname "$0")/cli_kit.bash"

two_at_once() {
	local pids=() k
	for k in 0 1 2 3; do
		"$AYE" room create >"$home/code.$k" &
		pids+=($!)
	done
	for k in 0 1 2 3; do
		ends_with 0 wait "${pids[k]}" || return 1
	done
	cat "$home"/code.*
	[ "$(sort -u "$home"/code.* | wc -l)" = 4 ] || return 1
	echo "servers: $(private_pid)"
	[ "$(private_pid | wc -w)" = 1 ]
}

new_says_how_to_join() {
	local out code
	out=$("$AYE" new --title Sprint) || return 1
	code=$(printf '%s\n' "$out" | head -1)
	[ "$out" = "$code
aye join $code" ] && "$AYE" room show "$code" | grep -q "^Room $code: Sprint, round 1"
}

# What joins, of somebody else on this machine: their own directories.
as_other() { # COMMAND...
	mkdir -p -m 700 "$home/other" "$home/other/state" "$home/other/run"
	HOME=$home/other XDG_STATE_HOME=$home/other/state XDG_RUNTIME_DIR=$home/other/run USER=other "$@"
}

a_code_starts_no_server() {
	local code
	code=$("$AYE" new | head -1) || return 1
	as_other ends_with 1 "$AYE" join "$code" --name Grace 2>&1 </dev/null | tee "$home/why"
	[ "$(cat "$home/why")" = "aye: no room $code on your own server. If a colleague created it, set \
AYE_SERVER or add --server tls://HOST (from their join command)" ] &&
		as_other ends_with 1 "$AYE" room show "$code" --json 2>&1 | grep -q '"code":"ROOM_NOT_FOUND"' &&
		[ -z "$(servers_of "$home/other")" ]
}

a_code_that_ones_own_server_does_not_know_names_it() {
	ends_with 1 "$AYE" join 222222 --name Ada 2>&1 </dev/null | grep -q "^aye: no room 222222 on your own server. If " &&
		ends_with 1 "$AYE" room show 222222 2>&1 | grep -q "^aye: no room 222222 on your own server. If "
}

a_server_that_was_named_is_named() {
	ends_with 1 "$AYE" join 222222 --name Ada --server "unix:$XDG_RUNTIME_DIR/aye/ayed.sock" 2>&1 </dev/null |
		grep -qx "aye: no room 222222 on unix:$XDG_RUNTIME_DIR/aye/ayed.sock, or it is closed to you; check the code and the server, or ask its host"
}

a_room_one_was_in_starts_it() {
	local pid code
	code=$("$AYE" room create) && "$AYE" room keep "$code" 2 || return 1
	pid=$(private_pid)
	kill "$pid"
	until_true is_gone "$pid"
	"$AYE" room show "$code" | grep -q "^Room $code" && [ -n "$(private_pid)" ]
}

# As the same person by su, or a job of cron's: HOME is the same, and the runtime directory is none or another.
another_runtime_directory_finds_the_same_server() {
	local code pid
	code=$("$AYE" room create --title Elsewhere) && pid=$(private_pid) || return 1
	mkdir -p -m 700 "$home/elsewhere"
	XDG_RUNTIME_DIR=$home/elsewhere "$AYE" room show "$code" | grep -q "^Room $code: Elsewhere" && [ "$(private_pid)" = "$pid" ] || return 1
	# A note whose directory others could have prepared is not believed.
	chmod 755 "$XDG_RUNTIME_DIR/aye"
	XDG_RUNTIME_DIR=$home/elsewhere ends_with 3 "$AYE" room create 2>"$home/why"
	local code_of=$?
	chmod 700 "$XDG_RUNTIME_DIR/aye"
	[ "$code_of" = 0 ] && grep -q "in use by another server" "$home/why"
}
a_room_with_a_passcode_says_so() {
	local code
	code=$("$AYE" room create) && echo sesame >"$home/secret" &&
		"$AYE" room policy "$code" --passcode-file "$home/secret" || return 1
	XDG_STATE_HOME=$home/other/state ends_with 1 "$AYE" join "$code" --name Eve 2>&1 </dev/null |
		grep -qx "aye: the room has a passcode. Give it with --passcode-file FILE"
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
	until_true is_gone "$pid"
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

# Nobody else is there: nobody is asked. A room is there again with the server.
it_is_stopped_and_started_again() {
	local code
	code=$("$AYE" room create --title Kept) && [ -n "$(private_pid)" ] && "$AYE" room keep "$code" 2 >/dev/null || return 1
	"$AYE" serve --stop >"$home/told" && cat "$home/told" && grep -q "^Your own server was stopped; its rooms are kept. The next command that needs it starts it again, for you alone.$" "$home/told" && [ -z "$(private_pid)" ] &&
		[ "$("$AYE" serve --stop)" = "Your own server is not running." ] && [ "$("$AYE" serve --stop --json)" = '{"stopped":false}' ] &&
		[ -z "$(private_pid)" ] && "$AYE" room show "$code" | grep -q "^Room $code: Kept" && [ -n "$(private_pid)" ]
}

# Who is there is asked about, and does not start it again; the next verb does.
others_end_with_it() {
	local code watcher
	code=$("$AYE" room create) || return 1
	"$AYE" watch "$code" >"$home/watch.out" 2>"$home/watch.err" &
	watcher=$!
	until_true grep -q "^Room $code" "$home/watch.out" &&
		ends_with 2 "$AYE" serve --stop 2>"$home/err" && grep -q "Stop your own server? 1 other connection will close; its rooms are kept. Confirm with --yes" "$home/err" &&
		echo n | ends_with 5 on_a_terminal "$AYE" serve --stop && [ -n "$(private_pid)" ] &&
		[ "$("$AYE" serve --stop --yes --json)" = '{"stopped":true}' ] &&
		until_true grep -q . "$home/watch.err" && [ -z "$(private_pid)" ] &&
		"$AYE" room show "$code" >/dev/null && until_true grep -q "connected again" "$home/watch.err"
	local all=$?
	cat "$home/watch.err"
	kill "$watcher"
	wait "$watcher"
	return "$all"
}

another_server_is_not_stopped() {
	ends_with 2 "$AYE" serve --stop 127.0.0.1 2>&1 | grep -q "without an address" &&
		AYE_SERVER=unix:$home/none.sock ends_with 1 "$AYE" serve --stop 2>&1 | grep -q "^aye: only your own server can be stopped, not unix:"
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

# promise: own-server
claim "four clients at once start one private server" two_at_once
claim "without a terminal new prints the code and how to join" new_says_how_to_join
claim "a code starts no server, and who was asked is said" a_code_starts_no_server
claim "a code that one's own server does not know names it" a_code_that_ones_own_server_does_not_know_names_it
claim "so does one on a server that was named" a_server_that_was_named_is_named
claim "a room one was in starts its server" a_room_one_was_in_starts_it
claim "its server is found where the runtime directory is another" another_runtime_directory_finds_the_same_server
claim "a room with a passcode says so" a_room_with_a_passcode_says_so
claim "what is kept is readable for its owner alone" all_is_private
claim "a runtime directory that is not ours alone is refused" nobody_can_prepare_the_directory
claim "after its end it is started again" it_is_started_again
claim "those who are in a room start it again when it is gone" those_in_a_room_start_it_again
claim "it is stopped, and started again by the next verb" it_is_stopped_and_started_again
claim "those who are there are asked about, and do not start it again" others_end_with_it
claim "another server is not stopped" another_server_is_not_stopped
claim "where it cannot start its place is named" why_it_did_not_start
# promise: quiet-log
claim "no key stands in the server's log" no_secret_is_seen
