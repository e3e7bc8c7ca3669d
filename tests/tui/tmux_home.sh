#!/bin/bash
# tmux_home.sh - home in real tmux: a first run, rooms made, joined, come back to
# and ended, with one server, with another, and with none.
#
# usage: AYE=path/to/aye AYED=path/to/ayed tmux_home.sh
set -u

. "$(dirname "$0")/tmux_kit.bash"

echo 1..20
serve

# The code in the first line of a room's screen.
code_of() { # PANE
	screen "$1" | sed -n '1s/.*· \([0-9A-Z]\{6\}\) .*/\1/p'
}
enter ada 80 24
until_shown ada 'aye · Home' '● live' 'You are ada' 'c  create a room' 'j  join a room'
told $? 'aye alone opens home, which says what to press'

hit ada c && until_shown ada 'Title [none]:' && hit ada 'Sprint 42' Enter
until_shown ada 'Cards of the new room' 'Sprint 42' 'fibonacci' && hit ada Down Enter
until_shown ada 'aye · Sprint 42 · ' '1 here' ' 89 ' && code=$(code_of ada) && [ "${#code}" -eq 6 ]
told $? 'a title and a deck create a room, and one is in it'

hit ada q
until_shown ada 'aye · Home' '● live' "> $code  Sprint 42 ★"
told $? 'leaving it leads home, where it is on the list'

enter grace 40 12
until_shown grace 'aye · Home' '● live' && hit grace j && until_shown grace 'Code:' &&
	hit grace "aye join ${code,,}" Enter
until_shown grace 'aye · Sprint' "$code" '1 here' 'you ★'
told $? 'another comes in by the line that was sent, whatever its case'

hit ada Enter
until_shown ada 'Sprint 42' '2 here' 'you ★' 'grace' && until_shown grace '2 here' 'ada ★'
told $? 'a room on the list is entered with the seat one had, and as its host'

hit grace q
until_shown grace 'aye · Home' "> $code  Sprint 42" && until_shown ada '1 here' 'you ★'
told $? 'who goes home has left the room for the others, too'

hit grace j && until_shown grace 'Code:' && hit grace K7QX30 Enter
until_shown grace 'K7QX30 is not a code' && hit grace BSpace 3 Enter
until_shown grace 'No K7QX33 on'
told $? 'a code that is none is told and mended, and for one of no room no passcode is asked'
hit grace Escape

hit ada :passcode Enter
until_shown ada 'Passcode (hidden):' && hit ada rosebud Enter && hit ada P && until_shown ada 'Passcode for newcomers' 'set'
hit ada Escape
enter linus 80 24
until_shown linus 'aye · Home' '● live' && hit linus :join Space "$code" Enter &&
	until_shown linus 'Passcode (hidden):' "$code has a passcode" && hit linus rosetta Enter &&
	until_shown linus 'Passcode (hidden):' "Wrong passcode for $code" && hit linus rosebud Enter
until_shown linus 'Sprint 42' '2 here' 'ada' && ! screen linus | grep -q rosebud
told $? 'a passcode is asked for, and never shown'
hit linus q
until_shown linus 'aye · Home' "> $code"

hit linus n && until_shown linus 'Your name: linus' && hit linus End ' II' Enter
until_shown linus 'You are linus II' && hit linus c Enter && until_shown linus 'Cards of' && hit linus e &&
	until_shown linus 'Cards:' && hit linus 'S M L' Enter
until_shown linus ' S ' ' M ' ' L ' '1 here' && linus_code=$(code_of linus)
hit linus q
until_shown linus "$linus_code" 'linus II' 'just now'
told $? 'a name is changed for rooms to come, and cards may be typed'

hit ada :delete Enter && until_shown ada 'Delete room' && hit ada y
until_shown ada 'aye · Home' "$code: the room was deleted. Forget it?" && hit ada y
until_shown ada 'Recent rooms will appear here.'
told $? 'a room that ends leads home, and may be forgotten at once'

hit grace Enter
until_shown grace "$code not found. Forget it?" && hit grace n && until_shown grace 'not found'
told $? 'a room that is no more says so'
hit grace d && until_shown grace "Forget $code" && hit grace y
until_shown grace 'c  create a room' 'j  join a room'
told $? 'and is forgotten when that is wished'

