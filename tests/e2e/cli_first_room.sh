#!/bin/bash
# cli_first_room.sh - what the rooms of a team start with, asked by aye new --team before the first one.
. "$(dirname "$0")/cli_kit.bash"
start_server main || { echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server
"$AYE" login Ada >/dev/null

# The screen is plain, and ends with the answers; each line of them is typed at a terminal.
new_room() { # ANSWERS ARGUMENT...
	local answers=$1
	shift
	printf '%b' "$answers" | on_a_terminal "$AYE" new --plain "$@" | tr -d '\r'
}
keeps() { # TEAM SETTING...
	local team=$1 settings setting
	shift
	settings=$("$AYE" team settings "$team")
	for setting in "$@"; do
		grep -qx -- "$setting" <<<"$settings" || { echo "no $setting in: $settings"; return 1; }
	done
}
room_of() { # TEAM
	"$AYE" team rooms "$1" | grep -oE '[A-Z0-9]{6,16}' | head -n 1
}
QUESTION='This is the first room of'
asks() { # WORD...: the output is on standard input
	grep -q "$QUESTION"
}
asks_not() {
	! asks
}

answers_are_kept_for_all_rooms() {
	"$AYE" team new Pay >/dev/null &&
		new_room 'fibonacci\nhttps://example.org/{key}\n5m\ny\n2d\nwho_reveals=everyone lobby=on\n' --team Pay | asks &&
		keeps Pay deck=fibonacci 'link_template=https://example.org/{key}' timer=5m reveal_in=2d open_stories=on \
			keep_votes=on who_reveals=everyone lobby=on reactions=default &&
		[ "$("$AYE" room links "$(room_of Pay)")" = 'https://example.org/{key}' ]
}
they_are_asked_once() {
	new_room '' --team Pay | asks_not
}
enter_takes_what_is_offered() {
	"$AYE" team new Enter >/dev/null && new_room '\n\n\n\n\n\n' --team Enter | asks &&
		keeps Enter deck=guesstimator link_template=none timer=none reveal_in=none open_stories=off who_reveals=host &&
		new_room '' --team Enter | asks_not
}
ctrl_d_skips_the_rest() {
	"$AYE" team new Skip >/dev/null && new_room '\004' --team Skip | asks && keeps Skip deck=default && [ -n "$(room_of Skip)" ] &&
		"$AYE" team new Half >/dev/null && new_room 'tshirt\n\n\004' --team Half | asks && keeps Half deck=tshirt timer=none &&
		[ -n "$(room_of Half)" ]
}
what_is_no_answer_is_asked_again() {
	local told
	"$AYE" team new Again >/dev/null &&
		told=$(new_room 'fibonaci\nfibonacci\n\n5x\n5m\n\n\nlobby=on who_reveals=all\nlocked=off\n' --team Again) &&
		grep -q 'fibonaci is not a deck; did you mean fibonacci?' <<<"$told" && grep -q '5x is not a time' <<<"$told" &&
		grep -q 'who_reveals must be host or everyone' <<<"$told" && keeps Again deck=fibonacci timer=5m lobby=off
}
scripts_are_not_asked() {
	"$AYE" team new Script >/dev/null && "$AYE" new --team Script </dev/null | asks_not && keeps Script deck=default &&
		"$AYE" team new Json >/dev/null && on_a_terminal "$AYE" new --team Json --json </dev/null | asks_not && keeps Json deck=default
}
who_says_what_the_room_is_to_be_is_not_asked() {
	"$AYE" team new Told >/dev/null && new_room '' --team Told --deck fist | asks_not && keeps Told deck=default
}
a_member_is_not_asked() {
	local code
	"$AYE" team new Members >/dev/null && code=$("$AYE" invite Members --ends 1d | grep -oE '[A-Z0-9]{4}(-[A-Z0-9]{4}){4}' | head -n 1) || return 1
	local XDG_STATE_HOME=$home/grace
	mkdir -m 700 "$XDG_STATE_HOME"
	"$AYE" login Grace >/dev/null && "$AYE" team join "$code" >/dev/null && new_room '' --team Members | asks_not
}
claim "answers are kept for all rooms of the team, and the first has them" answers_are_kept_for_all_rooms
claim "they are asked once" they_are_asked_once
claim "Enter takes what is offered, and that is an answer as well" enter_takes_what_is_offered
claim "Ctrl-D skips the rest, and the room is made" ctrl_d_skips_the_rest
claim "what is no answer is asked again, and nothing of it is kept" what_is_no_answer_is_asked_again
claim "scripts are not asked" scripts_are_not_asked
claim "who says what the room is to be is not asked" who_says_what_the_room_is_to_be_is_not_asked
claim "a member is not asked" a_member_is_not_asked
