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

echo 1..12
serve

enter ada 80 24 new --title Sprint
until_shown ada 'aye · Sprint · ' '1 here' 'waiting for you'
code=$(mux capture-pane -p -t ada | sed -n 's/^ *aye join \([0-9A-Z]*\).*/\1/p' | head -n 1)
enter grace 40 12 join "$code"
until_shown ada '2 here' 'grace' && until_shown grace '2 here'
mux send-keys -t grace 5
until_shown ada '1 of 2 voted'
told $? 'two are in a room'

stop
until_shown ada 'lost' 'were here' && until_shown grace 'lost' 'were here'
told $? 'without the server the screens say so'
until_shown ada 'grace' '1 of 2 voted' '░░░░░'
told $? 'and what was there stays'

mux send-keys -t ada 8
until_shown ada '(8)'
told $? 'a vote is shown as not sent'
mux send-keys -t ada R
until_shown ada 'have not voted. Reveal?' && mux send-keys -t ada y
until_shown ada '1 act waits for the connection: reveal'
told $? 'so is a reveal'
mux send-keys -t ada S a 'Refunds' Enter Escape
until_shown ada '2 acts wait for the connection: reveal, add'
told $? 'and a story behind it'

mux send-keys -t ada q
until_shown ada 'your card' && mux send-keys -t ada q
until_shown ada 'Leave? y / n' && mux send-keys -t ada n
told $? 'who would leave them behind is asked'

serve
until_shown ada 'live' 'Revealed' 'average 6.5' && until_shown grace 'live' 'Revealed' 'average 6.5'
told $? 'with the server back the vote and the reveal are done'
mux send-keys -t ada S
until_shown ada 'Refunds' && [ "$(mux capture-pane -p -t ada | grep -c Refunds)" -eq 1 ] &&
	! mux capture-pane -p -t ada | grep -q 'for the connection'
told $? 'and so is the story, once'

mux send-keys -t ada Escape
until_shown ada 'Revealed'
stop
until_shown ada 'lost' && mux send-keys -t ada N N
until_shown ada '2 acts wait for the connection: next, next'
serve
until_shown ada 'live' 'Refunds' 'What waited was not done (next): Another round has begun'
told $? 'what belongs to a round that is over is dropped with a word'

kill -STOP "$server"
enter linus 80 24 join "$code"
until_shown linus 'has not answered yet; Ctrl-C gives up'
told $? 'who waits for a room that does not come is told so'
kill -CONT "$server"
until_shown linus '3 here' 'you'
told $? 'and is in when it does'
exit "$failed"
