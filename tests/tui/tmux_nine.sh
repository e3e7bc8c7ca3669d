#!/bin/bash
# tmux_nine.sh - a meeting of nine, from the import to the export, each at a terminal of their own with a home and
# directories of their own, and what each of them sees:
#
#   Ada      80x24   host, on her own server, which she shares; and a second terminal for verbs
#   Grace    80x24   logged in and a member of the team; answers, leaves before the end and comes back
#   Linus    40x12   comes by home and the line as it is broken there
#   Mary    200x60   comes by the line that the host copies
#   Radia    80x24   in lines
#   Alan             by verbs alone
#   Barbara  80x24   comes late, into the lobby, and is a spectator
#   Kay      80x24   comes by ssh to Ada's machine
#   the estimator    a program that votes, and asks people by MCP
#
# usage: AYE=path/to/aye AYED=path/to/ayed tmux_nine.sh
set -u

. "$(dirname "$0")/tmux_kit.bash"

trap finish_with_servers EXIT

# home_of PERSON: what a login of theirs has in its environment, for env.
home_of() {
	mkdir -p -m 700 "$dir/$1" "$dir/$1/run"
	echo -i -C "$dir/$1" HOME="$dir/$1" XDG_RUNTIME_DIR="$dir/$1/run" USER="${1^}" PATH="$dir/bin:/usr/bin:/bin" \
		TERM=xterm-256color LC_ALL=C.UTF-8
}

# shell_of PERSON WIDTH HEIGHT [SETTING...]: a terminal with a plain shell. PERSON-2 is another one of theirs.
shell_of() {
	local pane=$1 width=$2 height=$3
	shift 3
	# shellcheck disable=SC2046 # words of a command
	mux new-session -d -s "$pane" -x "$width" -y "$height" env $(home_of "${pane%-[0-9]}") "$@" PS1="$pane> " sh
	until_shown "$pane" "$pane>"
}

# by PERSON ARGUMENTS...: aye without a terminal; Ada's server is her own.
by() {
	local person=$1 server=${at-}
	[ "$person" != ada ] || server=
	shift
	# shellcheck disable=SC2046
	env $(home_of "$person") AYE_SERVER="$server" "$AYE" "$@"
}

# so PERSON LINE: typed on a clear terminal.
so() {
	typed "$1" "clear; $2"
}

sshd=$(PATH=$PATH:/usr/sbin command -v sshd)
if [ -z "$sshd" ] || ! command -v ssh >/dev/null; then
	echo 'Bail out! sshd or ssh is missing (make test installs them)'
	exit 1
fi
# Where root's sshd locks itself up; the system's own service makes it likewise.
[ "$(id -u)" != 0 ] || [ -d /run/sshd ] || mkdir -m 755 /run/sshd

at_the_table='ada grace linus mary radia'

# all_see TEXT...: each who is at the table.
all_see() {
	local person
	for person in $at_the_table; do
		until_shown "$person" "$@" || return 1
	done
}

echo 1..37
unset AYE_SERVER XDG_CONFIG_HOME
mkdir -m 700 "$dir/bin" "$dir/elsewhere" && ln -s "$(realpath "$AYE")" "$(realpath "$AYED")" "$dir/bin/"

# ---- before the meeting ----

{
	echo 'Summary,Issue key,Description,Story Points'
	printf '%s\n' 'Pay by card,PAY-101,The first page shows the balance.,' '"Say ""thank you"" after a payment",PAY-102,,' 'Refund,PAY-103,,'
} >"$dir/sprint.csv"
shell_of ada 80 24 && so ada 'aye login Ada && aye team new Payments && aye team set Payments deck=fibonacci' &&
	until_shown ada 'Changed: deck=fibonacci.' && so ada 'aye backlog new Payments Pantry' && until_shown ada 'c_' &&
	by ada item add Pantry Milk --quantity 1.5 --unit l --expiry 3d >/dev/null && by ada item add Backlog 'Export for the bank' >/dev/null &&
	so ada 'aye new --team Payments --title "Sprint 42"' && until_shown ada 'aye · Sprint 42' '1 here' ' 89 '
