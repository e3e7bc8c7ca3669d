#!/bin/bash
# cli_verbs.sh - every verb against a real server: results, exit codes, JSON.
. "$(dirname "$0")/cli_kit.bash"
start_server main || { echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server
first=$server

code=$("$AYE" room create --title "Sprint 42" --deck fibonacci)

until_shown() { # PATTERN
	until_true room_shows "$code" "$1"
}

shows() {
	"$AYE" room show "$code" | grep -q "^Room $code: Sprint 42, round 1, cards 0 1 2 3 5 8 13 21 34 55 89 ?$" &&
		"$AYE" room show "$code" --json | grep -q '^{"room_id":"'"$code"'".*"full":true.*}$' &&
		"$AYE" room show "$(echo "$code" | tr '[:upper:]' '[:lower:]')" >/dev/null
}

a_round() {
	"$AYE" room vote "$code" 5 --name Ada --wait >"$home/ada" & local ada=$!
	"$AYE" room vote "$code" 8 --name Grace --wait --json >"$home/grace" & local grace=$!
	until_shown "Ada.*has voted"
	until_shown "Grace.*has voted"
	! "$AYE" room show "$code" --json | grep -q '"vote":' || return 1
	"$AYE" room reveal "$code" >"$home/reveal" || return 1
	wait $ada || return 1
	wait $grace || return 1
	cat "$home/ada" "$home/grace" "$home/reveal"
	grep -q "Average 6.5, median 6.5, agreement 50%" "$home/ada" "$home/reveal" &&
		grep -q '"vote":"5".*"vote":"8"\|"vote":"8".*"vote":"5"' "$home/grace" &&
		[ "$("$AYE" room reset "$code" --json)" = '{"round":2,"version":'"$("$AYE" call room.get '{"room_id":"'"$code"'"}' | sed 's/.*"version":\([0-9]*\).*/\1/')"'}' ]
}

home_lists_rooms() (
	export XDG_STATE_HOME=$home/lister
	mkdir -m 700 "$XDG_STATE_HOME"
	"$AYE" home | grep -qx "No rooms yet\. .*" || return 1
	mine=$("$AYE" room create --title Mine)
	theirs=$(XDG_STATE_HOME=$home/other "$AYE" room create)
	[ "$("$AYE" home)" = "$mine  Mine  on $first" ] || return 1
	"$AYE" room vote "$mine" 5 --name Ada >/dev/null && "$AYE" room vote "$theirs" 5 --name Ada >/dev/null || return 1
	[ "$("$AYE" home | sort)" = "$(printf '%s\n' "$mine  Mine  as Ada  on $first" "$theirs  as Ada  on $first" | sort)" ] &&
		"$AYE" home --json | grep -q '^{"room_id":"'"$mine"'","server":"'"$AYE_SERVER"'","title":"Mine","name":"Ada","is_host":true,"used_at":[0-9]*}$' &&
		"$AYE" room forget "$mine" && [ "$("$AYE" home)" = "$theirs  as Ada  on $first" ] &&
		"$AYE" room forget "$theirs" && "$AYE" home | grep -qx "No rooms yet\. .*"
)

refusals_are_told() {
	ends_with 1 "$AYE" room show ZZZZZZ 2>"$home/err" && grep -q "^aye: " "$home/err" &&
		ends_with 1 "$AYE" room show ZZZZZZ --json 2>"$home/err" &&
		grep -q '^{"code":"ROOM_NOT_FOUND","message":".*"}$' "$home/err" &&
		ends_with 1 "$AYE" room vote "$code" 4 --name Ada --json 2>"$home/err" &&
		grep -q '"code":"VALIDATION_ERROR".*"field":"vote"' "$home/err" &&
		ends_with 1 "$AYE" call room.no_such '{}' 2>"$home/err"
}

strangers_may_not() {
	XDG_STATE_HOME=$home/stranger ends_with 1 "$AYE" room reveal "$code" &&
		XDG_STATE_HOME=$home/stranger ends_with 1 "$AYE" room delete "$code" --yes
}

usage_is_two() {
	ends_with 2 "$AYE" nonsense && ends_with 2 "$AYE" room vote "$code" && ends_with 2 "$AYE" join "$code" "$code" &&
		ends_with 2 "$AYE" room show 1O1O1O && ends_with 2 "$AYE" call server.ping '{nojson' &&
		ends_with 2 "$AYE" server ping --timeout x && ends_with 2 "$AYE" server ping --bot &&
		ends_with 2 "$AYE" server ping --server http://x
}

a_group_is_explained() {
	"$AYE" help room | grep -q "room vote" && "$AYE" room --help | grep -q "room vote" &&
		! "$AYE" room --help | grep -q "server ping" &&
		ends_with 2 "$AYE" room 2>"$home/err" && grep -q "aye help room" "$home/err" &&
		ends_with 2 "$AYE" room nonsense 2>"$home/err" && grep -q "no verb room nonsense" "$home/err" &&
		ends_with 2 "$AYE" nonsense --help && [ "$("$AYE" --version)" = "$("$AYE" version)" ] &&
		ends_with 2 "$AYE" server ping --version
}

help_is_in_groups() {
	local told
	told=$("$AYE" help all)
	[[ $told == *$'\nTake part\n  new '*$'\nRun the vote\n'*'  reveal '*$'\nStories\n'*'  add '* ]] &&
		[[ $told == *$'\nScripts and shared data\n'*'  script '*$'\nOptions of most verbs'*'  --server ADDR'* ]] &&
		[[ $told != *--if-revision* ]] && "$AYE" help data set | grep -q -e --if-revision &&
		told=$("$AYE" --help) && [ "$(wc -l <<<"$told")" -le 30 ] && [[ $told == *$'\n  settle '* && $told != *$'\n  relay '* ]] &&
		[ "$(wc -L <<<"$told")" -le 80 ] && [ "$("$AYE" help)" = "$told" ]
}

closed_descriptors_break_nothing() {
	local told
	told=$("$AYE" room create <&-) && [ -n "$told" ] || return 1
	told=$("$AYE" room create 2>&-) && [ -n "$told" ] || return 1
	("$AYE" room create >&-)
	[ $? -lt 128 ]
}

nobody_is_three() {
	AYE_SERVER=unix:$home/none.sock ends_with 3 "$AYE" server ping 2>"$home/err" &&
		grep -q "$home/none.sock" "$home/err" && ends_with 3 "$AYE" server ping --server tcp://127.0.0.1:1
}

waiting_in_vain_is_four() {
	ends_with 4 "$AYE" room vote "$code" 5 --name Ada --wait --timeout 0.05 &&
		ends_with 4 "$AYE" watch "$code" --timeout 0.05
}

acts_of_the_host() {
	"$AYE" room title "$code" "Sprint 43" && "$AYE" room show "$code" | grep -q "Sprint 43" &&
		"$AYE" room title "$code" '' && "$AYE" room show "$code" | grep -q "^Room $code, round" &&
		"$AYE" links "$code" 'https://x.example/{key}' && [ "$("$AYE" links "$code")" = 'https://x.example/{key}' ] &&
		[ "$("$AYE" links "$code" --json)" = '{"link_template":"https://x.example/{key}"}' ] && "$AYE" links "$code" '' && [ -z "$("$AYE" links "$code")" ] &&
		"$AYE" room deck "$code" 1 2 "3,XL" && "$AYE" room show "$code" | grep -q "cards 1 2 3 XL$" &&
		"$AYE" room deck "$code" yesno && "$AYE" room show "$code" | grep -q "cards yes no ?$" &&
		"$AYE" room hide "$code" && "$AYE" room kick "$code" Grace &&
		! "$AYE" room show "$code" | grep -q Grace && ends_with 1 "$AYE" room kick "$code" Grace
}

the_maker_enters_what_is_shut() {
	local shut
	shut=$("$AYE" room create) && "$AYE" room policy "$shut" locked=on &&
		"$AYE" room vote "$shut" 5 --name Maker >"$home/out" &&
		"$AYE" room show "$shut" | grep -q Maker &&
		ends_with 4 "$AYE" watch "$shut" --timeout 0.2 >"$home/out" &&
		grep -q Maker "$home/out"
}

who_is_kicked_for_good_stays_out_until_a_host_says() {
	local shut
	shut=$("$AYE" room create) && "$AYE" room vote "$shut" 5 --name Maker >"$home/out" &&
		AYE_NAME=Mallory "$AYE" room vote "$shut" 3 >"$home/out" &&
		"$AYE" room policy "$shut" locked=on && "$AYE" room kick "$shut" Mallory &&
		! "$AYE" room show "$shut" | grep -q Mallory &&
		ends_with 1 "$AYE" room unkick "$shut" Nobody 2>"$home/err" && grep -q "no banned member is called Nobody" "$home/err" &&
		"$AYE" room unkick "$shut" Mallory && ends_with 1 "$AYE" room unkick "$shut" Mallory
}

a_session_is_summed_up() {
	local done
	done=$("$AYE" room create --title Payments --deck fibonacci)
	"$AYE" story add "$done" Refund --key PAY-1 >/dev/null && "$AYE" story add "$done" Receipts --status skipped >/dev/null &&
		"$AYE" story next "$done" >/dev/null && "$AYE" room vote "$done" 3 --name Ada && "$AYE" room vote "$done" 13 --name Grace &&
		"$AYE" reveal "$done" >/dev/null && "$AYE" settle "$done" 8 && "$AYE" summary "$done" >"$home/out" || return 1
	cat "$home/out"
	grep -qx "Stories: 2 (1 done, 0 to do, 1 skipped), 8 points" "$home/out" &&
		grep -qx "  PAY-1 Refund: 3 to 13, settled on 8" "$home/out" && grep -qx "  Receipts: skipped" "$home/out" &&
		"$AYE" summary "$done" --json | grep -q '^{"room_id":"'"$done"'","statistics":{.*"points":8.*"apart":\[{.*"spread_steps":3,"lowest":"3","highest":"13"}\].*}$' &&
		(cd "$home" && $(sed -n 's/^To export: //p' "$home/out" | sed "s|^aye|$AYE|") && grep -q PAY-1 "$done.csv")
}

hostile_text_is_shown_safely() {
	local mean=$'\e[2J\a'
	ends_with 1 "$AYE" room title "$code" "a${mean}b" 2>"$home/err"
	ends_with 2 "$AYE" "no${mean}verb" 2>>"$home/err"
	! grep -q $'\e\|\a' "$home/err"
}

# As a file is imported again when somebody has added a ticket in the tracker: nothing is doubled, nothing estimated is lost.
importing_again_updates() {
	local room
	room=$("$AYE" room create --title Again) || return 1
	printf 'key,title,link\nPAY-1,Show the balance,https://t.example/1\nPAY-2,Say thanks,\n,No key,\n' >"$home/again.csv"
	[ "$("$AYE" story import "$room" "$home/again.csv")" = "3 stories added" ] && "$AYE" story update "$room" PAY-1 --estimate 5 || return 1
	[ "$("$AYE" story import "$room" "$home/again.csv")" = "0 stories added, 3 known, 0 of them changed" ] || return 1
	printf 'key,title,link\nPAY-1,Show a balance,https://t.example/1\nPAY-3,Log out,\nPAY-2,Say thanks,\n,No key,\n' >"$home/again.csv"
	[ "$("$AYE" story import "$room" "$home/again.csv" --strict --json | sed 's/,"import_id".*//')" = '{"added":1,"known":3,"changed":1,"skipped":0' ] || return 1
	"$AYE" story list "$room" >"$home/stories"
	[ "$(wc -l <"$home/stories")" = 4 ] && grep -q '5.*PAY-1 Show a balance' "$home/stories" && ! grep -q 'the balance' "$home/stories" || return 1
	[ "$("$AYE" story import "$room" "$home/again.csv" --again)" = "4 stories added" ]
}

# Two people import the file at the same time: each key is there once, whoever was first; keys in any case are one.
imports_at_once_add_nothing_twice() {
	local room first second
	room=$("$AYE" room create --title Twice) || return 1
	{ echo key,title; seq 200 | sed 's|.*|PAY-&,Story &|'; } >"$home/once.csv"
	tr P p <"$home/once.csv" >"$home/small.csv"
	"$AYE" story import "$room" "$home/once.csv" >"$home/first" 2>&1 & first=$!
	"$AYE" story import "$room" "$home/small.csv" >"$home/second" 2>&1 & second=$!
	wait $first && wait $second || return 1
	cat "$home/first" "$home/second"
	[ "$("$AYE" story list "$room" | wc -l)" = 200 ] &&
		[ "$(sed 's/ .*//' "$home/first" "$home/second" | awk '{ sum += $1 } END { print sum }')" = 200 ] || return 1
	[ "$("$AYE" story import "$room" "$home/small.csv")" = "0 stories added, 200 known, 0 of them changed" ]
}

# What the room has no place for is one line; what is known further down is updated all the same.
a_file_of_five_thousand_rows_fills_the_room() {
	local room
	room=$("$AYE" room create --title Large) || return 1
	"$AYE" story add "$room" "Old title" --key PAY-5000 >/dev/null || return 1
	{ echo key,title; seq 5000 | sed 's|.*|PAY-&,Story &|'; } >"$home/large.csv"
	ends_with 1 "$AYE" story import "$room" "$home/large.csv" --strict 2>"$home/err" && [ "$("$AYE" story list "$room" | wc -l)" = 1 ] || return 1
	"$AYE" story import "$room" "$home/large.csv" >"$home/out" 2>"$home/err" || return 1
	cat "$home/out" "$home/err"
	[ "$(cat "$home/out")" = "499 stories added, 1 known, 1 of them changed" ] &&
		[ "$(cat "$home/err")" = "aye: a room has at most 500 stories, including removed ones: 4500 from line 501 on were not added" ] || return 1
	"$AYE" story list "$room" >"$home/stories"
	[ "$(wc -l <"$home/stories")" = 500 ] && grep -q 'PAY-5000 Story 5000$' "$home/stories" && grep -q 'PAY-499 Story 499$' "$home/stories" || return 1
	ends_with 0 "$AYE" story import "$room" "$home/large.csv" 2>"$home/err" | grep -qx "0 stories added, 500 known, 0 of them changed"
}

# On a terminal it is asked, with the answer that was typed; nobody is there in a script.
deleting_a_room_is_asked_about() {
	local code=0 room
	room=$("$AYE" room create --title Short) || return 1
	ends_with 2 "$AYE" room delete "$room" 2>&1 | grep -q "Delete room $room for everyone? Confirm with --yes" || return 1
	printf 'no\n' | on_a_terminal "$AYE" room delete "$room" >"$home/asked" || code=$?
	[ "$code" = 5 ] && grep -q "Delete room $room for everyone?" "$home/asked" && "$AYE" room show "$room" >/dev/null || return 1
	printf 'yes\n' | on_a_terminal "$AYE" room delete "$room" && ! "$AYE" room show "$room" 2>/dev/null
}
the_end_is_told() {
	"$AYE" watch "$code" >"$home/watch" 2>"$home/watch.err" & local watch=$!
	mkfifo "$home/json"
	"$AYE" watch "$code" --json >"$home/json" 2>/dev/null & local json=$!
	local line
	exec 3<"$home/json"
	while read -r line <&3 && [ "${line#*\"full\":true}" = "$line" ]; do :; done
	until_true [ -s "$home/watch" ] || return 1
	"$AYE" room delete "$code" --yes || return 1
	wait $watch || return 1
	while read -r line <&3; do :; done
	wait $json
	cat "$home/watch" "$home/watch.err"
	grep -q "^Room $code" "$home/watch" && grep -q "deleted" "$home/watch.err" &&
		[ -z "$(find "$XDG_STATE_HOME/aye/rooms" -name "*$code*")" ]
}

told_servers_are_passed_on() {
	local out
	out=$("$AYE" new 2>"$home/err") && printf '%s\n' "$out" | tail -1 | grep -q "^aye join [A-Z0-9]* --server $first$" && grep -q "on this machine only" "$home/err"
}

join_follows_in_lines() {
	local room line
	room=$("$AYE" room create)
	mkfifo "$home/lines"
	"$AYE" join "$room" --name Linus >"$home/lines" & local join=$!
	exec 4<"$home/lines"
	while read -r line <&4 && [ "$line" != "Linus, host" ]; do :; done
	"$AYE" room title "$room" Later
	while read -r line <&4 && [ "$line" != "The room is called Later." ]; do :; done
	kill $join
	wait $join && [ "$line" = "The room is called Later." ]
}

# A server of somebody's own, whose counters are texts with escape sequences, in bytes and in C1 controls.
cat >"$home/counts.py" <<'END'
import msgpack, socket, sys

listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen(1)
print("ready", flush=True)
peer, unpacker = listener.accept()[0], msgpack.Unpacker()
evil = "\x1b]0;owned\x07\x9b31m\u202e\x7f"
results = {
    "session.hello": {"protocol": 1, "server": "x", "now": 1, "nonce": "A" * 43, "limits": {}, "features": []},
    "server.stats": {"started_at": 1, "now": 2, "counters": {"a": evil, "b" + evil: 1, "c": {"d" + evil: {"e": evil}}}},
}
while True:
    unpacker.feed(peer.recv(65536) or sys.exit(0))
    for message in unpacker:
        peer.sendall(msgpack.packb([1, message[1], None, results[message[2]]]))
END
counters_are_shown_safely() {
	local pid
	rm -f "$home/counts.out"
	mkfifo "$home/counts.out"
	/usr/bin/python3 "$home/counts.py" "$home/counts.sock" >"$home/counts.out" &
	pid=$!
	read -r _ <"$home/counts.out" && "$AYE" server stats --server "unix:$home/counts.sock" >"$home/shown"
	wait "$pid"
	grep -q '^a .*owned' "$home/shown" && LC_ALL=C tr -d '\n -~\357\277\275' <"$home/shown" | cmp -s - /dev/null
}
stats_are_counted() {
	"$AYE" server stats | grep -q "^votes_cast_total  *[1-9]" &&
		"$AYE" server stats | grep -q "^longest_turn_seconds  *[0-9.]*[1-9]" && "$AYE" server stats --json | grep -q '"counters":{'
}

help_knows_every_verb() {
	local verb
	"$AYE" help all | sed -n '/^Take part/,/^Options/s/^  \([a-z]*\( [a-z]*\)\{0,1\}\)  .*/\1/p' >"$home/verbs"
	[ "$(wc -l <"$home/verbs")" -ge 60 ] || return 1
	while read -r verb; do
		"$AYE" help $verb | grep -q "^aye $verb" && "$AYE" $verb --help | grep -q "^aye $verb" || return 1
	done <"$home/verbs"
}

claim "a room shows as it was made" shows
claim "two vote and wait, the host reveals, the result is told" a_round
# promise: exit-codes
claim "a refusal ends with 1 and its reason on stderr" refusals_are_told
claim "who has no key may not act as host" strangers_may_not
claim "what makes no sense ends with 2" usage_is_two
claim "a group of verbs explains itself" a_group_is_explained
claim "help is what a team types; all of it is in groups, what matters first, and has the options of most verbs" help_is_in_groups
claim "closed standard descriptors break nothing" closed_descriptors_break_nothing
claim "no server ends with 3 and names what was tried" nobody_is_three
claim "waiting in vain ends with 4" waiting_in_vain_is_four
claim "the host changes title, deck, cards and members" acts_of_the_host
claim "whoever has the host key enters a room that is shut" the_maker_enters_what_is_shut
claim "who is kicked for good stays out until a host says so" who_is_kicked_for_good_stays_out_until_a_host_says
claim "a session is summed up, with the command that exports it" a_session_is_summed_up
claim "control characters never reach the terminal" hostile_text_is_shown_safely
claim "watchers are told of the room's end, and its keys are forgotten" the_end_is_told
claim "a server that was told is passed on to colleagues" told_servers_are_passed_on
claim "without a terminal join follows in lines, and a signal ends it well" join_follows_in_lines
claim "a file that is imported again updates what is known" importing_again_updates
claim "two imports at once add nothing twice, in whatever case the keys are" imports_at_once_add_nothing_twice
claim "a file of 5,000 rows fills the room, updates what is known, and says what is left" a_file_of_five_thousand_rows_fills_the_room
claim "who deletes a room is asked first" deleting_a_room_is_asked_about
claim "the server's counters are shown" stats_are_counted
claim "nothing that a server counts gets at the terminal" counters_are_shown_safely
claim "home without a terminal lists the rooms one was in, until they are forgotten" home_lists_rooms
claim "help knows every verb" help_knows_every_verb
