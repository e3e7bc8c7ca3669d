#!/bin/bash
# tmux_room.sh - a real round in real tmux: a server, two terminals of different
# sizes, one vote seen by both, a reveal, a resize, and both ways out.
#
# usage: AYE=path/to/aye AYED=path/to/ayed tmux_room.sh
set -u

. "$(dirname "$0")/tmux_kit.bash"

echo 1..11
serve

ada_makes_a_room 80 24
told $? 'a host opens a room and sits in it'
[ "${#code}" -eq 6 ]
told $? 'the screen says how others come in'

enter grace 40 12 join "$code"
until_shown grace "$code" '2 here' 'ada ★' && until_shown ada '2 here' 'grace'
told $? 'a second terminal comes in, and each sees the other'

hit grace 5
until_shown ada '1 of 2 voted' '░░░░░' && until_shown grace '[5]' '1 of 2 voted'
told $? 'one votes, and both see that'
screen ada | grep -q '│  5  │'
[ $? -ne 0 ]
told $? 'what was voted is on the own screen only'

hit grace R
until_shown grace 'Only a host can do that here' 'ada'
told $? 'who is not host cannot reveal, and reads why'

hit ada 8
until_shown ada 'Revealing in' 'c cancels' && until_shown grace 'Revealing in' &&
	hit ada c && until_shown ada '2 of 2 voted' && hit ada R
until_shown ada 'Revealed' 'average 6.5' 'lowest, speaks first' &&
	until_shown grace 'Revealed' 'average 6.5' '5 speaks first'
told $? 'the reveal shows both screens the result'

long=Katherine-of-the-payments-and-refunds
enter "$long" 80 24 join "$code"
until_shown "$long" "Your name: $long" 'name: is wider than 32 columns' &&
	hit "$long" C-u && hit "$long" -l Katherine && hit "$long" Enter &&
	until_shown "$long" '3 here' 'you' && until_shown ada Katherine && hit "$long" q &&
	until_shown ada '2 here'
told $? 'a name that is refused is asked for again, and stands there to be mended'

mux resize-window -t grace -x 100 -y 30
until_shown grace 'lowest, speaks first' ': command'
told $? 'a terminal that grows is drawn anew'

hit ada q
until_shown ada 'Leave? y / n' && hit ada y
until_shown ada 'ada left with 0' && is_restored ada
told $? 'a host leaves by key after a yes, and the terminal is as before'

until_shown grace '1 here' && kill -TERM "$(cat "$dir/grace.pid")"
until_shown grace 'grace left with' && is_restored grace
told $? 'ended by a signal it leaves the terminal as before'
exit "$failed"