told $? "the host makes a room of her team, with the team's cards"

until_shown ada 'Only you can reach this server.' && hit ada O && until_shown ada 'All addresses' 'This machine only' '   now' && hit ada O &&
	until_shown ada 'Address [all]:' && typed ada '127.0.0.1:0' && until_shown ada 'Shared. Press I for the join command' 'To join, run:' &&
	line=$(line_on ada) && [ -n "$line" ]
told $? 'she opens it to others, and the line for them stands on the screen'
read -r _ _ code _ at <<<"$line"

invitation=$(by ada invite Payments --ends 1d --uses 2 | grep -o 'aye team join [0-9A-Z-]*' | cut -d ' ' -f 4)
for person in grace mary; do
	by "$person" login "${person^}" >/dev/null && by "$person" team join "$invitation" >/dev/null && by "$person" notify on >/dev/null || break
done
[ "$(by ada team users Payments | wc -l)" = 3 ]
told $? 'two others are members of the team'

# Her second terminal has another XDG_RUNTIME_DIR, as after su.
shell_of ada-2 100 30 XDG_RUNTIME_DIR="$dir/elsewhere" && so ada-2 "aye story import $dir/sprint.csv" && until_shown ada-2 '3 stories added' && until_shown ada '3 of 3 stories to do'
told $? "stories come from the tracker's file by a second terminal, which finds server and room without being told"

# ---- they come ----

shell_of grace 80 24 && pastes grace "$line" && until_shown grace '2 here' 'Ada ★' && until_shown ada '2 here' 'Grace'
told $? 'the second pastes the line of the first screen into a shell'

shell_of linus 40 12 && typed linus aye && until_shown linus 'aye · Home' '● live' && hit linus n && until_shown linus 'Your name:' && hit linus C-u && typed linus Linus &&
	until_shown linus 'You are Linus' && hit linus j && until_shown linus 'Code:' && pastes linus "aye join $code --server \\"$'\n'"$at" &&
	until_shown linus '3 here' 'Ada ★' '0 of 3 voted' && until_shown grace 'Linus'
told $? 'the third pastes it at home, broken as a narrow screen breaks it'

hit ada I && until_shown ada $'\n'"$line" && shell_of mary 200 60 && pastes mary "$line" &&
	until_shown mary '4 here' 'Linus' 'PAY-103 Refund' && until_shown linus '4 here'
told $? 'the fourth pastes what the host has copied, and sees the stories beside the cards'

shell_of radia 80 60 && pastes radia "$line --plain" && until_shown radia "Room $code: Sprint 42" 'Radia, 0 of 5 voted, not voted yet>' && all_see 'Radia'
told $? 'the fifth reads lines'

by alan vote "$code" 13 --name Alan >/dev/null && [ "$(by alan vote 8)" = 'You voted 8.' ] && by alan show | grep -q 'Alan, away, has voted' && until_shown ada '1 away' 'Alan voted'
told $? 'the sixth votes by verb, and again without naming the room'

so ada-2 'aye rules lobby=on' && until_shown radia 'Newcomers now wait in the lobby.' && shell_of barbara 80 24 && pastes barbara "$line" &&
	until_shown barbara 'You are in the lobby.' 'Waiting for a host.' && until_shown ada 'in the lobby: Barbara' '+ admit' &&
	until_shown linus 'in the lobby: Barbara' && until_shown radia 'Barbara waits in the lobby.' && hit ada + && until_shown barbara '6 here' 'Ada ★' &&
	until_shown radia 'Barbara was admitted.'
told $? 'the seventh comes late, waits in the lobby, and is let in'

so ada-2 'aye rules lobby=off locked=on' && until_shown grace 'The room is locked' && ! by mallory join "$code" --plain </dev/null 2>"$dir/locked" &&
	grep -q 'the room is locked; ask its host to unlock it' "$dir/locked" && ! by mallory join ABCDEFGHJK --plain </dev/null 2>"$dir/wrong" &&
	grep -q 'no room ABCDEFGHJK on' "$dir/wrong" && so ada-2 'aye rules locked=off' && until_shown radia 'The room is open again.'
