#!/bin/bash
# tmux_first_session.sh - the first session of a team that has just installed aye, as strangers
# would have it: what `make install` puts in place, nothing configured, three people with a home
# and directories of their own, of whom one is another Unix user where the test may be one.
#
# usage: AYE=path/to/aye AYED=path/to/ayed tmux_first_session.sh
set -u

. "$(dirname "$0")/tmux_kit.bash"
cd "$(dirname "$0")/../.." || exit 1

trap finish_with_servers EXIT

install_() {
	local build
	build=$(dirname "$AYE")
	unset MAKEFLAGS MAKELEVEL MFLAGS
	make -s install DESTDIR="$dir" PREFIX=/usr BUILD="$(dirname "$build")" VARIANT="$(basename "$build")" >"$dir/install.log" 2>&1
}

# The id that somebody else has, if we may be somebody else.
OTHER=61234
may_be_another() {
	[ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null &&
		setpriv --reuid=$OTHER --regid=$OTHER --clear-groups "$dir/usr/bin/aye" version >"$dir/as-other" 2>&1
}

# shell_of PERSON PANE [SETTING...]: a terminal with a plain shell, and the environment of a login.
shell_of() {
	local person=$1 pane=$2 as=()
	shift 2
	if [ "$(stat -c %u "$dir/$person")" -ne "$(id -u)" ]; then
		as=(setpriv "--reuid=$OTHER" "--regid=$OTHER" --clear-groups)
	fi
	mux new-session -d -s "$pane" -x 80 -y 24 "${as[@]}" env -i -C "$dir/$person" HOME="$dir/$person" \
		XDG_RUNTIME_DIR="$dir/$person/run" XDG_STATE_HOME="$dir/$person/state" \
		PATH="$dir/usr/bin:/usr/bin:/bin" TERM=xterm-256color LC_ALL=C.UTF-8 "$@" PS1="$pane> " sh
	until_shown "$pane" "$pane>"
}

all_see() {
	local person
	for person in ada grace linus; do
		until_shown "$person" "$@" || return 1
	done
}

echo 1..14
unset AYE_SERVER XDG_CONFIG_HOME
chmod 755 "$dir"

install_ && [ "$("$dir/usr/bin/aye" version)" = "$("$AYE" version)" ]
told $? 'make install puts the program in place'

mkdir -m 700 "$dir"/{ada,grace,linus} "$dir"/{ada,grace,linus}/run
shell_of ada ada && typed ada 'aye new --share 127.0.0.1:0' && until_shown ada 'Your name:'
told $? 'the first person opens a room for others, and is asked for a name'

typed ada Ada && until_shown ada '1 here' 'To join, run:' && line=$(line_on ada) && [ -n "$line" ]
told $? 'the line for others stands on the screen'

claim='the second person pastes the line, and sits down with the name of the login'
if may_be_another; then
	chown -R "$OTHER:$OTHER" "$dir/grace"
	claim="$claim, another Unix user"
	skip=
else
	skip=' # SKIP of the same Unix user: the test may not be another'
fi
shell_of grace grace USER=Grace && pastes grace "$line" && until_shown grace '2 here' 'Ada ★' && until_shown ada 'Grace'
told $? "$claim$skip"

shell_of linus linus && pastes linus "$line" && until_shown linus 'Your name:' && typed linus Linus && all_see '3 here'
told $? 'the third, whose login has no name, is asked for one'

hit ada 5 && hit grace 1 3 && until_shown grace '[13]' && until_shown ada '2 of 3 voted' 'waiting for Linus'
told $? 'a vote has one digit or two, and all read who is waited for'

hit linus 8 && all_see 'Revealed' '13'
told $? 'when the last one has voted, the cards turn over for all'

hit ada = && until_shown ada 'Settle on:' && hit ada C-u && typed ada 8 && all_see 'Settled on 8'
told $? 'the host settles, and everybody reads on what'

# Of the same person, in another terminal.
code=$(cut -d ' ' -f 3 <<<"$line")
printf 'Summary,Issue key\nPay by card,PAY-1\nRefund,PAY-2\n' >"$dir/ada/backlog.csv"
shell_of ada shell && typed shell "aye story import $code backlog.csv" && until_shown shell '2 stories added' &&
	all_see '2 of 2 stories to do'
told $? 'stories of a file come in, from another terminal'

hit ada N && all_see 'Story 1/2' 'PAY-1 Pay by card' && hit ada 3 && hit grace 3 && hit linus 3 &&
	all_see 'All 3 in favour of 3'
told $? 'the first of them is voted on, and all agree'

hit ada = && all_see 'All in favour, settled on 3' && typed shell "aye export $code --format jira" &&
	until_shown shell 'Issue key,Story Points,Summary' 'PAY-1,3,Pay by card'
told $? 'what they settled on comes out for the tracker'

hit grace q && until_shown grace 'To rejoin: aye join' 'grace>' && until_shown ada '2 here'
told $? 'one leaves, and reads how to come back'

# The shell's line is wider than the terminal, which wraps it.
back=$(mux capture-pane -p -J -t grace | sed -n 's/.*To rejoin: \(aye join .*[^ ]\) *$/\1/p') && pastes grace "$back" &&
	all_see '3 here' 'settled on 3' && until_shown ada 'Grace' && until_hidden grace 'Your name'
told $? 'that line leads back to the same seat, without a question'

hit linus q && hit grace q && until_shown ada '1 here' && hit ada q &&
	until_shown ada 'Left' 'To rejoin: aye join' && typed ada 'aye home | cat' && until_shown ada "$code" 'as Ada'
told $? 'all have left, and the room is on the list of its host'
exit "$failed"
