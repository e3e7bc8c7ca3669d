#!/bin/bash
# tmux_session.sh - a session in real tmux: a host and a member add stories, vote
# them one by one, settle, vote again, undo, look back, change the rules, and let
# a third one in.
#
# usage: AYE=path/to/aye AYED=path/to/ayed tmux_session.sh
set -u

. "$(dirname "$0")/tmux_kit.bash"

echo 1..16
serve

ada_makes_a_room 80 24
enter grace 40 12 join "$code"
until_shown grace '2 here' && until_shown ada '2 here' 'grace'
told $? 'two sit at the table'

hit ada S a
typed ada 'PAY-1 Refund'
typed ada 'PAY-2 Retry'
typed ada 'PAY-3 Receipts'
hit ada Escape Escape
until_shown ada '3 of 3 stories to do' && until_shown grace '3 of 3 stories to do'
told $? 'stories are added one after the other, and everybody sees them'

hit ada N
until_shown ada 'Story 1/3' 'PAY-1 Refund' && until_shown grace '1/3' 'PAY-1 Refund'
told $? 'the first of them is voted on'

hit grace 3
hit ada 5
until_shown ada 'Suggested' '= settle' && until_shown grace 'agree 50%'
told $? 'when all have voted a countdown reveals'

hit ada =
until_shown ada 'Settled on' && until_shown grace 'Settled on'
told $? 'the host settles, and everybody reads on what'

hit ada V
until_shown ada '2nd vote' '0 of 2 voted' && until_shown grace '0 of 2 voted'
told $? 'voting again begins the second vote on the same story'

hit ada U
until_shown ada 'Settled on' && until_shown grace 'Settled on'
told $? 'undo restores the votes, and what they were settled with'

hit ada N
until_shown ada 'Story 2/3' 'PAY-2 Retry' && hit grace 8 && until_shown grace '[8]' &&
	hit grace x && typed grace 'needs a queue' && hit ada 8 &&
	until_shown ada 'All 2 in favour of 8' 'needs a queue'
told $? 'a note is shown after the reveal'

hit grace N
until_shown grace 'Only a host can do that here' 'ada'
told $? 'a member reads why the next story is not theirs to begin'

hit ada P
until_shown ada 'Rules of this room' && hit ada Down Enter && until_shown ada 'rounds' 'everyone' &&
	hit ada Escape && until_shown grace 'N next' && hit grace N && until_shown grace '3/3' 'PAY-3 Receipts'
told $? 'until the rules give it to everyone'

hit ada ':'
typed ada 'timer 9m'
until_shown ada 'timer 8:5' && until_shown grace ' 8:5'
told $? 'a timer counts down on both screens'

hit ada 5
until_shown ada '1 of 2 voted' && hit ada '!' && until_shown grace 'ada asks you to vote'
told $? 'a nudge says who waits'

hit ada ,
typed ada 'go'
until_shown grace 'ada: go' && hit ada , && until_shown ada '3 🎉' && hit ada 3 && until_shown grace 'ada: 🎉'
told $? 'a reaction is shown for a moment'

hit grace h
until_shown grace 'History' '2 rounds' 'PAY-2 Retry' 'PAY-1 Refund' && hit grace q &&
	hit grace S && until_shown grace 'Stories' '>▸ 3' 'voting'
told $? 'history and stories are a key away'

hit ada ':'
typed ada 'rule lobby on'
until_shown ada '2 here' && enter zoe 80 24 join "$code" &&
	until_shown zoe 'You are in the lobby' && until_shown ada 'in the lobby: zoe' '+ admit' &&
	hit ada + && until_shown zoe 'PAY-3 Receipts' '3 here'
told $? 'who comes into a lobby waits there until the host lets them in'

hit ada q
until_shown ada 'Leave? y / n' && hit ada y && until_shown ada 'ada left with 0' \
	'1 of 3 stories estimated, 5 points; 2 rounds' \
	'Widest spread: 3 to 5 on PAY-1 Refund' "To save it: aye export $code --format md -o $code.md"
told $? 'whoever leaves reads what was done'
exit "$failed"