told $? 'a stranger reads of a lock what is not read of a wrong code'

far=$dir/ssh
mkdir "$far" && ssh-keygen -q -t ed25519 -N '' -f "$far/host" && ssh-keygen -q -t ed25519 -N '' -f "$far/kay"
printf '%s\n' "HostKey $far/host" "AuthorizedKeysFile $far/kay.pub" 'UsePAM no' 'StrictModes no' 'PermitRootLogin yes' 'PidFile none' \
	"SetEnv HOME=$dir/ada XDG_RUNTIME_DIR=$dir/ada/run PATH=$dir/bin:/usr/bin:/bin" >"$far/sshd_config"
printf '%s\n' 'Host office' "User $(id -un)" "ProxyCommand $sshd -i -f $far/sshd_config -E $far/log" "IdentityFile $far/kay" "UserKnownHostsFile $far/known" \
	'StrictHostKeyChecking no' 'IdentitiesOnly yes' 'IdentityAgent none' 'BatchMode yes' 'LogLevel ERROR' >"$far/ssh_config"
printf '#!/bin/sh\nexec %s -F %s "$@"\n' "$(command -v ssh)" "$far/ssh_config" >"$far/ssh" && chmod +x "$far/ssh" &&
	shell_of kay 80 24 PATH="$far:$dir/bin:/usr/bin:/bin" && typed kay "aye join $code --server ssh://office" && until_shown kay '7 here' 'Ada ★' && all_see 'Kay'
told $? "the eighth comes by ssh to the host's machine"

# ---- a round, and a second ----

hit ada N && all_see 'PAY-101 Pay by card' && until_shown linus '1/3' 'The first page shows the balance.' && until_shown mary 'Story 1/3' '▸ 1  PAY-101 Pay by card' && until_shown radia 'Voting on: PAY-101 Pay by card (with a description)'
told $? 'the host begins the first story, which all read'

hit barbara s && until_shown barbara 'You are a spectator. s to vote' '0 of 6 voted' && until_shown linus 'spectators: Barbara' && until_shown radia 'Barbara is a spectator now.' &&
	by estimator vote "$code" 13 --bot >/dev/null && until_shown ada 'spectators: Barbara   bots: Estimator'
told $? 'one is a spectator; a program has voted, and is not counted'

by alan vote 8 && hit grace 5 && hit linus 1 3 && until_shown linus '[13]' && hit ada 3 && hit mary 8 x && until_shown mary 'Comment:' && typed mary 'needs a queue' && typed radia 8 &&
	until_shown kay '5 of 6 voted · waiting for you' && until_shown radia 'Your card is 8.' && hit linus 8 && until_shown linus '[8]' && hit linus - &&
	until_shown ada '4 of 6 voted · waiting for Linus and Kay' && until_shown radia "Linus's vote was cleared." && hit linus 8 && until_shown ada '5 of 6 voted · waiting for Kay'
told $? 'each votes in a way of their own; one changes the card, retracts it, and votes again'

! screen ada | grep -qE '│  (5|8) +│|needs' && ! screen mary | grep -q '13 voted' && ! screen radia | grep -qE 'Grace.* 5|Linus.* 13|needs' && ! by alan show --json | grep -q needs
told $? 'nobody sees what another one voted'

hit ada ! && until_shown kay 'Ada asks you to vote' && hit kay 8 && until_shown ada 'Revealing in' 'c to cancel' && until_shown radia 'Everyone has voted. Revealing in a moment.' &&
	until_shown ada 'average 6.9  median 8  agreement 71%' 'Talk: 3 speaks first' 'needs a queue' 'bots: Estimator 13' && until_shown linus 'agree 71%' '3 speaks first' 'Alan  Kay' &&
	until_shown mary 'Talk: 3 speaks first' 'History' '1 round' && until_shown barbara 'Talk: 3 speaks first' &&
	until_shown radia 'Revealed: Ada 3, Grace 5, Linus 8, Mary 8, Radia 8, Alan 8, Kay 8, Estimator 13.' 'Average 6.86, median 8, agreement 71%.'
told $? 'who is missing is nudged and votes, and the cards are revealed to all, with the spread and who speaks first'

