#!/bin/bash
# data_damage.sh - data that cannot be served, and data that go away, end a server with a sentence.
. "$(dirname "$0")/cli_kit.bash"
export AYE_SERVER=unix:$home/main.sock
data=$home/main.data

stop() {
	kill "$server_pid"
	wait "$server_pid"
}

# The sentence is the last line on standard error, after the log.
refuses_to_start() { # SENTENCE
	local told
	told=$("$AYED" --data "$data" --allow-root --listen "unix:$home/other.sock" 2>&1) && return 1
	printf '%s\n' "$told" | tail -1 | grep -q "^ayed: $data: .*$1" || { printf '%s\n' "$told"; return 1; }
}

the_mark_tells_an_unclean_stop() {
	start_server main && "$AYE" room create >"$home/room" && [ -e "$data/in-use" ] || return 1
	kill -9 "$server_pid"
	wait "$server_pid"
	[ -e "$data/in-use" ] && start_server main && "$AYE" room show "$(cat "$home/room")" && stop &&
		[ ! -e "$data/in-use" ]
}

another_key_is_refused() {
	cp "$data/server.key" "$home/kept.key"
	head -c 32 /dev/urandom >"$data/server.key"
	refuses_to_start "server.key does not belong to these data" || return 1
	cp "$home/kept.key" "$data/server.key"
	start_server main && "$AYE" room show "$(cat "$home/room")" && stop
}

an_empty_file_is_refused() {
	cp "$data/data.mdb" "$home/kept.mdb"
	: >"$data/data.mdb"
	refuses_to_start "data.mdb is empty" && ends_with 1 "$AYED" check "$data" || return 1
	cp "$home/kept.mdb" "$data/data.mdb"
	start_server main && "$AYE" room show "$(cat "$home/room")" && stop
}

# A change that comes is not acknowledged, and the next tick ends the server.
data_that_are_gone_end_it() {
	start_server main || return 1
	mv "$data" "$home/gone.data"
	"$AYE" room create && return 1
	wait "$server_pid"
	[ $? = 1 ] && grep -q "event=store_gone" "$home/main.log"
}

# A letter of a question is another one in the file: its checksum does not hold, and those beside it are sound.
a_list_says_that_some_of_it_cannot_be_read() {
	local sentence="aye: some entries are damaged on the server and are missing here"
	start_server partly && AYE_SERVER=$server "$AYE" login ada || return 1
	for prompt in "Is the first one sound?" "Is the second one sound?" "Is the third one sound?"; do
		AYE_SERVER=$server "$AYE" ask "$prompt" || return 1
	done
	AYE_SERVER=$server "$AYE" question mine >"$home/before" 2>"$home/told" && [ ! -s "$home/told" ] || return 1
	stop
	LC_ALL=C sed -i 's/Is the second one sound/Is the secund one sound/g' "$home/partly.data/data.mdb"
	start_server partly && AYE_SERVER=$server "$AYE" question mine >"$home/after" 2>"$home/told" || return 1
	stop
	[ "$(cat "$home/told")" = "$sentence" ] && [ "$(wc -l <"$home/before")" = 3 ] && [ "$(wc -l <"$home/after")" = 2 ] &&
		grep -q "first one" "$home/after" && grep -q "third one" "$home/after" || { cat "$home/told" "$home/after"; return 1; }
}

claim "the mark of an unclean stop goes with the next clean one" the_mark_tells_an_unclean_stop
claim "data of another server.key are refused with a sentence" another_key_is_refused
claim "an empty data file is refused with a sentence, by check too" an_empty_file_is_refused
claim "a server whose data were taken away acknowledges nothing and ends" data_that_are_gone_end_it
claim "a list of which something is damaged says so, once, and has the rest" a_list_says_that_some_of_it_cannot_be_read
