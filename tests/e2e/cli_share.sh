#!/bin/bash
# cli_share.sh - two people with directories of their own: one shares a private server, the other comes by the printed line.
. "$(dirname "$0")/cli_kit.bash"

as_grace() { # COMMAND...
	mkdir -p -m 700 "$home/grace" "$home/grace/state" "$home/grace/run"
	HOME=$home/grace XDG_STATE_HOME=$home/grace/state XDG_RUNTIME_DIR=$home/grace/run USER=grace "$@"
}

# The printed line, with $AYE for aye and more words behind it.
follow() { # LINE WORD...
	local -a words
	read -r -a words <<<"$1"
	shift
	[ "${words[0]}" = aye ] && as_grace "$AYE" "${words[@]:1}" "$@"
}

not_shared_it_says_only_the_code() {
	local out
	out=$("$AYE" new) && [ "$(sed -n 2p <<<"$out")" = "aye join $(head -1 <<<"$out")" ] &&
		[ "$(wc -l <<<"$out")" = 2 ] && [ "$("$AYE" call server.share)" = '{"addresses":[]}' ]
}

a_word_without_share_is_refused() {
	ends_with 2 "$AYE" new 127.0.0.1:0 2>&1 | grep -q "after --share"
}

the_printed_line_leads_a_colleague_in() {
	local out code line
	out=$("$AYE" new --share 127.0.0.1:0 --title Sprint) || return 1
	echo "$out"
	code=$(sed -n 1p <<<"$out")
	line=$(sed -n 2p <<<"$out")
	[ "${#code}" = 8 ] && [[ $line =~ ^"aye join $code --server tls://127.0.0.1:"[0-9]+"#SHA256:"[A-Za-z0-9+/]{22}$ && ${#line} -lt 80 ]] &&
		grep -q '^With ssh access only: run ssh -NL 2937:127.0.0.1:[0-9]* HOST, then$' <<<"$out" &&
		grep -qx "aye join $code --server tls://localhost#${line#*#}" <<<"$out" &&
		follow "${line/join/room show}" | grep -q "^Room $code: Sprint" &&
		follow "${line/join "$code"/react "$code" hello}" --name Grace &&
		[ -z "$(servers_of "$home/grace")" ] && printf '%s' "$line" >"$home/line"
}

grace_is_there() { # CODE SERVER
	as_grace "$AYE" room show "$1" --json --server "$2" | grep -q '"username":"Grace",[^}]*"is_connected":true'
}

grace_is_away() { # CODE SERVER
	! grace_is_there "$@"
}

# Who types that on a terminal of her own is in the room until she quits.
is_led_in() { # CODE SERVER LINE COMMAND...
	local code=$1 server=$2 line=$3 typed failed=0
	shift 3
	mkfifo "$home/typed"
	as_grace on_a_terminal "$AYE" "$@" --plain --name Grace <"$home/typed" >"$home/joined" 2>&1 &
	exec {typed}>"$home/typed"
	rm "$home/typed"
	echo "$line" >&"$typed"
	until_true grace_is_there "$code" "$server" || failed=1
	echo quit >&"$typed"
	exec {typed}>&-
	wait "$!" && until_true grace_is_away "$code" "$server" && return "$failed"
}

# As one word of aye join, and at home, where a line is read at a time: whole, broken before its option and within its pin.
it_is_taken_however_it_is_pasted() {
	local line code server pasted
	line=$(cat "$home/line")
	server=${line##* }
	read -r _ _ code _ <<<"$line"
	for pasted in "$line" "\$ ${line/ --/ \\$'\n'>     --}" "${line%????}\\"$'\n'"${line: -4}"; do
		is_led_in "$code" "$server" "" join "$code"$'\n'"$pasted"$'\n'"$line" && is_led_in "$code" "$server" "$pasted" home || return 1
	done
	[ -z "$(servers_of "$home/grace")" ]
}

new_codes_are_longer() {
	local code
	code=$("$AYE" room create) && [ "${#code}" = 8 ] && "$AYE" new | sed -n 2p | grep -q -- "--server tls://127.0.0.1:"
}

the_same_again_is_the_same_address() {
	local first
	first=$("$AYE" serve 127.0.0.1:0 --json) && [ "$first" = "$("$AYE" serve 127.0.0.1:0 --json)" ] &&
		[ "$first" = "$("$AYE" call server.share)" ] &&
		"$AYE" serve 127.0.0.1:0 | grep -q "^export AYE_SERVER=tls://127.0.0.1:"
}

a_colleague_cannot_share_it() {
	follow "aye serve --server $(sed 's/.*--server //' "$home/line")" 2>&1 | grep -q "only the server's own user"
}

# The link, and the fingerprint of its certificate as browsers show it.
browsers_get_a_link_and_a_fingerprint_to_compare() {
	local out code link told
	out=$("$AYE" new --share 127.0.0.1:0 --web) || return 1
	echo "$out"
	code=$(sed -n 1p <<<"$out")
	link=$(sed -n 3p <<<"$out")
	told=$(sed -n '5,6s/^  //p' <<<"$out" | paste -sd:)
	[[ $link =~ ^"https://127.0.0.1:"[0-9]+"/#$code"$ ]] && printf '%s' "$link" >"$home/link" &&
		grep -qx "A browser warns once. Compare the certificate's SHA-256 fingerprint:" <<<"$out" &&
		[ "$told" = "$(certificate_of "${link#https://}")" ] && page_of "$link" | grep -qi '<!doctype html>'
}

# As openssl prints it.
certificate_of() { # HOST:PORT/...
	openssl s_client -connect "${1%%/*}" </dev/null 2>/dev/null | openssl x509 -noout -fingerprint -sha256 | sed 's/.*=//'
}

# A browser asks for what stands before the #, after its person has said that the certificate is the right one.
page_of() { # LINK
	/usr/bin/python3 - "${1%%#*}" <<-'END'
		import ssl, sys, urllib.request
		trusting = ssl._create_unverified_context()
		sys.stdout.write(urllib.request.urlopen(sys.argv[1], context=trusting).read().decode())
	END
}

every_invitation_has_the_link_from_then_on() {
	local page
	page=$(sed 's/#.*//' "$home/link")
	"$AYE" new | grep -q "^$page#" && "$AYE" call server.share | grep -qF "\"web\":\"$page\"" &&
		"$AYE" new --json | grep -qF "\"link\":\"$page#" && "$AYE" serve 127.0.0.1:0 --json | grep -qF "\"web\":\"$page\"" &&
		"$AYE" serve 127.0.0.1:0 | grep -qx "In a browser: $page" &&
		[ "$("$AYE" serve 127.0.0.1:0 --web --json)" = "$("$AYE" call server.share)" ]
}

a_colleague_sees_the_link_without_the_warning_of_ours() {
	local line code
	line=$(cat "$home/line")
	read -r _ _ code _ <<<"$line"
	follow "${line/join/qr}" | tail -1 | grep -qx "$(sed 's/#.*//' "$home/link")#$code" &&
		printf 'name Grace\ninvite\nquit\n' | follow "$line" --plain --name Grace >"$home/told" &&
		[ "$(grep -Fx -A1 "$line" "$home/told" | tail -1)" = "$(sed 's/#.*//' "$home/link")#$code" ] && ! grep -q warns "$home/told"
}

a_question_has_a_link_for_programs_and_for_a_person() {
	local asked id link
	asked=$("$AYE" ask "Ship it today?" -o yes -o no --name Ada --json) || return 1
	id=$(sed 's/.*"question_id":"\([^"]*\)".*/\1/' <<<"$asked")
	link="$(sed 's/#.*//' "$home/link")#$id"
	grep -qF "\"link\":\"$link\"" <<<"$asked" &&
		[[ $("$AYE" ask "Ship it tomorrow?" -o yes -o no --name Ada) =~ ^q_[A-Z0-9]+$ ]] &&
		on_a_terminal "$AYE" ask "Ship it at all?" -o yes -o no --name Ada | tr -d '\r' | grep -q "^${link%#*}#q_[A-Z0-9]*$"
}

without_encryption_it_has_to_be_said() {
	local link
	link=$("$AYE" new --share 127.0.0.1:0 --insecure-web | sed -n 3p)
	[[ $link =~ ^"http://127.0.0.1:"[0-9]+"/#" ]] && page_of "$link" | grep -qi '<!doctype html>' &&
		! "$AYE" new | grep -q warns &&
		ends_with 2 "$AYE" new --web 2>&1 | grep -q "^aye: --web needs --share" &&
		ends_with 2 "$AYE" new --share --web --insecure-web 2>&1 | grep -q "not both"
}

what_cannot_be_is_said() {
	local port
	port=$(sed 's/#.*//; s/.*://' "$home/line")
	ends_with 1 "$AYE" serve poker.example.org 2>&1 | grep -q "^aye: address: must be a number" &&
		ends_with 1 "$AYE" serve 192.0.2.1 2>&1 | grep -q "this machine has no such address" &&
		XDG_STATE_HOME=$home/state2 XDG_RUNTIME_DIR=$home/run2 ends_with 1 "$AYE" serve "127.0.0.1:$port" 2>&1 |
		grep -q "another program uses the port"
}

# Who is in a room stays; nobody else comes, and an invitation is the code alone again.
unshared_it_is_for_this_machine_alone() {
	local line code server watcher
	line=$("$AYE" new --share 127.0.0.1:0 --title Sprint | sed -n 2p)
	read -r _ _ code _ server <<<"$line"
	as_grace "$AYE" watch "$code" --server "$server" >"$home/watched" 2>"$home/watched.err" &
	watcher=$!
	until_true grep -q "^Room $code" "$home/watched" &&
		follow "aye unshare --server $server" 2>&1 | grep -q "only the server's own user" &&
		[ "$("$AYE" unshare)" = "Sharing stopped: only this machine can join; open connections stay." ] &&
		[ "$("$AYE" unshare --json)" = '{"addresses":[]}' ] &&
		(ends_with 3 follow "aye server ping --server $server" --timeout 5) 2>"$home/err" &&
		"$AYE" react "$code" hello --name Ada && until_true grep -q hello "$home/watched" && [ ! -s "$home/watched.err" ] &&
		[ "$("$AYE" new | wc -l)" = 2 ] && kill "$watcher" && printf 'share 127.0.0.1:0\nunshare\nunshare\nquit\n' |
		"$AYE" join "$code" --plain --name Ada >"$home/told"
	cat "$home/told"
	grep -q "^aye join $code --server tls://127.0.0.1:" "$home/told" &&
		grep -qx "Sharing stopped: only this machine can join; open connections stay." "$home/told" &&
		grep -qx "Your server is not shared." "$home/told" && [ "$("$AYE" call server.share)" = '{"addresses":[]}' ]
}

mkdir -m 700 "$home/state2" "$home/run2"
claim "on a server that is not shared the line is the code alone" not_shared_it_says_only_the_code
claim "a word without --share is refused" a_word_without_share_is_refused
claim "the printed line leads a colleague in, and starts no server" the_printed_line_leads_a_colleague_in
claim "it is taken however it is pasted, and starts no server" it_is_taken_however_it_is_pasted
claim "new codes have eight characters, and the line its address" new_codes_are_longer
claim "the same address again is no error" the_same_again_is_the_same_address
claim "a colleague cannot share it" a_colleague_cannot_share_it
claim "browsers get a link, and a fingerprint to compare" browsers_get_a_link_and_a_fingerprint_to_compare
claim "every invitation has the link from then on" every_invitation_has_the_link_from_then_on
claim "a colleague sees the link, without the warning of ours" a_colleague_sees_the_link_without_the_warning_of_ours
claim "a question has a link, for programs and for a person" a_question_has_a_link_for_programs_and_for_a_person
claim "without encryption it has to be said" without_encryption_it_has_to_be_said
claim "what cannot be shared is said" what_cannot_be_is_said
claim "unshared, it is for this machine alone; who is there stays" unshared_it_is_for_this_machine_alone