hit grace , && until_shown grace '1 👍  2 👎  3 🎉' && hit grace 5 && until_shown ada 'Grace: 🤔' && until_shown linus 'Grace: 🤔' && until_shown radia 'Grace: 🤔' &&
	hit ada w && until_shown ada 'Notes' && hit ada -l 'ask the bank' && hit ada C-s && until_shown ada 'Saved' && hit ada Escape &&
	hit mary w && until_shown mary 'ask the bank' && hit mary Escape && until_shown mary 'Talk: 3'
told $? 'they talk: a reaction by a digit is seen by all, and notes are written together'

hit grace q && until_shown grace 'Widest spread: 3 to 8 on PAY-101 Pay by card' 'To rejoin: aye join' && hit kay q && until_shown kay 'To rejoin: aye join' &&
	hit radia C-d && until_shown radia "Left $code" && until_shown ada 'average 6.9  median 8  agreement 71%' 'Grace (left)' 'Kay (left)' 'Radia (left)' &&
	until_shown linus 'agree 71%' 'Grace (left)' && until_shown mary 'Radia (left)' && hit linus s && until_shown linus 'Spectate? Your 8 stays in this' && hit linus n
told $? 'who leaves stays in the result'

hit ada = && until_shown ada 'Settle on:' && typed ada 8 && until_shown ada 'Settled on 8 · N next story' && until_shown linus 'Settled on 8' && until_shown mary 'Settled on 8' '1 of 3 estimated'
told $? 'the host settles, and those who are there read on what'

so grace "aye join $code --server $at" && until_shown grace '5 here' '│  5  │' 'Settled on 8' && so kay "aye join $code --server ssh://office" &&
	until_shown kay 'Settled on 8' '6 here' '│  8  │' && so radia "aye join $code --plain --server $at" && until_shown radia 'Your card is 8.' 'Radia, revealed>' && until_hidden ada '(left)'
told $? 'they come back to their seats and cards'

hit ada V && until_shown ada '2nd vote' '0 of 6 voted' && until_shown linus '0 of 6 voted' && until_shown radia 'PAY-101 Pay by card' && hit ada U &&
	until_shown ada 'Settled on 8' 'average 6.9' && until_shown linus 'Settled on 8' && until_shown radia 'Ada: Round 2 was restored.'
told $? 'another vote on it is begun, and undone with nothing lost'

# ---- the list, and what is beside it ----

sed -i -e 's/after a payment/after each payment/' -e '$a Receipts by mail,PAY-104,,' "$dir/sprint.csv" && so ada-2 "aye story import $dir/sprint.csv" &&
	until_shown ada-2 '1 story added, 3 known, 1 of them changed' && until_shown ada 'Story 1/4' && until_shown linus '1/4' && until_shown radia 'Story added: PAY-104 Receipts by mail' &&
	[ "$(by ada story list | grep -c PAY-101)" = 1 ] && by ada story list | grep -q 'done .* 8 .*PAY-101'
told $? "the tracker's file comes again, with one more, and doubles nothing"

hit ada S && until_shown ada '1 of 4 estimated' && hit linus S && until_shown linus '◂ Ada' && hit ada b && until_shown ada 'Backlogs · Payments' '> Backlog' && hit ada Down Enter &&
	until_shown ada '> Milk' '1.5  l' && hit ada b && until_shown ada 'Milk has a quantity: 1.5 l' && hit ada d && until_shown ada 'Delete Milk? This cannot be undone. y / n' && hit ada n &&
	hit ada Escape && until_shown ada '> Pantry' && hit ada Up Enter && until_shown ada '> Export for the bank' && hit ada b && until_shown ada '+Export for the bank' &&
	until_shown linus 'Export for the bank' && hit ada Escape Escape && until_shown ada '1 of 5 estimated'
told $? 'milk is no story; an item of the backlog becomes one'

