#!/bin/bash
# tmux_plain.sh - a room in lines at a real terminal: the prompt, what is half
# typed, what is not shown, and the end.
#
# usage: AYE=path/to/aye AYED=path/to/ayed tmux_plain.sh
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

echo 1..13
serve

dumb="env TERM=dumb $AYE"
AYE=$dumb enter ada 80 40 new --title Sprint
until_last ada 'ada, 0 of 1 voted, not voted yet>'
told $? 'a terminal that can only print gets lines, and the prompt comes last'
code=$(screen ada | sed -n 's/^Room \([0-9A-Z]*\): .*/\1/p' | head -n 1)

enter grace 80 40 join "$code" --plain
until_last grace 'grace, 0 of 2 voted, not voted yet>'
told $? '--plain asks for the same where there could be a screen'

long=Katherine-of-the-payments-and-refunds
enter "$long" 80 40 join "$code" --plain
until_last "$long" 'Your name>' && until_shown "$long" 'Name: is wider than 32 columns' 'type it on a line of its own' &&
	typed "$long" Katherine && until_last "$long" 'Katherine, 0 of 3 voted, not voted yet>' &&
	until_shown ada 'Katherine joined.' && hit "$long" C-d && until_shown ada 'Katherine left.'
told $? 'a name that is refused is asked for again'

hit grace -l '1'
typed ada 'title Half typed'
until_shown grace 'The room is called Half typed.'
typed grace '3'
until_shown grace 'Your card is 13.' && until_last grace 'grace, 1 of 2 voted, card 13>'
told $? 'what is half typed when something happens is not lost'

typed ada passcode
until_last ada 'Passcode (hidden)>'
typed ada 'sesame'
until_last ada 'ada, 1 of 2 voted, not voted yet>' && until_shown ada 'New members need a passcode now.' &&
	! screen ada | grep -q sesame
told $? 'a secret is not shown while it is typed'

typed ada reveal
until_last ada 'y or n>'
typed ada y
until_last ada 'ada, revealed>' && until_last grace 'grace, revealed>'
told $? 'a question is the prompt until it is answered'

hit grace C-d
until_shown grace 'grace left with 0' "Left $code. To rejoin: aye join $code" && until_shown ada 'grace left.'
told $? 'the end of input leaves the room'

is_restored grace
told $? 'the terminal is as it was'

typed ada passcode
until_last ada 'Passcode (hidden)>'
kill -INT "$(cat "$dir/ada.pid")"
until_shown ada 'ada left with 0' && is_restored ada
told $? 'a signal in the middle of a secret gives the echo back'

AYE=$dumb enter linus 80 40 home
until_last linus 'home>' && until_shown linus 'No rooms yet. Type a number or a code'
typed linus 'new Retro'
until_last linus 'linus, 0 of 1 voted, not voted yet>' && until_shown linus ': Retro, round 1' && hit linus C-d &&
	until_shown linus 'linus left with 0'
told $? 'home in lines makes a room'

mux kill-session -t linus
AYE=$dumb enter linus 80 40 home
until_shown linus '1: ' ', Retro, as linus, host' && until_last linus 'home>' && typed linus 2 &&
	until_shown linus 'Room 2 not found here.' && typed linus 1 &&
	until_last linus 'linus, 0 of 1 voted, not voted yet>' && hit linus C-d && until_shown linus 'linus left with 0'
told $? 'it goes into a room one was in by its number'

mux kill-session -t linus
AYE=$dumb enter linus 80 40 home
until_last linus 'home>' && typed linus "aye join $code" && until_shown linus "Passcode of $code:" &&
	typed linus 'open sesame' && until_shown linus "Wrong passcode. Passcode of $code:" &&
	typed linus sesame && until_shown linus "Room $code" && until_last linus 'linus, revealed>' && hit linus C-d && until_shown linus 'linus left with 0'
told $? 'and into another by the line one was sent'

! mux capture-pane -e -p -t ada | grep -q "$(printf '\033')"
told $? 'nothing but text was ever printed'
exit "$failed"
