#!/bin/bash
# cli_names.sh - names and votes of verbs: bots beside their owner, one name twice, votes that stay, and stories together.
. "$(dirname "$0")/cli_kit.bash"
start_server hasty --limit vote_grace_ms=50 --limit name_grace_ms=100 --limit countdown_ms=1 || { echo "Bail out! no server"; exit 1; }
hasty=$server
start_server main || { echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server

default_name() {
	sed -n 's/.*"name": *"\([^"]*\)".*/\1/p' "$XDG_STATE_HOME/aye/aye.json"
}

# Zoe, who made a room and sits in it; a verb in lines stands for her screen.
zoe_sits_down() {
	code=$("$AYE" room create)
	"$AYE" join "$code" --plain --name Zoe <<<quit >"$home/zoe" || return 1
	[ "$(default_name)" = Zoe ]
}

a_bot_touches_neither_name_nor_seat() {
	"$AYE" room vote "$code" 8 --name estimator --bot || return 1
	[ "$(default_name)" = Zoe ] && "$AYE" home | grep -qxF "$code  as Zoe  on $AYE_SERVER" || return 1
	"$AYE" room vote "$code" 8 --bot && "$AYE" room vote "$code" 5 || return 1
	"$AYE" room show "$code" >"$home/shown"
	grep -q "  Zoe, a bot, away, has voted" "$home/shown" && grep -q "  Zoe 2, host, away, has voted" "$home/shown" || { cat "$home/shown"; return 1; }
	[ "$("$AYE" room vote "$code" 3 --bot --json)" = '{"has_vote":true}' ] &&
		[ "$("$AYE" room show "$code" | grep -c "a bot")" = 2 ]
}

a_name_given_to_a_verb_is_no_default() {
	"$AYE" room vote "$code" 5 --name Linus 2>/dev/null
	[ "$(default_name)" = Zoe ] && "$AYE" home | grep -qxF "$code  as Zoe  on $AYE_SERVER"
}

# USER is tester here, and somewhere there is none; an empty AYE_NAME is none either.
the_name_goes_along_to_a_new_room() {
	local room
	room=$("$AYE" room create) && "$AYE" room vote "$room" 5 && room_shows "$room" "^  Zoe, " || return 1
	room=$("$AYE" room create) && AYE_NAME= env -u USER "$AYE" room vote "$room" 5 && room_shows "$room" "^  Zoe, "
}

# Each room has its own; what was used last anywhere counts where one was never.
a_room_keeps_the_name_one_had_in_it() {
	local room new
	room=$("$AYE" room create) && new=$("$AYE" room create) &&
		"$AYE" join "$room" --plain --name Grace <<<quit && "$AYE" room vote "$code" 5 && "$AYE" room vote "$new" 5 || return 1
	room_shows "$new" "^  Grace, " && room_shows "$code" "^  Zoe 2, " && ! room_shows "$code" "^  Grace"
}

# Where votes of lost connections are gone at once.
a_verbs_vote_stays_until_the_next_round() {
	local room AYE_SERVER=$hasty
	room=$("$AYE" room create)
	[ "$("$AYE" vote "$room" 8 --name Ada --json 2>&1)" = '{"has_vote":true}' ] && [ "$("$AYE" vote "$room" - --name Ada 2>&1)" = "Your vote was retracted." ] &&
		[ "$("$AYE" vote "$room" 5 --name Ada 2>&1)" = "You voted 5." ] && "$AYE" vote "$room" 8 --name Grace --for 1s && room_shows "$room" "Grace.*has voted" &&
		until_true gone "$room" Grace && room_shows "$room" "Ada.*away.*has voted" &&
		"$AYE" reveal "$room" | grep -q "Ada 5" && "$AYE" reset "$room" && "$AYE" vote "$room" 3 --name Linus &&
		until_true gone "$room" Ada && room_shows "$room" "Linus.*away.*has voted" &&
		"$AYE" vote "$room" - --name Linus && until_true gone "$room" Linus &&
		refuses_usage "exclude each other" "$AYE" vote "$room" 5 --name Ada --for 1m --wait &&
		refuses_usage "--for: soon is not a time: use 2d, 8h or 30m, up to 90 days" "$AYE" vote "$room" 5 --name Ada --for soon
}
refuses_usage() { # WORDS COMMAND...
	local words=$1
	shift
	ends_with 2 "$@" 2>&1 | grep -qF -e "$words"
}

the_second_grace_is_told() {
	local room
	room=$("$AYE" room create)
	mkdir -m 700 "$home/one" "$home/two"
	XDG_STATE_HOME=$home/one "$AYE" room vote "$room" 5 --name Grace || return 1
	XDG_STATE_HOME=$home/two "$AYE" room vote "$room" 5 --name grace 2>"$home/err" || return 1
	grep -q "^aye: grace is taken; you are grace 2$" "$home/err" || { cat "$home/err"; return 1; }
	room_shows "$room" "  grace 2, "
}

gone() { # CODE NAME
	! room_shows "$1" "  $2"
}

# The room without the policy shows that the graces are over.
votes_stay_in_a_room_that_keeps_them() {
	local room other
	export AYE_SERVER=$hasty
	other=$("$AYE" room create)
	room=$("$AYE" room create --async --until 2d --quorum 3)
	"$AYE" room vote "$room" 5 --name Ada && "$AYE" room vote "$room" 8 --name Grace || return 1
	"$AYE" show "$room" | grep -q "Ada.*has voted" || return 1
	"$AYE" room vote "$other" 5 --name Ada --for 1s && until_true gone "$other" Ada || return 1
	"$AYE" room show "$room" >"$home/shown"
	grep -q "Ada.*away.*has voted" "$home/shown" && grep -q "Grace.*away.*has voted" "$home/shown" || { cat "$home/shown"; return 1; }
	"$AYE" room vote "$room" 3 --name Linus --wait >"$home/open" || return 1
	cat "$home/open"
	grep -q "Ada 5, Grace 8, Linus 3" "$home/open"
}

# Two people and a bot, who never meet: they agree on one story, are apart on the other, and the host settles.
stories_are_voted_on_together() {
	local room
	room=$("$AYE" room create --async --all) && "$AYE" story add "$room" Refunds --key PAY-1 >/dev/null &&
		"$AYE" story add "$room" Exports --key PAY-2 >/dev/null || return 1
	ends_with 1 "$AYE" vote "$room" 5 --name Ada 2>"$home/err" &&
		grep -q -- "--story STORY is required: no story is at the table" "$home/err" || { cat "$home/err"; return 1; }
	"$AYE" vote "$room" 5 --story PAY-1 --name Ada && "$AYE" vote "$room" 3 --story PAY-2 --name Ada &&
		"$AYE" vote "$room" 8 --story PAY-2 --name estimator --bot && room_shows "$room" "  estimator, a bot, away" || return 1
	"$AYE" vote "$room" 5 --story PAY-1 --name Grace && "$AYE" vote "$room" 13 --story PAY-2 --name Grace || return 1
	"$AYE" story list "$room" --name Grace >"$home/list"
	grep -q "PAY-1 Refunds  (2 voted; you 5)$" "$home/list" && grep -q "PAY-2 Exports  (2 voted; you 13)$" "$home/list" || { cat "$home/list"; return 1; }
	"$AYE" story update "$room" PAY-2 --until 2h >/dev/null && "$AYE" story list "$room" >"$home/list"
	grep -q "PAY-2 Exports  (2 voted; you 3; 1 h left)$" "$home/list" || { cat "$home/list"; return 1; }
	"$AYE" story update "$room" PAY-2 --until none >/dev/null && "$AYE" story list "$room" | grep -q "PAY-2 Exports  (2 voted; you 3)$" || return 1
	"$AYE" story list "$room" --name Grace --json >"$home/json"
	grep -q '"PAY-1".*"is_open":true,"voted":2,"your_vote":"5"}$' "$home/json" || { cat "$home/json"; return 1; }
	"$AYE" reveal "$room" --story PAY-1 >/dev/null && "$AYE" reveal "$room" --story PAY-2 >"$home/open" || return 1
	grep -q "^3  *Ada$" "$home/open" && grep -q "^13  *Grace$" "$home/open" || { cat "$home/open"; return 1; }
	[ "$("$AYE" round settle-all "$room")" = "5  PAY-1 Refunds" ] || return 1
	"$AYE" story list "$room" --json >"$home/json"
	grep -q '"PAY-1".*"estimate":"5"}$' "$home/json" &&
		grep -q '"PAY-2".*"voted":2,"your_vote":"3".*"votes":\[{"vote":"3".*"highest":"13"' "$home/json" || { cat "$home/json"; return 1; }
	"$AYE" story list "$room" >"$home/list"
	grep -q "done .* 5 .*PAY-1 Refunds$" "$home/list" && grep -q "todo .* - .*PAY-2 Exports  (3 to 13; you 3)$" "$home/list" || { cat "$home/list"; return 1; }
}

# A script that makes a room is that member in it from then on; elsewhere it is who it was.
a_room_keeps_the_name_it_was_made_with() {
	local room before
	before=$(default_name) && room=$("$AYE" new --name Xenia | head -1) && AYE_ROOM=$room "$AYE" vote 5 && room_shows "$room" "^  Xenia, host" &&
		AYE_ROOM=$room "$AYE" vote 8 && ! room_shows "$room" "^  Zoe" && [ "$(default_name)" = "$before" ] &&
		room=$("$AYE" new --name Yves --json | sed 's/.*"room_id":"\([^"]*\)".*/\1/') && "$AYE" vote "$room" 3 && room_shows "$room" "^  Yves, host"
}

# A vote does not wait for a host; who waits for the result does.
who_is_in_the_lobby_is_told_so() {
	local room
	room=$("$AYE" room create lobby=on) && mkdir -m 700 "$home/lobby" || return 1
	XDG_STATE_HOME=$home/lobby ends_with 1 "$AYE" vote "$room" 5 --name Mallory 2>"$home/err" &&
		grep -q "^aye: you are in the lobby; a host must admit you$" "$home/err" || { cat "$home/err"; return 1; }
	XDG_STATE_HOME=$home/lobby "$AYE" vote "$room" 5 --name Mallory --wait >"$home/open" 2>"$home/err" &
	until_true grep -q "in the lobby" "$home/err" && "$AYE" admit "$room" Mallory && until_true room_shows "$room" "Mallory.*has voted" &&
		"$AYE" reveal "$room" >/dev/null && wait $! && grep -q "Mallory 5" "$home/open"
}

# Before all that agrees is settled on a terminal, it is named; what lacks a quorum is said.
settling_all_names_what_it_settles() {
	local room story
	room=$("$AYE" room create --async --all --quorum 2) || return 1
	for story in PAY-1 PAY-2 PAY-3; do
		"$AYE" story add "$room" "Story $story" --key $story >/dev/null && "$AYE" vote "$room" 5 --story $story --name Ada >/dev/null || return 1
	done
	"$AYE" story add "$room" "Nobody's" --key PAY-4 >/dev/null && ends_with 1 "$AYE" reveal "$room" --story PAY-4 2>"$home/err" &&
		grep -q "nobody has voted on that story yet" "$home/err" && "$AYE" story remove "$room" PAY-4 >/dev/null || return 1
	"$AYE" vote "$room" 5 --story PAY-1 --name Grace && "$AYE" vote "$room" 5 --story PAY-2 --name Grace && "$AYE" reveal "$room" --story PAY-3 || return 1
	"$AYE" story list "$room" | grep -q "PAY-3 Story PAY-3  (5, 1 of 2 needed" || return 1
	ends_with 5 on_a_terminal "$AYE" settle-all "$room" <<<n >"$home/said" && grep -q "^Settle 2 stories: PAY-1, PAY-2? 1 lacks a quorum \[y/N\] " "$home/said" &&
		on_a_terminal "$AYE" settle-all "$room" <<<y | tr -d '\r' >"$home/said" && grep -q "5  PAY-1 Story PAY-1$" "$home/said" &&
		grep -q "^Settled 2 stories; 1 lacks a quorum.$" "$home/said" &&
		[ "$("$AYE" settle-all "$room")" = "No revealed story on which the votes agree; 1 lacks a quorum." ] || { cat "$home/said"; return 1; }
}

claim "a member sits down and has the name from then on" zoe_sits_down
code=$("$AYE" home | sed -n 's/ .*//p')
claim "a bot touches neither the name nor the seat of its owner" a_bot_touches_neither_name_nor_seat
claim "a name that is given to a verb is no default" a_name_given_to_a_verb_is_no_default
claim "the name goes along to a new room" the_name_goes_along_to_a_new_room
claim "a room keeps the name that one had in it" a_room_keeps_the_name_one_had_in_it
claim "a verb's vote stays until the next round, or as long as it says" a_verbs_vote_stays_until_the_next_round
claim "of two with one name the second gets a number and is told" the_second_grace_is_told
claim "votes stay in a room that keeps them until a quorum reveals" votes_stay_in_a_room_that_keeps_them
claim "stories are voted on together, by verbs" stories_are_voted_on_together
claim "a room keeps the name that it was made with" a_room_keeps_the_name_it_was_made_with
claim "who is in the lobby is told so at once" who_is_in_the_lobby_is_told_so
claim "settling all that agrees names it, and what lacks a quorum" settling_all_names_what_it_settles
