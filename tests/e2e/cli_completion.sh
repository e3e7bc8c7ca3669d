#!/bin/bash
# cli_completion.sh - what bash, zsh and fish complete, by their own scripts.
. "$(dirname "$0")/cli_kit.bash"
start_server main || { echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server AYE_NAME=Ada

mkdir -m 700 "$home/grace"
"$AYE" login Ada >/dev/null
XDG_STATE_HOME=$home/grace "$AYE" login Grace >/dev/null
code=$("$AYE" room create --title "Sprint 42" --deck tshirt)
"$AYE" story add "$code" "Pay by card" --key AB-7 >/dev/null
"$AYE" room vote "$code" M --name "Grace Hopper" >/dev/null 2>&1

words() { # WORD...
	"$AYE" completion words -- "$@" | cut -f 1 | tr '\n' ' '
}
offers() { # ANSWER WORD...
	local wanted=$1
	shift
	[ "$(words "$@")" = "$wanted" ] || { words "$@"; false; }
}

verbs_and_their_second_words() {
	offers "room round " ro && offers "serve server settle select settle-all " se && offers "reveal reject reset " room re &&
		offers "get set remove push insert move create delete watch " data '' &&
		offers "room.claim_host " call room.cl && offers "keep kick " help room k &&
		offers "bash zsh fish words " completion '' && offers "" nonsense ''
}

options_that_the_verb_takes() {
	words room vote "$code" 5 -- | grep -q -- '--bot .*--wait' &&
		! words room vote "$code" 5 -- | grep -q -- '--deck' &&
		offers "--deck " room create --title T --de && offers "" room create --deck 1 --de &&
		offers "--watch " export "$code" --w
}

values_of_options() {
	offers "fibonacci fist " new --deck f && offers "--deck=fist " new --deck=fis &&
		offers "contrast " new --theme c && offers "todo done skipped " story update "$code" 1 --status '' &&
		offers "csv jira github gitlab json md html text " export "$code" --format '' &&
		offers "lines md csv tsv json jsonl " story import "$code" - --format '' &&
		offers "<file> " export "$code" -o x --output=''
}

rules_and_what_they_may_be() {
	offers "who_reveals= who_resets= " room policy "$code" who_re &&
		offers "who_reveals=host who_reveals=everyone " room policy "$code" who_reveals= &&
		offers "lobby=on lobby=off " room policy "$code" locked=on lobby=o
}

codes_stories_members_and_cards() {
	offers "$code " join '' && offers "Pay by card " story select "$code" P &&
		offers "Grace Hopper " room kick "$code" G && offers "XS S M L XL XXL ? " room vote "$code" '' &&
		offers "AB-7 Pay by card " story move "$code" 2 --before ''
}

questions_that_may_be_meant() {
	local mine waits
	mine=$("$AYE" ask "Ship it today?" -o yes -o no)
	waits=$(XDG_STATE_HOME=$home/grace "$AYE" ask "What would you call it?")
	offers "$waits " answer '' && offers "$mine " question cancel q_ && offers "$mine " question watch '' &&
		offers "$mine $waits " question show '' && "$AYE" completion words -- answer q_ | grep -q "^$waits	What would" &&
		offers "technical " ask why --audience t && offers "--audience=product " ask why --audience technical --audience=pro && offers "--audience " ask why --audience product --au &&
		offers "closed cancelled " question mine --status c &&
		offers "open partial " question list --status ''
}

teams_and_what_is_in_them() {
	"$AYE" team new "Pay ments" Pantry >/dev/null && "$AYE" item add Pantry "Oat milk" >/dev/null || return 1
	offers "Pay ments " team show P && offers "Pay ments " new --team '' && offers "Ada " team role "Pay ments" '' &&
		offers "deck= " team set "Pay ments" de && offers "deck=fibonacci deck=fist " team set "Pay ments" timer=5m deck=fi &&
		offers "who_reveals=everyone " team set "Pay ments" who_reveals=e && offers "owner " team role "Pay ments" Ada o && offers "Pantry " backlog show '' && offers "Oat milk " item set Pantry O &&
		offers "" item set Nowhere O && offers "" team join '' && offers "list renew revoke Pay ments " invite '' &&
		offers "lines md csv tsv json jsonl " backlog import Pantry - --format ''
}

no_server_is_started_nor_a_seat_taken() (
	seats=$("$AYE" room show "$code" --json | grep -o '"user_id"' | wc -l)
	words room kick "$code" '' >/dev/null
	[ "$("$AYE" room show "$code" --json | grep -o '"user_id"' | wc -l)" = "$seats" ] || return 1
	unset AYE_SERVER
	[ -z "$(words room kick "$code" '' 2>&1)" ] && [ -z "$(private_pid)" ]
)

bash_completes() { # ANSWER WORD... with the cursor behind the last
	local wanted=$1 COMP_WORDS COMP_CWORD COMPREPLY
	shift
	COMP_WORDS=("$AYE" "$@") COMP_CWORD=$#
	_aye "$AYE" "${*: -1}" ""
	[ "${COMPREPLY[*]}" = "$wanted" ] || { printf '%s\n' "$@" "${COMPREPLY[@]}"; false; }
}

in_bash() {
	eval "$("$AYE" completion bash)" || return 1
	bash_completes room roo && bash_completes "reveal reject reset" room re &&
		bash_completes contrast new --theme c && bash_completes 'Grace\ Hopper' room kick "$code" 'Grace\ H' &&
		bash_completes "host everyone" room policy "$code" who_reveals = &&
		bash_completes "host" room policy "$code" who_reveals = h &&
		bash_completes "fist" new --deck = fis
}

in_zsh() {
	cat >"$home/zsh" <<-'END'
		compdef() { :; }
		_describe() { local name=$2; print -rl -- "${(@P)name}"; }
		_files() { print -r -- files; }
		source $1
		shift
		words=("$@") CURRENT=$# PREFIX=$words[-1]
		_aye
	END
	"$AYE" completion zsh >"$home/_aye"
	zsh -fn "$home/_aye" || return 1
	[ "$(zsh -f "$home/zsh" "$home/_aye" "$AYE" room vi)" = "" ] &&
		zsh -f "$home/zsh" "$home/_aye" "$AYE" room vo | grep -q '^vote:Vote' &&
		[ "$(zsh -f "$home/zsh" "$home/_aye" "$AYE" room kick "$code" 'Grace\ H')" = "Grace Hopper:host" ] &&
		[ "$(zsh -f "$home/zsh" "$home/_aye" "$AYE" export "$code" --output '')" = files ]
}

fish_says() { # LINE
	fish --no-config -c 'source $argv[1]; function aye; command $AYE $argv; end; complete -C $argv[2]' "$home/aye.fish" "$1"
}

in_fish() {
	"$AYE" completion fish >"$home/aye.fish"
	fish --no-execute "$home/aye.fish" || return 1
	fish_says "aye room vo" | grep -qP '^vote\tVote' && fish_says "aye room kick $code Gr" | grep -qP '^Grace\\? Hopper\thost$' &&
		[ "$(fish_says "aye new --theme c")" = contrast ]
}

bash_is_clean() {
	{ echo '#!/bin/bash'; "$AYE" completion bash; } >"$home/aye.bash"
	shellcheck -s bash "$home/aye.bash"
}

claim "verbs, their second words, methods and shells are completed" verbs_and_their_second_words
claim "options are those that the verb takes and has not got yet" options_that_the_verb_takes
claim "decks, themes, formats and files are values of options" values_of_options
claim "rules are completed, and what they may be" rules_and_what_they_may_be
claim "codes, stories, members and cards are those of the rooms" codes_stories_members_and_cards
claim "questions are those that may be answered, or one's own" questions_that_may_be_meant
claim "teams are offered to who is logged in, and what is in them" teams_and_what_is_in_them
claim "no server is started for a key that is pressed, and no seat taken" no_server_is_started_nor_a_seat_taken
claim "bash completes" in_bash
claim "zsh completes" in_zsh
claim "fish completes" in_fish
claim "shellcheck has nothing to say on the script for bash" bash_is_clean
