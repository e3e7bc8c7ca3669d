#!/bin/bash
# tmux_lines.sh - what comes by itself while a prompt waits in lines, at a real terminal: questions and
# nudges at home and in the inbox, questions and a silent server in a room.
#
# usage: AYE=path/to/aye AYED=path/to/ayed tmux_lines.sh
set -u

. "$(dirname "$0")/tmux_kit.bash"

# until_last PANE TEXT: until that is the last line that is not empty.
until_last() {
	retried is_last "$@" || { echo "# the last line of $1 is \"$(last "$1")\", not \"$2\""; false; }
}
last() {
	screen "$1" | grep -v '^$' | tail -n 1
}
is_last() {
	[ "$(last "$1")" = "$2" ]
}

echo 1..6
serve
for person in ada grace linus; do
	as "$person" login "$person" >/dev/null
done
for person in ada linus; do
	as "$person" notify on >/dev/null
done
code=$(as grace new --title Sprint | head -n 1)
as ada room vote "$code" 5 >/dev/null 2>&1 && as ada room vote "$code" - >/dev/null

enter ada 80 24 home --plain
until_last ada 'home>'
told $? 'home in lines asks where to go'

enter linus 80 24 inbox --plain
until_shown linus 'No questions for you.' && until_last linus 'inbox>' &&
	as grace ask 'Do we want two names for it?' -o yes -o no >/dev/null &&
	until_shown ada 'New question: Do we want two names for it? (aye inbox).' && until_last ada 'home>' &&
	until_shown linus 'New question: Do we want two names for it? (list).' && until_last linus 'inbox>'
told $? 'a question is told there and in the inbox'

typed linus list && until_shown linus '1: general' && typed linus 'answer 1 yes' && until_shown linus 'Your answer was sent'
told $? 'and is on the list'

hit ada -l 'ne' && as grace nudge "$code" >/dev/null && until_shown ada "Someone asks you to vote in $code." && until_last ada 'home>'
told $? 'a nudge from a room one is away from is told at home'

typed ada "w Retro" && until_last ada 'ada, 0 of 1 voted, not voted yet>'
told $? 'what was half typed there still counts'

kill -STOP "$server" && typed ada 5 && until_shown ada 'The server does not answer; what you type is sent later.'
silent=$?
kill -CONT "$server"
[ "$silent" -eq 0 ] && until_shown ada 'The server answers again.' 'Your card is 5.' && until_last ada 'ada, revealed>'
told $? 'in a room one is told that the server is silent, and that it is back'
exit "$failed"
