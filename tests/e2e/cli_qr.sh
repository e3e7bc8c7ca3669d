#!/bin/bash
# cli_qr.sh - the QR code of a room's link, read by somebody else's decoder.
. "$(dirname "$0")/cli_kit.bash"

scan() {
	/usr/bin/python3 "$(dirname "$0")/qr_scan.py"
}

# All but the last line is the code.
what_is_printed_is_read_as_the_link() { # ADDRESS
	local code out
	code=$("$AYE" new --share "$1" --insecure-web | head -1)
	out=$("$AYE" qr "$code") || return 1
	echo "$out"
	[[ $(tail -1 <<<"$out") =~ ^"http://127.0.0.1:"[0-9]+"/#$code"$ ]] &&
		[ "$(sed '$d' <<<"$out" | scan)" = "$(tail -1 <<<"$out")" ] && printf '%s' "$code" >"$home/code"
}

# Dark on light, which the rows begin and end with; without that they are the same.
on_a_terminal_it_is_dark_on_light() {
	local rows
	rows=$(on_a_terminal "$AYE" qr "$(cat "$home/code")" | tr -d '\r' | sed '$d')
	[ "$(grep -c $'^\e\[30;107m.*\e\[0m$' <<<"$rows")" = "$(wc -l <<<"$rows")" ] &&
		[ "$(sed $'s/^\e\[30;107m//; s/\e\[0m$//' <<<"$rows")" = "$("$AYE" qr "$(cat "$home/code")" | sed '$d')" ] &&
		NO_COLOR=1 on_a_terminal "$AYE" qr "$(cat "$home/code")" | sed '$d' | grep -q $'^\e\[7m'
}

in_ascii_a_module_is_two_signs() {
	local halves wide
	halves=$("$AYE" qr "$(cat "$home/code")" | head -1)
	wide=$(TERM=linux "$AYE" qr "$(cat "$home/code")" | head -8)
	[ "$(sed -n 5p <<<"$wide" | grep -o '^ *##############  ')" = "        ##############  " ] &&
		[ "$(head -1 <<<"$wide" | wc -c)" = $((2 * $(printf "%s" "$halves" | LC_ALL=C.UTF-8 wc -m) + 1)) ]
}

programs_get_the_link() {
	"$AYE" qr "$(cat "$home/code")" --json | grep -qx "{\"link\":\"http://127.0.0.1:[0-9]*/#$(cat "$home/code")\"}"
}

a_room_that_is_not_there_has_no_code() {
	ends_with 1 "$AYE" qr "$(tr 'A-Y2-8' 'B-Z3-9' <"$home/code")" 2>&1 | grep -q "^aye: "
}

a_server_without_a_page_has_none() {
	start_server plain && ends_with 1 "$AYE" qr "$("$AYE" room create --server "$server")" --server "$server" 2>&1 |
		grep -q "this server has no page for browsers"
}

claim "what is printed is read as the link" what_is_printed_is_read_as_the_link 127.0.0.1:0
claim "on a terminal it is dark on light" on_a_terminal_it_is_dark_on_light
claim "in ASCII a module is two signs" in_ascii_a_module_is_two_signs
claim "programs get the link" programs_get_the_link
claim "a room that is not there has no code" a_room_that_is_not_there_has_no_code
claim "a server without a page has none" a_server_without_a_page_has_none
