#!/bin/bash
# tmux_settings.sh - settings in real tmux: chosen on the screen, seen at once,
# kept for the next time, and beaten by the environment and by options.
#
# usage: AYE=path/to/aye AYED=path/to/ayed tmux_settings.sh
set -u

. "$(dirname "$0")/tmux_kit.bash"
unset COLORTERM
file=$XDG_CONFIG_HOME/aye/config

# What stands on a pane with its colours; each number behind "38;5;" is an ink.
colored() { # PANE
	mux capture-pane -e -p -t "$1"
}
has_ink() { # PANE NUMBER
	colored "$1" | grep -q "38;5;$2[;m]"
}
until_ink() { # PANE NUMBER
	retried has_ink "$@" || { colored "$1"; false; }
}
has_no_color() { # PANE
	! colored "$1" | grep -qE $'\033\\[[0-9;]*(3[0-8]|4[0-8])[0-9;]*m'
}

echo 1..10
serve

ada_makes_a_room 80 24 && until_ink ada 31
told $? 'as many colours as the terminal has'

hit ada ':set theme contrast' Enter
until_shown ada 'theme contrast.' && until_ink ada 226 && ! has_ink ada 31
told $? 'another theme counts at once'
hit ada ':set signs ascii' Enter
until_shown ada 'signs ascii.' 'aye - Sprint - '
told $? 'so do other signs'
[ ! -e "$file" ]
told $? 'nothing is kept without being told to'
hit ada ':set --save' Enter
until_shown ada 'Saved' && [ "$(cat "$file")" = "$(printf 'theme = contrast\nsigns = ascii')" ]
told $? 'saving writes what was chosen'

hit ada q
until_shown ada 'ada left with 0'
enter grace 80 24 join "$code"
until_shown grace 'aye - Sprint - ' && until_ink grace 226
told $? 'the next time begins with it'

AYE="env NO_COLOR=1 $AYE" enter linus 40 12 join "$code" --theme default
until_shown linus 'aye - Sprint' && has_no_color linus
told $? 'NO_COLOR takes the colours away, an option the theme'
hit linus ':set colors 256' Enter
until_shown linus 'colors 256.' && until_ink linus 31
told $? 'who asks for colours on the screen gets them'
printf 'theme = pink\nmotion = off\n' >"$file"
enter katherine 80 24 join "$code"
until_shown katherine 'config:1:' 'not pink' 'your card'
told $? 'a line that makes no sense is told on the screen'

hit katherine 'o' 'j' 'j' Right C-s
until_shown katherine 'Saved' '[unicode]' &&
	[ "$(cat "$file")" = "$(printf 'theme = pink\nmotion = off\nsigns = unicode')" ]
told $? 'the page of settings changes and saves, and leaves other lines alone'

exit "$failed"