hit ada End d && until_shown linus '1 of 4 estimated' && until_shown ada 'removed' && hit ada u && until_shown linus '1 of 5 estimated' &&
	hit ada Escape && until_shown ada 'Settled on 8 · N next' && hit ada i && until_shown ada 'Inbox' 'Revealed · settled on 8' && hit ada Escape && until_shown ada 'N next story' &&
	hit ada I && until_shown ada $'\n'"$line" && hit ada T && until_shown ada '> Payments' && hit ada Escape && until_shown ada 'N next story' && hit ada ':' && until_shown ada ' next' 'Esc cancel' &&
	! screen ada | grep -q item- && hit ada Escape && hit linus Escape && until_shown linus 'Settled on 8'
told $? 'd deletes and u restores, i is the inbox, I invites and T shows teams, from inside the room'

# ---- questions, beside it ----

hit ada i && until_shown ada 'Press a to ask one' && hit ada a && until_shown ada 'A new question' 'Question:' && typed ada 'Ship it?' && until_shown ada '> Options' &&
	hit ada Enter && until_shown ada 'Options:' && typed ada 'yes, no' && until_shown ada '> To' && hit ada Enter && until_shown ada 'To:' && typed ada Payments &&
	until_shown ada 'team Payments' && hit ada C-s && until_shown ada 'Asked: 2 answers needed' && hit ada Escape Escape && until_shown ada 'N next story' && until_shown grace 'New question: Ship it? (press i)' && until_shown mary 'New question: Ship it?'
told $? 'the host asks her team, which is told so at the table'

hit grace i && until_shown grace '> general  Ship it?' '0 of 2' && hit grace Enter && until_shown grace '0 of 2 answers' && hit grace 1 && until_shown grace '[yes]' && hit grace Enter &&
	until_shown grace 'Your answer was sent' && ! screen grace | grep -qi 'point\|badge' && hit grace Escape && until_shown grace 'Settled on 8' &&
	hit mary i && until_shown mary 'Ship it?' && hit mary Enter && until_shown mary '1 of 2 answers' && hit mary 2 Enter && until_shown mary 'Your answer was sent' && hit mary Escape && until_shown mary 'Settled on 8' &&
	until_shown ada 'Your question has closed, 2 of 2 answered: Ship it?' && hit ada i Tab && until_shown ada 'closed  Ship it?' '2 of 2' && hit ada Escape Escape && until_shown ada 'N next story'
told $? 'they answer without leaving the table, and the host is told of it'

# As an agent's client writes it.
mcp() { # TOOL ARGUMENTS: what the tool answers.
	printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}' \
		'{"jsonrpc":"2.0","method":"notifications/initialized"}' "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"$1\",\"arguments\":$2}}" |
		by estimator mcp --name estimator
}
question=$(mcp ask_human '{"question":"Which bank is first?","options":["north","south"],"min_responses":1}' | grep -o 'q_[0-9A-Z]*' | head -n 1)
[ -n "$question" ] && by alan answer "$question" south --sure 4 >"$dir/answered" 2>"$dir/as_whom" && ! grep -qi 'point\|badge' "$dir/answered" &&
	mcp check_human_responses "{\"question_id\":\"$question\"}" | grep -q '"south"'
told $? 'the program asks people as well, and reads what the one without a screen answered'

# ---- the host goes for a coffee ----

# They vote, and the host, too.
all_vote() { # CARD
	local person
	for person in grace linus mary kay; do hit "$person" "$1"; done
	by alan vote "$1" && typed radia "$1" && until_shown ada '5 of 6 voted' && hit ada "$1" && until_shown ada 'Revealing in' && hit ada R && until_shown ada "All 7 in favour of $1"
}

so ada-2 'aye next' && until_shown ada-2 'PAY-102 Say "thank you" after each payment' && until_shown linus '2/5' '0 of 6 voted' && until_shown radia 'Voting on: PAY-102'
told $? 'the next story is begun by verb'

kill -KILL $(pgrep -P "$(mux display -p -t ada '#{pane_pid}')") && until_shown grace '2 away  Ada  Alan' 'Ada is away; ' ' in ' && hit grace R && until_shown grace 'Only a host can do that here. Ada is away; ' ' becomes host in ' &&
	hit ada C-j 'stty sane && echo the shell is "back"' C-j && until_shown ada 'the shell is back' && so ada "aye join $code" && until_shown ada '7 here' 'you ★' 'N next' && until_shown grace 'Ada ★' && until_hidden grace 'becomes host'
