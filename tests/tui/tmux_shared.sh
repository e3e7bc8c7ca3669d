#!/bin/bash
# tmux_shared.sh - two terminals in real tmux see what the other does: who goes
# through the cards, who looks at which story.
#
# usage: AYE=path/to/aye AYED=path/to/ayed tmux_shared.sh
set -u

. "$(dirname "$0")/tmux_kit.bash"

hit() {
	local pane=$1
	shift
	mux send-keys -t "$pane" "$@"
}

typed() {
	mux send-keys -t "$1" -l "$2"
	hit "$1" Enter
}

# until_hidden PANE TEXT: until it stands there no longer.
until_hidden() {
	local try
	for ((try = 0; try < TRIES; try++)); do
		[[ $(mux capture-pane -p -t "$1") == *"$2"* ]] || return 0
		sleep 0.1
	done
	return 1
}

echo 1..4
serve

enter ada 80 24 new --title Sprint
until_shown ada 'aye · Sprint · ' 'waiting for you'
code=$(mux capture-pane -p -t ada | sed -n 's/^ *aye join \([0-9A-Z]*\).*/\1/p' | head -n 1)
enter grace 80 24 join "$code"
until_shown grace '2 here' && until_shown ada '2 here' 'grace'

hit grace Right
until_shown ada '…' 'grace is choosing'
told $? 'who goes through the cards is seen to choose'
hit grace Enter
until_shown ada '1 of 2 voted' && until_hidden ada 'choosing'
told $? 'until a card lies there'

hit ada S a
typed ada 'PAY-1 Refund'
typed ada 'PAY-2 Retry'
hit ada Escape
until_shown ada 'Stories' 'PAY-2 Retry' && hit grace S && until_shown grace 'Stories' && hit grace End &&
	until_shown ada 'PAY-2 Retry' '◂ grace' && until_shown grace '◂ ada'
told $? 'each sees at which story the other looks'

hit grace Escape
until_hidden ada '◂'
told $? 'and that they look no longer'
exit "$failed"
