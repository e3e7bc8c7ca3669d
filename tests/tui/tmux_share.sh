#!/bin/bash
# tmux_share.sh - a private server is shared from the waiting screen, and a colleague
# with directories of their own types the line that stands there.
#
# usage: AYE=path/to/aye AYED=path/to/ayed tmux_share.sh
set -u

. "$(dirname "$0")/tmux_kit.bash"

end_own_servers() {
	local pid
	for pid in $(servers_of "$dir"); do
		kill "$pid" 2>/dev/null && tail --pid="$pid" -f /dev/null
	done
}
finish_all() {
	mux kill-server 2>/dev/null
	end_own_servers
	finish
}
trap finish_all EXIT

code_of() {
	screen "$1" | sed -n '1s/^ aye · \([A-Z0-9]*\) .*/\1/p'
}

echo 1..10
unset AYE_SERVER
export XDG_RUNTIME_DIR=$dir/run
mkdir -m 700 "$XDG_RUNTIME_DIR" "$dir/run2"

enter ada 80 24 new
until_shown ada 'Only you can reach this server.' 'O to open it to others.'
told $? 'on a server that is not shared the waiting screen says so, and which key shares'

hit ada I && until_shown ada "aye join $(code_of ada)"
told $? 'the invitation is shown at any time'

hit ada O && until_shown ada 'All addresses' && hit ada O && until_shown ada 'Address [all]:' && typed ada '192.0.2.1'
until_shown ada 'no such address'
told $? 'an address that is not of this machine is refused'

hit ada C-u && typed ada "127.0.0.1:0"
until_shown ada 'Shared. Press I for the join command' "aye join $(code_of ada) --server tls://127.0.0.1:" 'ssh -NL 2937:127.0.0.1:'
told $? 'shared, it shows every way in'

# What a camera sees on the screen: all that is no half of a module stands beside the code.
scanned() { # WINDOW
	screen "$1" | sed 's/[^ ▀▄█].*//' | /usr/bin/python3 "$(dirname "$0")/../e2e/qr_scan.py"
}

hit ada O && until_shown ada 'All addresses' && hit ada O && until_shown ada 'Address [all]:' && typed ada 'web 127.0.0.1:0' &&
	until_shown ada 'Q for a QR code' "or open https://127.0.0.1:" && hit ada Q &&
	until_shown ada 'Scan the code, or open' 'A browser warns once' &&
	[ "$(scanned ada)" = "$(screen ada | grep -o 'https://127.0.0.1:[0-9]*/#.*')" ] && hit ada Q && until_shown ada 'waiting for you'
told $? 'browsers are let in as well, by a code that a camera reads off the screen'

# A line that is wider than the screen goes on in the next row, behind a backslash.
line=$(screen ada | sed -e ':a' -e '/\\$/N; s/\\\n//; ta' | sed -n 's/^ *aye join \(.* --server tls:\/\/127.*\)$/\1/p' | head -1)
mux set-environment -g XDG_RUNTIME_DIR "$dir/run2"
# shellcheck disable=SC2086 # words of a command
enter grace 80 24 join $line
until_shown grace '2 here' 'ada ★' && until_shown ada '2 here' 'grace'
told $? 'a colleague comes in by the line on the screen, and starts no server'

hit ada I && until_shown ada "aye join ${line%% *} --server" "${line##* }" &&
	hit grace I && until_shown grace "aye join ${line%% *} --server" "${line##* }" && [ ! -e "$dir/run2/aye/ayed.sock" ]
told $? 'both have the line to pass on'

hit ada O && until_shown ada 'All addresses' 'This machine only' && hit ada End Enter &&
	until_shown ada 'Sharing stopped: only this machine can join;' '2 here' && hit ada O && until_shown ada 'This machine only' '   now'
told $? 'by the list it is for this machine alone again, and who is there stays'

# ada at a shell beside her screen.
stopped=$(as ada serve --stop --yes)
[[ $stopped == 'Your own server was stopped; its rooms are kept.'* ]] && until_shown ada 'Your own server was stopped. Any command that needs it starts it again' &&
	until_shown grace 'Connection lost: the server was stopped. Retrying' '× lost'
told $? 'when she stops her server, both read that, and not only that the connection is lost'

# A try that failed says no less: there have been some by the time the second key is answered.
hit ada Escape && until_shown ada 'your card' && hit ada 5 && until_shown ada 'is sent on reconnect' && as ada room show "${line%% *}" >/dev/null && until_shown ada '● live' '[5]' && until_shown grace 'Connection lost: the server was stopped. Retrying'
told $? 'the next command brings her back with what she did meanwhile; it is no longer shared, which the other reads as before'
exit "$failed"