told $? 'a host whose program dies is missed, and is the host again'

hit ada q && until_shown ada 'You host, and 6 others are here. Leave? y / n' && hit ada y && until_shown ada 'To rejoin: aye join' && until_shown grace 'Ada left; ' ' host now' && until_shown linus 'Ada left;' &&
	until_shown radia 'Ada left' && ! screen grace | grep -q 'Ada is back' && [ "$(by alan show | grep -c 'Ada')" = 0 ] && so ada "aye join $code" && until_shown ada '7 here' && until_shown grace 'Ada is back, and host' &&
	until_shown linus 'Ada is' && until_shown ada 'you ★' 'N next'
told $? 'a host who leaves is followed by another, and is host on coming back'

# ---- to the end ----

all_vote 5 && until_shown linus 'All 7 in favour' && so ada-2 'aye settle 5' && until_shown ada-2 'Settled on 5.' && until_shown mary 'settled on 5' && until_shown radia 'Settled on 5.'
told $? 'all agree, which everybody reads, and the estimate is settled by verb'

for story in PAY-103 PAY-104 Export; do
	hit ada N && until_shown ada "$story" '0 of 6 voted' && until_shown radia "Voting on: $story" && all_vote 3 && hit ada = && until_shown radia 'Settled on 3.' || break
done
until_shown ada 'Summary · Sprint 42' 'Stories: 5 (5 done, 0 to do, 0 skipped), 22 points' 'To talk about' '3 to 8, settled on 8' "aye export $code --format" &&
	hit ada i && until_shown ada 'Inbox' && hit ada Escape && until_shown ada 'To talk about' && hit ada T && until_shown ada '> Payments' && hit ada Escape && until_shown ada 'To talk about'
told $? 'after the last story the host reads the totals, and what to talk about'

by ada export "$code" --format jira >"$dir/points.csv" 2>"$dir/left_out" && tr -d '\r' <"$dir/points.csv" | diff - <(printf '%s\n' 'Issue key,Story Points,Summary' 'PAY-101,8,Pay by card' \
	'PAY-102,5,"Say ""thank you"" after each payment"' 'PAY-103,3,Refund' 'PAY-104,3,Receipts by mail') && by ada item list Backlog | grep -q '  3 .*points .*Export for the bank' &&
	by ada item list Pantry | grep -q '  1.5 .*l .*Milk'
told $? "what was settled comes out for the tracker and stands in the team's backlog; the milk is as it was"

so ada-2 "aye delete $code" && until_shown ada-2 "Delete room $code for everyone? [y/N]" && typed ada-2 n && so ada-2 'aye item remove Pantry Milk' && until_shown ada-2 'Delete Milk? This cannot be undone. [y/N]' && typed ada-2 n &&
	so ada-2 'aye item list Pantry' && until_shown ada-2 Milk && until_shown linus 'Summary · Sprint 42'
told $? 'what cannot be undone is asked about in a shell as well'

so ada-2 'aye unshare' && until_shown ada-2 'only this machine' && ! by mallory show "$code" 2>/dev/null && hit linus Escape && until_shown linus '7 here' && hit linus Z && until_shown linus 'Summary · Sprint 42'
told $? 'sharing ends, and who is there stays'

hit radia C-d && until_shown radia "Left $code" && hit linus Escape && until_shown linus ' here' && hit linus q && until_shown linus 'aye · Home' "> $code  Sprint 42"
for person in grace mary kay barbara; do
	hit "$person" Escape && until_shown "$person" ' here' && hit "$person" q && until_shown "$person" '5 of 5 stories estimated, 22 points' 'To rejoin: aye join' || break
done
hit ada Escape && until_shown ada '1 here' && hit ada q &&
	until_shown mary 'Widest spread: 3 to 8 on PAY-101 Pay by card' && until_shown ada '5 of 5 stories estimated, 22 points' "To save it: aye export $code" && so ada 'aye home | cat' && until_shown ada "$code"
told $? 'each leaves, and reads what was done and how it is kept'
exit "$failed"
