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
	ends_with 2 "$AYE" new 127.0.0.1:0 2>&1 | grep -q "behind --share"
}

the_printed_line_leads_a_colleague_in() {
	local out code line
	out=$("$AYE" new --share 127.0.0.1:0 --title Sprint) || return 1
	echo "$out"
	code=$(sed -n 1p <<<"$out")
	line=$(sed -n 2p <<<"$out")
	[ "${#code}" = 8 ] && [[ $line =~ ^"aye join $code --server tls://127.0.0.1:"[0-9]+"#SHA256:"[A-Za-z0-9+/]{43}$ ]] &&
		grep -q '^Where only ssh leads here: ssh -NL 2937:127.0.0.1:[0-9]* HOST, and then$' <<<"$out" &&
		grep -qx "aye join $code --server tls://localhost:2937#${line#*#}" <<<"$out" &&
		follow "${line/join/room show}" | grep -q "^Room $code: Sprint" &&
		follow "${line/join "$code"/react "$code" hello}" --name Grace &&
		[ -z "$(servers_of "$home/grace")" ] && printf '%s' "$line" >"$home/line"
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

what_cannot_be_is_said() {
	local port
	port=$(sed 's/#.*//; s/.*://' "$home/line")
	ends_with 1 "$AYE" serve poker.example.org 2>&1 | grep -q "^aye: address: has to be a number" &&
		ends_with 1 "$AYE" serve 192.0.2.1 2>&1 | grep -q "this machine has no such address" &&
		XDG_STATE_HOME=$home/state2 XDG_RUNTIME_DIR=$home/run2 ends_with 1 "$AYE" serve "127.0.0.1:$port" 2>&1 |
		grep -q "another program has the port"
}

mkdir -m 700 "$home/state2" "$home/run2"
claim "on a server that is not shared the line is the code alone" not_shared_it_says_only_the_code
claim "a word without --share is refused" a_word_without_share_is_refused
claim "the printed line leads a colleague in, and starts no server" the_printed_line_leads_a_colleague_in
claim "new codes have eight characters, and the line its address" new_codes_are_longer
claim "the same address again is no error" the_same_again_is_the_same_address
claim "a colleague cannot share it" a_colleague_cannot_share_it
claim "what cannot be shared is said" what_cannot_be_is_said
