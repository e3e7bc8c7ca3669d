#!/bin/bash
# tmux_notice.sh - calling somebody through a real tmux: a terminal (here another
# tmux, which writes down what it is sent) has tmux in it, which has aye in it.
#
# usage: AYE=path/to/aye AYED=path/to/ayed tmux_notice.sh
set -u

. "$(dirname "$0")/tmux_kit.bash"

# What aye is told of the terminal: as tmux passes variables on, from where it was started.
unset LC_TERMINAL KITTY_WINDOW_ID WEZTERM_PANE GHOSTTY_RESOURCES_DIR ITERM_SESSION_ID STY
export KONSOLE_VERSION=240802

inner() {
	tmux -L aye-inner -f /dev/null "$@"
}
finish_both() {
	inner kill-server 2>/dev/null
	finish
}
trap finish_both EXIT

# until_sent TEXT: until the outer terminal has been sent that.
until_sent() {
	retried grep -qaF "$1" "$dir/sent"
}

# until_inner TEXT: until it stands on the screen inside.
until_inner() {
	retried inner_has "$1"
}
inner_has() {
	inner capture-pane -p -t aye:0.0 2>/dev/null | grep -qF "$1"
}

notice=$(printf '\033]777;notify;aye;Sprint: ada asks you to vote\a')

echo 1..6
serve

ada_makes_a_room 80 24

inner new-session -d -s aye -x 80 -y 23 "XDG_STATE_HOME=$dir/grace exec $AYE join $code --name grace"
inner set -g allow-passthrough on
mux new-session -d -s outer -x 80 -y 24 "env -u TMUX tmux -L aye-inner attach -t aye"
mux pipe-pane -t outer "cat >$dir/sent"
until_inner '2 here' && until_shown ada '2 here' 'grace'
told $? 'somebody joins in a tmux'

hit ada '!'
until_inner 'ada asks you to vote' && until_sent "$notice"
told $? 'a nudge comes out of tmux as a notice for the terminal outside, as it was made'

[ "$(grep -aoF "$notice" "$dir/sent" | wc -l)" -eq 1 ] && ! grep -qaF 'tmux;' "$dir/sent"
told $? 'once, and nothing of its wrapping'

# The pane beside it takes the focus, and the cards are turned over unseen.
inner set -g focus-events on
inner send-keys -t aye:0.0 ':notify all' Enter
until_inner 'notify all. To keep it: :set --save' && inner send-keys -t aye:0.0 5 && until_shown ada '1 of 2 voted' &&
	inner split-window -h -t aye 'exec cat' && hit ada 8 &&
	until_shown ada 'Revealing in' && hit ada R &&
	until_sent 'notify;aye;Sprint: The cards are revealed'
told $? 'from a pane without the focus one is called for the end of the round as well'

inner select-pane -t aye:0.0
hit ada V && until_shown ada '0 of 2 voted' && until_inner '0 of 2 voted' &&
	inner send-keys -t aye:0.0 5 && until_shown ada '1 of 2 voted' &&
	hit ada R && until_shown ada '1 of 2 have not voted' && hit ada y &&
	until_inner 'Revealed' && [ "$(grep -aoF 'The cards are revealed' "$dir/sent" | wc -l)" -eq 1 ]
told $? 'with the focus back, the next end is only shown'

inner send-keys -t aye:0.0 q
until_shown ada '1 here'
told $? 'and it is left by key'
exit "$failed"
