#!/bin/bash
# tmux_mouse.sh - the mouse in real tmux: off until asked for, then a click
# votes and presses hints; and no way out of the program leaves it on.
#
# usage: AYE=path/to/aye AYED=path/to/ayed tmux_mouse.sh
set -u

. "$(dirname "$0")/tmux_kit.bash"

# Whether the terminal would tell of its mouse now, and in which form.
mouse() { # PANE
	mux display-message -p -t "$1" '#{mouse_standard_flag}#{mouse_sgr_flag}'
}
until_mouse() { # PANE FLAGS
	retried is_mouse "$@" || { echo "# the mouse of $1 is $(mouse "$1"), not $2"; false; }
}
is_mouse() {
	[ "$(mouse "$1")" = "$2" ]
}

# click PANE TEXT: a press and a release on the first letter of the text.
click() {
	local y=0 line before
	while IFS= read -r line; do
		y=$((y + 1))
		[[ $line == *"$2"* ]] || continue
		before=${line%%"$2"*}
		hit "$1" -l $'\033'"[<0;$((${#before} + 1));${y}M"
		hit "$1" -l $'\033'"[<0;$((${#before} + 1));${y}m"
		return 0
	done < <(screen "$1")
	echo "# \"$2\" is not on the screen of $1"
	return 1
}

echo 1..8
serve

ada_makes_a_room 80 24 && [ "$(mouse ada)" = 00 ]
told $? 'the mouse is off until asked for'
enter grace 40 12 join "$code"
until_shown ada '2 here'

hit ada m
until_shown ada 'mouse is on' && until_mouse ada 11
told $? 'm turns it on'
click ada '13 ' && until_shown ada '[13]'
told $? 'a click on a card votes'
click ada '20 ' && until_shown ada '[20]' && click ada 'help' && until_shown ada 'Keys' &&
	click ada 'Esc back' && until_shown ada '[20]'
told $? 'another changes the vote, and hints are clicked, too'

hit ada m
until_shown ada 'mouse is off' && until_mouse ada 00
told $? 'm turns it off'

hit ada m
until_mouse ada 11 && hit ada q && until_shown ada 'Leave? y / n' && hit ada y
until_shown ada 'ada left with 0' && [ "$(mouse ada)" = 00 ] && is_restored ada
told $? 'who leaves has the terminal as before'

mux set-environment -g AYE_MOUSE on
enter linus 40 12 join "$code"
until_shown linus "$code" "2 here" && until_mouse linus 11
told $? 'who always wants it sets it once'
kill -ABRT "$(cat "$dir/linus.pid")"
until_shown linus 'linus left with' && [ "$(mouse linus)" = 00 ]
told $? 'a crash leaves it off, too'
exit "$failed"