"$AYED" --data "$dir/data2" --allow-root --listen "unix:$dir/socket2" --listen tls://127.0.0.1:0 >"$dir/ready2" 2>"$dir/log2" &
second=$!
until_file "$dir/ready2"
elsewhere=$("$AYE" room create --title Elsewhere --server "unix:$dir/socket2")
elsewhere=${elsewhere%%[^0-9A-Z]*}
hit ada j && until_shown ada 'Code:' && hit ada "$elsewhere --server unix:$dir/socket2" Enter
until_shown ada 'aye · Elsewhere' '1 here' '● live' && hit ada q
until_shown ada 'aye · Home' '● live' "> $elsewhere  Elsewhere" 'on unix:' &&
	hit ada Enter && until_shown ada 'aye · Elsewhere' '1 here'
told $? 'a room on another server is entered, come back from and entered again'

tls=$(sed 's/.* tls:/tls:/' "$dir/ready2")
enter alan 80 24
until_shown alan 'aye · Home' '● live' && hit alan j && until_shown alan 'Code:' &&
	hit alan "$elsewhere --server ${tls%#*}" Enter && until_shown alan 'is not known yet' 'aye join' &&
	printf '{"%s": "%s"}' "${tls%#*}" "${tls#*#}" >"$dir/alan/aye/known_servers.json" &&
	until_shown alan '● live' && hit alan j && until_shown alan 'Code:' && hit alan "$elsewhere --server ${tls%#*}" Enter &&
	until_shown alan 'aye · Elsewhere' '2 here' '● live'
told $? 'an encrypted server is entered by what was noted of it, and is not known before'
hit alan q && until_shown alan 'aye · Home' '● live' && hit alan q

kill "$second" && wait "$second" 2>/dev/null
until_shown ada 'Connection lost' && hit ada q
until_shown ada 'aye · Home' '● live' && hit ada Enter
until_shown ada 'Cannot reach unix:' && until_shown ada '● live'
told $? 'where that server has ended, home still has its own'

kill -KILL "$server" && wait "$server" 2>/dev/null
until_shown ada '× no server' 'Retrying' && hit ada c && until_shown ada 'Title' &&
	hit ada Enter 1 && until_shown ada 'Not connected'
told $? 'without a server home says why, and that nothing can be made'

rm -f "$dir/ready"
serve
until_shown ada '● live' && until_hidden ada 'Retrying' && hit ada c && until_shown ada 'Title' &&
	hit ada Enter && until_shown ada 'Cards of' && hit ada 4
until_shown ada ' XXL ' '1 here'
told $? 'with the server back all goes on'

mkdir -p "$dir/radia" && XDG_STATE_HOME=$dir/radia "$AYE" login radia >/dev/null
enter radia 80 24
until_shown radia 'Logged in as radia' '● live' && hit radia n && until_shown radia 'Logged in as radia. To change it' &&
	hit radia c && until_shown radia 'Title' && hit radia Enter 1 && until_shown radia '1 here' 'you ★' &&
	hit radia q && until_shown radia 'aye · Home' 'Logged in as radia' && hit radia Enter &&
	until_shown radia '1 here' 'you ★' && hit radia q && until_shown radia 'aye · Home'
told $? 'who is logged in goes in and out as that user'

# She has a seat in ada's room, and no connection to it.
code=$(code_of ada)
XDG_STATE_HOME=$dir/radia "$AYE" room vote "$code" L 2>/dev/null >&2 && XDG_STATE_HOME=$dir/radia "$AYE" room vote "$code" - 2>/dev/null >&2 &&
	hit ada '!' && until_shown radia "ada asks you to vote in $code; Enter to join" && hit radia Enter &&
	until_shown radia '2 here' 'ada ★' && hit radia q && until_shown radia 'aye · Home' && until_shown ada '1 here' && hit radia q
until_shown radia 'radia left with 0'
told $? 'at home a nudge from another room is shown, and Enter goes there'

hit ada ':' && typed ada 'vote L' && until_shown ada 'Revealed'
hit ada q && until_shown ada 'aye · Home' && hit ada q && hit linus C-c && hit grace q
until_shown ada '1 round' 'To save it: aye export' 'ada left with 0' && is_restored ada && until_shown linus 'linus left with 0' &&
	is_restored linus && until_shown grace 'grace left with 0' && is_restored grace
told $? 'leaving home ends the program, and the terminal is as before'
exit "$failed"
