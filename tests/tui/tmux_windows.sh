#!/bin/bash
# tmux_windows.sh - one person in two terminals: who closes one of them leaves nothing behind in the other. And no key
# takes a card off the table for good without a question.
#
# usage: AYE=path/to/aye AYED=path/to/ayed tmux_windows.sh
set -u

. "$(dirname "$0")/tmux_kit.bash"
elsewhere='left here; you are still in the room in another terminal'

echo 1..11
serve

ada_makes_a_room 80 24
enter grace 80 24 join "$code"
until_shown ada '2 here' 'grace'
enter grace-2 80 24 join "$code"
until_shown grace-2 '2 here' 'you'
hit grace-2 5
until_shown grace-2 '[5]' && until_shown grace '[5]' && until_shown ada '1 of 2 voted'
told $? 'a vote in one window lies in the other, too'

hit grace q
until_shown grace "$elsewhere" 'grace left with 0'
told $? 'who closes one of two windows is told that the other stays'
until_file "$dir/grace.after" && cmp -s "$dir/grace.before" "$dir/grace.after" && ! screen grace | grep -q 'Sprint'
told $? 'and has the terminal back'
hit grace-2 ,
typed grace-2 ok
until_shown ada 'ok' '1 of 2 voted' '2 here' && until_shown grace-2 '[5]' '2 here'
told $? 'the seat and the vote stay'

hit grace-2 s
until_shown grace-2 'Spectate? Your 5 returns if you vote again this round. y / n' &&
	hit grace-2 n && until_shown grace-2 '[5]' && until_shown ada '1 of 2 voted'
told $? 'who has a card on the table is asked before it goes'
hit grace-2 s y
until_shown grace-2 'You are a spectator. s to vote' 's vote' && until_shown ada '0 of 1 voted' 'spectators: grace'
told $? 'then it is gone, and the footer says how to vote'
hit grace-2 s
until_shown grace-2 '[5]' && until_shown ada '1 of 2 voted'
told $? 'and back, as it was'

enter grace-3 80 24 join "$code" --plain
until_shown grace-3 'grace' "$code"
typed grace-3 spectate
until_shown grace-3 'Spectate? Your 5 returns if you vote again this round. Type y or n.' && typed grace-3 n &&
	until_shown grace-3 'Cancelled.'
told $? 'in lines the same is asked'
typed grace-3 quit
until_shown grace-3 "$elsewhere" 'grace-3 left with 0' && until_shown ada '1 of 2 voted' '2 here'
told $? 'and who quits there leaves the window alone'

hit grace-2 q
until_shown grace-2 "Left $code. To rejoin: aye join $code" && until_shown ada '1 here' && until_hidden ada 'grace'
told $? 'the last window leaves the room'
until_shown ada '0 of 1 voted'
told $? 'and takes the vote along'
exit "$failed"
