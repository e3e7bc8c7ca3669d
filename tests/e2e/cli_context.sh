#!/bin/bash
# cli_context.sh - verbs without CODE: which room they mean, and that they never guess between two.
. "$(dirname "$0")/cli_kit.bash"

title_of() { # CODE
	"$AYE" title "$1"
}
made_long_ago() { # CODE
	touch -d "2 hours ago" "$XDG_STATE_HOME"/aye/rooms/*-"$1".json
}

without_a_room_the_code_is_missing() {
	ends_with 2 "$AYE" vote 5 2>"$home/err" && grep -q "CODE is required: no room was entered" "$home/err" &&
		ends_with 2 "$AYE" join </dev/null 2>"$home/err" && grep -q "CODE is required: no room" "$home/err" &&
		ends_with 2 "$AYE" react tea 2>/dev/null && ends_with 2 "$AYE" vote K7QX3M 2>"$home/err" &&
		grep -q "CARD is required" "$home/err"
}

the_only_room_is_meant() {
	"$AYE" story add Refunds --key PAY-3 && "$AYE" select PAY-3 && "$AYE" vote 5 --name Ada && "$AYE" rules auto_reveal=off &&
		"$AYE" title 'Sprint 43' && [ "$(title_of "$a")" = "Sprint 43" ] && [ "$("$AYE" title)" = "Sprint 43" ] &&
		"$AYE" deck 1 2 3 && "$AYE" show | grep -q 'cards 1 2 3$' && "$AYE" story list | grep -q Refunds &&
		"$AYE" export --format md | grep -q Refunds && "$AYE" data create map notes &&
		"$AYE" data set map notes api later && "$AYE" data get map notes | grep -q later
}

a_word_like_a_code_is_one_where_nothing_is_missing_without_it() {
	ends_with 1 "$AYE" title ABCDEF 2>"$home/err" && grep -q "no room ABCDEF" "$home/err" &&
		"$AYE" story import - --format lines <<<"One more" && "$AYE" react thanks --name Ada &&
		ends_with 2 "$AYE" vote 'K7QX3' 5 2>"$home/err" && grep -q "K7QX3 is not a room code" "$home/err"
}

of_two_rooms_none_is_meant() {
	ends_with 2 "$AYE" title Wrong 2>"$home/err" && grep -q "^  $a  Sprint 43$" "$home/err" && grep -q "^  $b$" "$home/err" &&
		ends_with 2 "$AYE" join </dev/null 2>/dev/null &&
		[ "$(title_of "$a")" = "Sprint 43" ] && [ -z "$(title_of "$b")" ]
}

# Where the server is too slow for a prompt, it is asked again.
status_is_of_the_second() {
	AYE_ROOM=$b "$AYE" status | grep -q Payments
}

the_environment_says_which() {
	AYE_ROOM=${b,,} "$AYE" title Payments && [ "$(title_of "$b")" = Payments ] && [ "$(AYE_ROOM=$b "$AYE" title "$a")" = "Sprint 43" ] &&
		AYE_ROOM=$b "$AYE" join --name Ada <<<quit | grep -q "$b" && until_true status_is_of_the_second &&
		ends_with 2 env AYE_ROOM=Sprint-43 "$AYE" title 2>"$home/err" && grep -q "AYE_ROOM: Sprint-43 is not a room code" "$home/err" &&
		ends_with 2 env AYE_ROOM=Sprint-43 "$AYE" status 2>/dev/null &&
		ends_with 1 env AYE_ROOM=ABCDEF "$AYE" title 2>"$home/err" && grep -q "no room ABCDEF (from AYE_ROOM) on" "$home/err" &&
		ends_with 1 env AYE_ROOM=ABCDEF "$AYE" title ABCDEG T 2>"$home/err" && grep -q "no room ABCDEG on" "$home/err"
}

# Once as a room that was followed here, then, from what is left of it, as one of which nothing is known. Status waits for
# 10 ms unless it is told to wait longer.
an_ended_room_of_the_environment_is_named() {
	local c
	c=$("$AYE" room create --title Over) && AYE_ROOM=$c "$AYE" join --name Ada <<<quit >/dev/null && AYE_ROOM=$c "$AYE" status --timeout 20 >/dev/null &&
		"$AYE" room delete "$c" --yes && ends_with 1 env AYE_ROOM="$c" "$AYE" title 2>"$home/err" &&
		grep -q "no room $c (from AYE_ROOM) on .*: it has ended, .*; unset AYE_ROOM, or give the CODE" "$home/err" &&
		ends_with 5 env AYE_ROOM="$c" "$AYE" status --timeout 20 >"$home/said" && grep -q "^AYE_ROOM is $c: that room has ended.*; unset AYE_ROOM, or give the CODE of another$" "$home/said" &&
		ends_with 5 env AYE_ROOM=abcdef "$AYE" status --timeout 20 >"$home/said" && grep -q "^AYE_ROOM is ABCDEF: that room has ended, or is not known here; " "$home/said" &&
		[ -z "$(AYE_ROOM=$c "$AYE" status --short --timeout 20)" ] && ! "$AYE" status ABCDEF --timeout 20 | grep AYE_ROOM
}

# Somebody follows the first room here, and changes its title in the same window; then that client is killed.
what_is_shown_in_this_terminal_is_meant() {
	mkfifo "$home/in"
	cat >"$home/window" <<-'EOF'
		exec 7<>"$home/in"
		"$AYE" join "$a" --name Ada <&7 >"$home/lines" &
		until grep -qs '"is_in": true' "$XDG_STATE_HOME"/aye/status/*-"$a".json; do sleep 0.1; done
		"$AYE" vote 2 && "$AYE" vote 3
		"$AYE" title Here
		env TMUX=elsewhere,1,0 "$AYE" title There 2>"$home/there" || echo "ended with $?" >>"$home/there"
		kill -9 $! && wait $!
		"$AYE" title Gone 2>"$home/gone" || echo "ended with $?" >>"$home/gone"
	EOF
	home=$home a=$a on_a_terminal bash "$home/window" && [ "$(title_of "$a")" = Here ] &&
		grep -q "ended with 2" "$home/there" && grep -q "ended with 2" "$home/gone"
}

a_room_of_long_ago_is_not_meant() {
	made_long_ago "$a" && "$AYE" title Payment && [ "$(title_of "$b")" = Payment ] &&
		made_long_ago "$b" && ends_with 2 "$AYE" title Wrong 2>/dev/null
}

the_server_of_the_room_goes_along() {
	local first=$server c
	start_server other && c=$("$AYE" room create --server "$server") && "$AYE" title Other &&
		[ "$("$AYE" title "$c" --server "$server")" = Other ] && ends_with 2 "$AYE" title Wrong --server "$first" 2>/dev/null
	local code=$?
	end_server
	return "$code"
}

for_good_needs_the_code() {
	ends_with 2 env AYE_ROOM="$b" "$AYE" delete --yes 2>"$home/err" && grep -q "CODE is required" "$home/err" &&
		ends_with 2 env AYE_ROOM="$b" "$AYE" forget 2>/dev/null && title_of "$b"
}

on_a_terminal_join_offers_the_rooms() {
	on_a_terminal "$AYE" join --plain <<<quit | tee "$home/offered" | grep -q "$a" && grep -q "$b" "$home/offered"
}

start_server main || { echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server
claim "without a room the code is missing" without_a_room_the_code_is_missing
a=$("$AYE" room create --title 'Sprint 43')
claim "the only room is meant" the_only_room_is_meant
claim "a word like a code is one where nothing is missing without it" a_word_like_a_code_is_one_where_nothing_is_missing_without_it
b=$("$AYE" room create)
claim "of two rooms none is meant" of_two_rooms_none_is_meant
claim "the environment says which" the_environment_says_which
claim "an ended room of the environment is named" an_ended_room_of_the_environment_is_named
claim "what is shown in this terminal is meant" what_is_shown_in_this_terminal_is_meant
claim "a room of long ago is not meant" a_room_of_long_ago_is_not_meant
claim "the server of the room goes along" the_server_of_the_room_goes_along
a_room_of_verbs_has_its_title_at_home() {
	local XDG_STATE_HOME=$home/vera room
	mkdir -m 700 "$XDG_STATE_HOME"
	room=$(XDG_STATE_HOME=$home/state "$AYE" room create --title "Sprint 44") && "$AYE" vote "$room" 5 --name Vera &&
		"$AYE" home | grep -q "^$room  Sprint 44  as Vera"
}
claim "a room that verbs alone were in has its title at home" a_room_of_verbs_has_its_title_at_home
claim "for good needs the code" for_good_needs_the_code
claim "on a terminal join offers the rooms" on_a_terminal_join_offers_the_rooms
