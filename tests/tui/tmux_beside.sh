#!/bin/bash
# tmux_beside.sh - a wide screen in real tmux: the rounds before are fetched by
# themselves, and again after each reveal and each settling.
#
# usage: AYE=path/to/aye AYED=path/to/ayed tmux_beside.sh
set -u

. "$(dirname "$0")/tmux_kit.bash"

# until_row PANE PATTERN: until a row of that screen is like it.
until_row() {
	retried has_row "$@"
}
has_row() {
	screen "$1" | grep -q "$2"
}

echo 1..5
serve

ada_makes_a_room 200 60
! screen ada | grep -q History
told $? 'before the first round the table has the whole screen'

hit ada 5 && until_shown ada '[5]' && hit ada R && until_shown ada 'Revealed' 'History' '1 round' 'Quick vote'
told $? 'a reveal brings the round to the history beside the table'

hit ada N && until_shown ada '0 of 1 voted' && hit ada 8 && until_shown ada '[8]' && hit ada R &&
	until_shown ada '2 rounds'
told $? 'and so does the next'

hit ada = && hit ada Enter && until_shown ada 'Settled on 8' && until_row ada '│ *2  Quick vote .* 8$'
told $? 'what it is settled with is shown there'

hit ada S && hit ada a && hit ada -l 'PAY-1 Refund' && hit ada Enter Escape Escape &&
	until_shown ada 'Stories' '0 of 1 estimated' 'History'
told $? 'stories stand above it'
exit "$failed"
