#!/bin/bash
# tmux_away.sh - the server ends and comes back beneath two terminals: what was
# there stays and is marked, what is asked for meanwhile waits and is done once,
# and what means nothing any more is dropped with a word. Waiting for it is told, too.
#
# usage: AYE=path/to/aye AYED=path/to/ayed tmux_away.sh
set -u

. "$(dirname "$0")/tmux_kit.bash"

stop() {
	kill "$server" && wait "$server" 2>/dev/null
	server=
}

echo 1..16
serve

ada_makes_a_room 80 24
enter grace 40 12 join "$code"
until_shown ada '2 here' 'grace' && until_shown grace '2 here'
hit grace 5
until_shown ada '1 of 2 voted'
told $? 'two are in a room'

stop
until_shown ada 'lost' 'were here' && until_shown grace 'lost' 'were here'
told $? 'without the server the screens say so'
until_shown ada 'grace' '1 of 2 voted' '░░░░░'
told $? 'and what was there stays'

hit ada 8
until_shown ada '(8)'
told $? 'a vote is shown as not sent'
hit ada R
until_shown ada 'have not voted. Reveal?' && hit ada y
until_shown ada '1 act waits for the connection: reveal'
told $? 'so is a reveal'
hit ada S a 'Refunds' Enter Escape
until_shown ada '2 acts wait for the connection: reveal, add'
told $? 'and a story behind it'

hit ada q
until_shown ada 'your card' && hit ada q
until_shown ada 'Leave? y / n' && hit ada n
told $? 'who would leave them behind is asked'

serve
until_shown ada 'live' 'Revealed' 'average 6.5' && until_shown grace 'live' 'Revealed' 'average 6.5'
told $? 'with the server back the vote and the reveal are done'
hit ada S
until_shown ada 'Refunds' && [ "$(screen ada | grep -c Refunds)" -eq 1 ] &&
	! screen ada | grep -q 'for the connection'
told $? 'and so is the story, once'

hit ada Escape
until_shown ada 'Revealed'
stop
until_shown ada 'lost' && hit ada N N
# promise: sent-when-back
until_shown ada '2 acts wait for the connection: next, next'
serve
until_shown ada 'live' 'Refunds' 'Not sent (next): The next round has started'
told $? 'what belongs to a round that is over is dropped with a word'

kill -STOP "$server"
until_shown ada 'no answer for'
told $? 'whoever does nothing sees that the server does not answer'
hit ada 3
until_shown ada 'no answer for' 'Your 3 is not confirmed yet'
told $? 'and whoever votes, that the card is not confirmed'
enter linus 80 24 join "$code"
until_shown linus 'has not answered yet; Ctrl-C to stop'
told $? 'who waits for a room that does not come is told so'
kill -CONT "$server"
until_shown linus '3 here' 'you'
told $? 'and is in when it does'
enter mary 80 24 join 222222
until_shown mary 'mary left with 1' 'no room 222222'
told $? 'who comes to no room is told so, with its exit code'
hit linus C-c
until_shown linus 'linus left with'
stop
enter mary-2 80 24 join "$code"
until_shown mary-2 'mary-2 left with 3' "cannot reach $AYE_SERVER"
told $? 'who comes when the server is gone is told so, with its exit code'
exit "$failed"
