#!/bin/bash
# data_login.sh - one user on every connection: names, keys, tokens, and their end.
. "$(dirname "$0")/cli_kit.bash"
start_server main || { echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server
other=$home/other guest=$home/guest
mkdir -m 700 "$other" "$guest"
mkdir -m 700 "$other/aye"

as() { # STATE COMMAND...
	local state=$1
	shift
	XDG_STATE_HOME=$state "$@"
}
login_file() {
	echo "${1:-$XDG_STATE_HOME}"/aye/logins/*.json
}
token_of() {
	sed -n 's/.*"token": "\([^"]*\)".*/\1/p' "$(login_file "$@")"
}
user_of() {
	"$AYE" whoami --json | sed 's/.*"user_id":"\([^"]*\)".*/\1/'
}
# A token of the right form that no session has.
spoil_token() {
	sed -i 's/"token": "[^"]*"/"token": "'"$(printf 'A%.0s' {1..43})"'"/' "$(login_file "$@")"
}

logs_in() {
	[ "$("$AYE" login Ada)" = "logged in as Ada" ] &&
		"$AYE" whoami | grep -q "^Ada (user [0-9A-Z]*), until [0-9:]* if idle$"
}

secrets_stay() {
	local key
	key=$(sed -n 's/.*"seed": "\([^"]*\)".*/\1/p' "$XDG_STATE_HOME/aye/identity.json")
	"$AYE" login Ada --json >"$home/out" 2>&1
	"$AYE" whoami --json >>"$home/out" 2>&1
	[ ${#key} = 64 ] && [ "$(token_of | wc -c)" = 44 ] && ! grep -q -e "$(token_of)" -e "$key" "$home/out" &&
		[ "$(stat -c %a "$(login_file)")" = 600 ] && ! grep -q -e "$(token_of)" "$home/main.log"
}

second_guest_is_refused() {
	as "$guest" "$AYE" login Grace --guest && as "$other" ends_with 1 "$AYE" login Grace --guest --json 2>"$home/err" &&
		grep -q '"code":"NAME_TAKEN"' "$home/err" &&
		as "$other" ends_with 1 "$AYE" login "GRACE" --guest && as "$other" ends_with 1 "$AYE" login Ada
}

same_key_takes_over() {
	local user
	user=$(user_of)
	cp "$XDG_STATE_HOME/aye/identity.json" "$home/kept.json"
	[ ! -e "$other/aye/identity.json" ] || rm "$other/aye/identity.json"
	cp "$home/kept.json" "$other/aye/identity.json"
	as "$other" "$AYE" login Ada && [ "$(as "$other" user_of)" = "$user" ] && [ "$(user_of)" = "$user" ]
}

key_is_for_one_address() { # the same server under two addresses is two, but on purpose
	local user beside=$home/beside
	user=$(user_of)
	ln -s "${server#unix:}" "$home/alias.sock"
	mkdir -m 700 "$beside" "$beside/aye"
	cp "$XDG_STATE_HOME/aye/identity.json" "$beside/aye/identity.json"
	as "$beside" ends_with 1 "$AYE" login Ada --server "unix:$home/alias.sock" 2>"$home/err" &&
		grep -q "that name is taken" "$home/err" || return 1
	as "$beside" "$AYE" login Ada --server "unix:$home/alias.sock" --same-as "$server" &&
		[ "$(AYE_SERVER=unix:$home/alias.sock as "$beside" user_of)" = "$user" ] || return 1
	# From then on, also without being told.
	as "$beside" "$AYE" login Ada --server "unix:$home/alias.sock" &&
		[ "$(AYE_SERVER=unix:$home/alias.sock as "$beside" user_of)" = "$user" ] && [ "$(user_of)" = "$user" ]
}

same_as_is_checked() {
	ends_with 2 "$AYE" login Ada --same-as nowhere && ends_with 2 "$AYE" login Ada --guest --same-as "$server"
}

tokens_survive() {
	local before
	"$AYE" login Ada
	before=$(token_of)
	"$AYE" whoami && "$AYE" server ping && [ "$(token_of)" = "$before" ]
}

lapsed_is_renewed() {
	local user before
	user=$(user_of)
	spoil_token
	before=$(token_of)
	[ "$(user_of)" = "$user" ] && [ "$(token_of)" != "$before" ] && [ "$(token_of | wc -c)" = 44 ] || return 1
	spoil_token
	[ "$("$AYE" room vote "$code" 3 --json 2>&1)" = '{"has_vote":true}' ] && [ "$(token_of)" != "$before" ]
}

lapsed_guest_is_nobody() {
	spoil_token "$guest"
	as "$guest" ends_with 1 "$AYE" whoami && [ ! -e "$(login_file "$guest")" ] &&
		as "$guest" "$AYE" room show "$code"
}

sits_down_as_the_user() {
	local user
	user=$(user_of)
	"$AYE" room vote "$code" 5 && "$AYE" room show "$code" | grep -q "^  Ada" &&
		"$AYE" room show "$code" --json | grep -q '"user_id":"'"$user"'","username":"Ada"' &&
		"$AYE" whoami | grep -q "^in room $code$" && "$AYE" whoami --json | grep -q '"rooms":\["'"$code"'"\]'
}

told_name_sits_beside() {
	"$AYE" room vote "$code" 8 --name Linus && "$AYE" room show "$code" | grep -q "^  Linus" &&
		"$AYE" room show "$code" | grep -q "^  Ada"
}

# A program of one's own is not oneself, whatever it is called.
bot_sits_beside() {
	local room name
	room=$(as "$guest" "$AYE" room create) && as "$guest" "$AYE" room policy "$room" auto_reveal=off && "$AYE" room vote "$room" 3 || return 1
	for name in "--name Ada" ""; do
		"$AYE" room vote "$room" 8 --bot $name && AYE_NAME=Ada "$AYE" room vote "$room" 8 --bot || return 1
	done
	"$AYE" room show "$room" >"$home/shown"
	cat "$home/shown"
	grep "^  Ada" "$home/shown" | grep -v "a bot" | grep -q "has voted" && [ "$(grep -c "^  Ada.*, a bot, " "$home/shown")" = 1 ] &&
		[ "$("$AYE" room show "$room" --json | grep -o '"user_id":"'"$(user_of)"'"' | wc -l)" = 1 ]
}

keeps_its_seat() {
	local room
	room=$(as "$guest" "$AYE" room create) && as "$guest" "$AYE" room policy "$room" auto_reveal=off &&
		"$AYE" room vote "$room" 5 && "$AYE" story add "$room" Refund && "$AYE" story list "$room" | grep -q Refund &&
		"$AYE" room show "$room" | grep -q "^  Ada, .*has voted"
}

goes_as_it_came() {
	local room
	room=$(as "$guest" "$AYE" room create) && "$AYE" story add "$room" Refund && ! "$AYE" room show "$room" | grep -q "^  Ada"
}

logout_frees() {
	local user
	"$AYE" logout && [ ! -e "$(login_file)" ] && ends_with 1 "$AYE" whoami && "$AYE" logout &&
		as "$guest" "$AYE" login Ada --guest && as "$guest" "$AYE" logout && "$AYE" login Ada
}

another_name_frees_the_first() {
	"$AYE" login Countess && "$AYE" whoami | grep -q "^Countess " && as "$guest" "$AYE" login Ada --guest
}

survives_the_server() {
	end_server && start_server main && "$AYE" whoami | grep -q "^Countess "
}

odd_names_are_refused() {
	ends_with 2 "$AYE" login "" && ends_with 2 "$AYE" login $'\xff' && ends_with 2 "$AYE" login &&
		ends_with 1 "$AYE" login $'a\e[2Jb' 2>"$home/err" && ! grep -q $'\e' "$home/err"
}

code=$("$AYE" room create)
claim "a login is told by whoami" logs_in
claim "neither token nor key is printed, and the file is its owner's" secrets_stay
claim "a name in use is refused to a guest and to another key" second_guest_is_refused
claim "the same key takes its name over, as the same user" same_key_takes_over
claim "a key is for one address, and for another where that is asked for" key_is_for_one_address
claim "another server's key needs an address, and a login that is no guest's" same_as_is_checked
claim "a token serves one run after another" tokens_survive
claim "a login sits down under its name and user, and whoami lists the room" sits_down_as_the_user
claim "another name that is told sits down beside it" told_name_sits_beside
claim "a bot sits down beside the login of its owner, under that name as well" bot_sits_beside
claim "who only does something in a room keeps the seat, the name and the vote" keeps_its_seat
claim "who did not sit there is not left sitting" goes_as_it_came
claim "a lapsed session of a key is begun anew without a word" lapsed_is_renewed
claim "a lapsed guest is nobody, and goes on" lapsed_guest_is_nobody
claim "logout frees the name" logout_frees
claim "a login under another name frees the first" another_name_frees_the_first
claim "a session survives the server's restart" survives_the_server
claim "what is no name is refused" odd_names_are_refused
