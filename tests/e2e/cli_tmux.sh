#!/bin/bash
# cli_tmux.sh - two people in a real terminal multiplexer hold a round, through a restart of the server.
. "$(dirname "$0")/cli_kit.bash"
if ! command -v tmux >/dev/null; then
	echo "Bail out! tmux is missing (make test installs it)"
	exit 1
fi
export LC_ALL=C.UTF-8
unset TMUX
start_server main || { echo "Bail out! no server"; exit 1; }
server_at=$server

in_tmux() {
	tmux -S "$home/tmux" -f /dev/null "$@"
}
ended_with_tmux() {
	in_tmux kill-server 2>/dev/null
	finish
}
trap ended_with_tmux EXIT

# What stands on a person's screen.
screen() { # PERSON
	in_tmux capture-pane -p -t "$1"
}
screen_shows() { # PERSON PATTERN
	screen "$1" | grep -q -- "$2"
}
until_screen() { # PERSON PATTERN
	until_true screen_shows "$@"
}
type_as() { # PERSON KEY...
	local who=$1
	shift
	in_tmux send-keys -t "$who" "$@"
}
# A window with a shell in it, with a state of its own.
person() { # NAME
	mkdir -m 700 "$home/$1"
	in_tmux new-session -d -s "$1" -x 80 -y 24 \
		"env XDG_STATE_HOME='$home/$1' AYE_SERVER='$server_at' PS1='$ ' sh"
	until_screen "$1" '^\$$' || return 1
}

person ada
person grace

a_room_opens() {
	type_as ada "$AYE new --title Sprint --name Ada" Enter
	until_screen ada "you ★" || return 1
	code=$(screen ada | sed -n '1s/.*· \([A-Z0-9]\{6\}\) .*/\1/p')
	# The cards are turned over by hand here, so that no step races the countdown.
	[ -n "$code" ] && XDG_STATE_HOME="$home/ada" AYE_SERVER="$server_at" "$AYE" room policy "$code" auto_reveal=off >/dev/null
}
a_colleague_joins() {
	type_as grace "$AYE join $code --name Grace" Enter
	until_screen grace "Ada ★" || return 1
	until_screen ada "Grace" || return 1
}
votes_stay_hidden() {
	type_as ada 8
	until_screen ada '\[8\]' || return 1
	until_screen grace "1 of 2 voted" || return 1
	! screen grace | grep -q '│  8  │'
}
the_small_screen_shows_it_too() {
	in_tmux resize-window -t ada -x 40 -y 12
	until_screen ada "1 of 2 voted" || return 1
	[ "$(screen ada | awk 'length > 40' | wc -l)" = 0 ]
	in_tmux resize-window -t ada -x 80 -y 24
}
a_vote_while_away_arrives() {
	end_server KILL || return 1
	until_screen grace "onnection lost" || return 1
	type_as grace 3
	until_screen grace "is sent on reconnect" || return 1
	start_server main || return 1
	until_screen ada "2 of 2 voted" || return 1
	until_screen ada '\[8\]' || return 1
}
the_host_reveals() {
	type_as ada R
	until_screen ada "average 5.5" || return 1
	until_screen grace "average 5.5" || return 1
}
it_stops_and_goes_on() {
	type_as grace C-z
	until_screen grace '[Ss]topped' || return 1
	until_screen grace '^\$$' || return 1
	type_as grace "fg" Enter
	until_screen grace "average 5.5" || return 1
}
the_terminal_is_as_before() {
	local before after
	type_as grace q
	until_screen grace "Left $code. To rejoin: aye join $code" || return 1
	until_screen grace '^\$$' || return 1 # the shell has the terminal again
	type_as grace "stty -a > $home/mode; echo do''ne" Enter
	until_screen grace 'done$' || return 1
	grep -q ' icanon' "$home/mode" && grep -q ' echo ' "$home/mode" && [ "$(in_tmux display-message -p -t grace '#{alternate_on} #{cursor_flag}')" = "0 1" ]
}
a_signal_restores_it_too() {
	local pid
	pid=$(in_tmux display-message -p -t ada '#{pane_pid}')
	kill -TERM "$(ps -o pid= --ppid "$pid")"
	until_screen ada "^Left $code" || return 1
	until_screen ada '^\$$' || return 1
	type_as ada "stty -a > $home/mode2; echo do''ne" Enter
	until_screen ada 'done$' || return 1
	grep -q ' icanon' "$home/mode2" && grep -q ' echo ' "$home/mode2" && [ "$(in_tmux display-message -p -t ada '#{alternate_on} #{cursor_flag}')" = "0 1" ]
}
the_seat_is_still_there() {
	type_as ada "clear; $AYE join $code" Enter
	until_screen ada "you ★" && until_screen ada "average"
}

claim_here() { # in this shell, so that what it finds out stays
	local text=$1
	shift
	n=$((n + 1))
	if "$@"; then
		echo "ok $n - $text"
	else
		echo "not ok $n - $text"
		{ screen ada; screen grace; } | sed 's/^/# /'
		failed=1
	fi
}
claim_here "aye new opens a room on the screen" a_room_opens
claim_here "a colleague joins by its code" a_colleague_joins
claim_here "a vote is seen to be there, and nothing of it" votes_stay_hidden
claim_here "forty columns and twelve lines are enough" the_small_screen_shows_it_too
claim_here "a vote chosen while the server was away arrives" a_vote_while_away_arrives
claim_here "the host to reveal for everybody" the_host_reveals
claim_here "it stops and goes on as a shell wants it" it_stops_and_goes_on
claim_here "leaving puts the terminal back and says how to return" the_terminal_is_as_before
claim_here "so does a signal" a_signal_restores_it_too
claim_here "whoever comes back has seat and name" the_seat_is_still_there
