#!/bin/bash
# ssh_server.sh - a server on another machine, reached by ssh: a real sshd on a loopback port carries the
# connections, each failure says which end it was, and no ssh outlives what needed it.
. "$(dirname "$0")/cli_kit.bash"
export LC_ALL=C.UTF-8
unset TMUX SSH_AUTH_SOCK SSH_ORIGINAL_COMMAND
sshd=$(PATH=$PATH:/usr/sbin command -v sshd)
ssh=$(command -v ssh)
if [ -z "$sshd" ] || [ -z "$ssh" ] || ! command -v tmux >/dev/null; then
	echo "Bail out! sshd, ssh or tmux is missing (make test installs them)"
	exit 1
fi
AYE=$(realpath "$AYE")
# Where root's sshd locks itself up; the system's own service makes it likewise.
[ "$(id -u)" != 0 ] || [ -d /run/sshd ] || mkdir -m 755 /run/sshd
start_server main || { echo "Bail out! no server"; exit 1; }
socket=${server#unix:}

in_tmux() {
	tmux -S "$home/tmux" -f /dev/null "$@"
}
sshd_pid=
# sshd writes its title over its environment, by which strays are found.
ended_with_sshd() {
	in_tmux kill-server 2>/dev/null
	[ ! -S "$home/master" ] || ssh -O exit shared 2>/dev/null
	[ -z "$sshd_pid" ] || kill "$sshd_pid" 2>/dev/null
	finish
}
trap ended_with_sshd EXIT

# ---- the far machine: one user, and a key for each way it can be there ----

mkdir "$home/far_bin" "$home/no_bin" "$home/near_bin" "$home/old_bin"
mkdir -m 700 "$home/far_run"
ln -s "$AYE" "$home/far_bin/aye"
printf '#!/bin/sh\necho "aye: there is no verb relay (aye --help lists them)" >&2\nexit 2\n' >"$home/old_bin/aye"
chmod +x "$home/old_bin/aye"
ssh-keygen -q -t ed25519 -N '' -C '' -f "$home/host_key"
ssh-keygen -q -t ed25519 -N '' -C '' -f "$home/other_host_key"
key() { # NAME PASSPHRASE ENVIRONMENT...
	local name=$1 passphrase=$2 options=restrict,port-forwarding
	shift 2
	ssh-keygen -q -t ed25519 -N "$passphrase" -C '' -f "$home/$name"
	for variable in "$@"; do
		options+=",environment=\"$variable\""
	done
	printf '%s %s\n' "$options" "$(cat "$home/$name.pub")" >>"$home/keys"
}
# Whoever runs the test may have a server of their own.
far_state=XDG_STATE_HOME=$home/far_state
usual=("PATH=$home/far_bin" "AYE_SERVER=unix:$socket" "$far_state")
key ada "" "${usual[@]}"
key locked secret "${usual[@]}"
key bare "" "PATH=$home/no_bin"
key old "" "PATH=$home/old_bin"
key lone "" "PATH=$home/far_bin" "XDG_RUNTIME_DIR=$home/far_run" "$far_state"
ssh-keygen -q -t ed25519 -N '' -C '' -f "$home/stranger"
# Whatever the files say by which the account's shell begins, and however long that takes, is left out of this.
cat >"$home/sshd_config" <<END
ListenAddress 127.0.0.1
HostKey $home/host_key
PidFile none
UsePAM no
StrictModes no
PermitRootLogin yes
PermitUserEnvironment yes
SetEnv HOME=$HOME
AuthenticationMethods publickey
AuthorizedKeysFile $home/keys
LogLevel VERBOSE
END
# The port is whichever is free: an sshd that does not get it ends.
start_sshd() {
	local try
	for ((try = 0; try < 50; try++)); do
		port=$((20000 + RANDOM % 20000))
		: >"$home/sshd.log"
		"$sshd" -D -f "$home/sshd_config" -E "$home/sshd.log" -p "$port" &
		sshd_pid=$!
		while kill -0 "$sshd_pid" 2>/dev/null; do
			grep -q "^Server listening on" "$home/sshd.log" && return 0
		done
	done
	cat "$home/sshd.log"
	return 1
}
start_sshd || { echo "Bail out! this sshd cannot be run by this user"; exit 1; }

# ---- this machine: ssh finds its configuration by a program of that name in PATH ----

printf '[127.0.0.1]:%s %s\n' "$port" "$(cat "$home/host_key.pub")" >"$home/known_hosts"
printf 'wrong %s\n' "$(cat "$home/other_host_key.pub")" >>"$home/known_hosts"
: >"$home/no_hosts"
host() { # NAME KEY LINE...
	printf 'Host %s\n\tIdentityFile %s\n' "$1" "$home/$2"
	shift 2
	printf '\t%s\n' "$@"
}
{
	for name in ada locked bare old lone stranger; do
		host "$name" "$name"
	done
	host wrong ada "HostKeyAlias wrong"
	host fresh ada "HostKeyAlias fresh" "UserKnownHostsFile $home/no_hosts"
	host shared ada "ControlMaster auto" "ControlPath $home/master" "ControlPersist 60"
	host closed ada "Port 1"
	host hop ada "ProxyJump ada"
	cat <<-END
	Host *
		HostName 127.0.0.1
		User $(id -un)
		Port $port
		UserKnownHostsFile $home/known_hosts
		GlobalKnownHostsFile none
		StrictHostKeyChecking ask
		IdentitiesOnly yes
		IdentityAgent none
		NumberOfPasswordPrompts 1
	END
} >"$home/ssh_config"
printf '#!/bin/sh\nprintf "%%s\\n" "$*" >>"%s"\nexec "%s" -F "%s" "$@"\n' "$home/calls" "$ssh" "$home/ssh_config" >"$home/near_bin/ssh"
chmod +x "$home/near_bin/ssh"
export PATH=$home/near_bin:$PATH
: >"$home/calls"

# The ssh that carry connections, by process id; a master of others is none.
children() {
	pgrep -f "^$ssh -F $home/ssh_config -T"
}
no_child_is_left() {
	[ -z "$(children)" ]
}
# What sshd has begun for connections, by process id.
connections() {
	pgrep -P "$sshd_pid"
}
relays() {
	local pid
	for pid in $(pgrep -fx "aye relay"); do
		grep -qsaF "$home/far_bin" "/proc/$pid/environ" && echo "$pid"
	done
}
no_relay_is_left() {
	[ -z "$(relays)" ]
}
screen() { # PERSON
	in_tmux capture-pane -p -t "$1"
}
screen_shows() { # PERSON PATTERN
	screen "$1" | grep -q -- "$2"
}
until_screen() { # PERSON PATTERN
	until_true screen_shows "$@" || { screen "$1"; return 1; }
}
until_told() { # FILE TEXT
	until_true grep -qF -- "$2" "$1" || { cat "$1"; return 1; }
}
fails_saying() { # CODE HOST TEXT
	ends_with "$1" "$AYE" server ping --server "ssh://$2" </dev/null >"$home/out" 2>"$home/err" || { cat "$home/err"; return 1; }
	cat "$home/err"
	[ ! -s "$home/out" ] && [ "$(wc -l <"$home/err")" = 1 ] && grep -qF -- "cannot reach ssh://$2: $3" "$home/err" && no_child_is_left
}

# ---- claims ----

a_room_is_made() {
	"$AYE" new --name Ada --server ssh://ada </dev/null >"$home/out" || return 1
	cat "$home/out"
	read -r code <"$home/out"
	echo "$code" >"$home/code"
	grep -qx "aye join $code --server ssh://ada" "$home/out" && AYE_SERVER=$server room_shows "$code" "$code"
}
a_vote_goes_there() {
	"$AYE" room vote "$code" 5 --name Ada --wait --server ssh://ada </dev/null >"$home/out" &
	local voter=$!
	until_true room_shows_a_vote || return 1
	"$AYE" room reveal "$code" --server ssh://ada </dev/null && wait "$voter" && grep -q 5 "$home/out" &&
		"$AYE" room reset "$code" --server ssh://ada </dev/null && no_child_is_left
}
room_shows_a_vote() {
	AYE_SERVER=$server "$AYE" room show "$code" --json | grep -q '"has_vote":true'
}
what_ssh_is_told() { # WORDS: of the last call
	tail -n 1 "$home/calls"
	[ "$(tail -n 1 "$home/calls")" = "$1" ]
}
user_port_and_path_are_passed_on() {
	ends_with 0 "$AYE" room show "$code" --server "ssh://$(id -un)@lone:$port$socket" </dev/null >"$home/out" || return 1
	grep -q "$code" "$home/out" && what_ssh_is_told "-T -o BatchMode=yes -p $port -- $(id -un)@lone aye relay --server 'unix:$socket'"
}
others_are_invited_without_our_user() {
	"$AYE" new --server "ssh://$(id -un)@ada" </dev/null >"$home/out"
	cat "$home/out"
	grep -q -- "--server ssh://ada$" "$home/out"
}
another_command_may_be_named() {
	AYE_SSH_COMMAND="'$ssh' -F '$home/ssh_config' -o 'HostKeyAlias=[127.0.0.1]:$port'" "$AYE" server ping --server ssh://ada </dev/null | grep -q "^ssh://ada answers"
}
a_command_that_is_none_is_named() {
	AYE_SSH_COMMAND="$home/none -x" ends_with 3 "$AYE" server ping --server ssh://ada </dev/null 2>"$home/err"
	cat "$home/err"
	grep -q "cannot reach ssh://ada: ssh cannot be run here: AYE_SSH_COMMAND: .*$home/none" "$home/err"
}
without_ssh_it_says_so() {
	PATH=$home/no_bin ends_with 3 "$AYE" server ping --server ssh://ada </dev/null 2>"$home/err"
	cat "$home/err"
	grep -q "cannot reach ssh://ada: ssh cannot be run here: no such file" "$home/err"
}
nothing_is_run_for_a_host_that_is_an_option() {
	local before=$(wc -l <"$home/calls") address
	for address in "ssh://-oProxyCommand=touch$home/owned" "ssh://ada/x'\$(touch $home/owned)'" "ssh://ada;touch $home/owned" "ssh://-l@ada"; do
		ends_with 2 "$AYE" server ping --server "$address" 2>/dev/null || return 1
	done
	[ "$(wc -l <"$home/calls")" = "$before" ] && [ ! -e "$home/owned" ]
}
status_starts_no_ssh() {
	local before=$(wc -l <"$home/calls")
	"$AYE" status --server ssh://ada >/dev/null
	AYE_SERVER=ssh://ada "$AYE" status "$code" --json >/dev/null
	[ "$(wc -l <"$home/calls")" = "$before" ]
}
a_login_is_this_addresses_own() {
	"$AYE" login Ada --server ssh://ada </dev/null | grep -qx "logged in as Ada" &&
		"$AYE" whoami --server ssh://ada </dev/null | grep -q "^Ada (user " || return 1
	ends_with 1 "$AYE" whoami --server "ssh://$(id -un)@ada" </dev/null 2>/dev/null &&
		ends_with 0 "$AYE" logout --server ssh://ada </dev/null
}
a_master_carries_the_next_ones() {
	local before after
	"$AYE" server ping --server ssh://shared </dev/null || return 1
	before=$(grep -c "^Accepted publickey" "$home/sshd.log")
	"$AYE" server ping --server ssh://shared </dev/null && "$AYE" room show "$code" --server ssh://shared </dev/null || return 1
	after=$(grep -c "^Accepted publickey" "$home/sshd.log")
	[ "$before" = "$after" ] && ssh -O check shared && ssh -O exit shared
}
a_large_answer_is_whole() {
	local big
	big=$(AYE_SERVER=$server "$AYE" room create) || return 1
	for ((i = 0; i < 200; i++)); do
		echo "{\"method\":\"story.add\",\"params\":{\"room_id\":\"$big\",\"title\":\"Story $i $(printf '%0100d' "$i")\"}}"
	done >"$home/stories"
	sed -n 's/.*"title":"\(.*\)"}}/- \1/p' "$home/stories" >"$home/stories.md"
	"$AYE" story import "$big" "$home/stories.md" --name Ada --server ssh://ada </dev/null >"$home/out" || { cat "$home/out"; return 1; }
	"$AYE" export "$big" --format json --server ssh://ada </dev/null >"$home/far.json" &&
		AYE_SERVER=$server "$AYE" export "$big" --format json >"$home/near.json" || return 1
	ls -l "$home"/*.json
	[ "$(grep -o '"title"' "$home/far.json" | wc -l)" -ge 200 ] && [ "$(wc -c <"$home/far.json")" = "$(wc -c <"$home/near.json")" ]
}
watches() {
	: >"$home/watched"
	"$AYE" watch "$code" --server ssh://ada </dev/null >"$home/watched" 2>"$home/watch_err" &
	watcher=$!
	until_told "$home/watched" "Room $code"
}
a_cut_is_told_and_mended() {
	local before
	watches || return 1
	before=$(children)
	[ -n "$before" ] && kill -KILL $(connections) && until_told "$home/watch_err" "connection lost: the ssh connection to ada was lost" || return 1
	"$AYE" room title "$code" "After the cut" --server ssh://ada </dev/null && until_told "$home/watched" "After the cut" || return 1
	[ "$(children)" != "$before" ] && until_told "$home/watch_err" "connected again" || return 1
	echo "$watcher" >"$home/watcher"
}
who_is_ended_leaves_none() { # SIGNAL
	read -r watcher <"$home/watcher"
	kill "-$1" "$watcher"
	until_true no_child_is_left && until_true no_relay_is_left
}
who_is_killed_leaves_none() {
	watches && [ -n "$(relays)" ] && kill -KILL "$watcher" && until_true no_child_is_left && until_true no_relay_is_left
}
# Stopped, it takes no end of its input for one; the time for it runs out.
an_ssh_that_stands_still_is_ended() {
	watches || return 1
	kill -STOP $(children) && kill -TERM "$watcher" && wait "$watcher"
	until_true no_child_is_left && until_true no_relay_is_left
}
# The far side never says a word, and ssh has all the time there is.
who_is_ended_while_ssh_waits_leaves_none() { # SIGNAL
	local ended child
	rm -f "$home/waiting"
	AYE_SSH_COMMAND="$home/waits" env --default-signal="$1" "$AYE" server ping --timeout 600 --server ssh://ada </dev/null &
	ended=$!
	until_true [ -s "$home/waiting" ] && read -r child <"$home/waiting" && kill "-$1" "$ended" || return 1
	wait "$ended"
	[ "$?" = "$((128 + $(kill -l "$1")))" ] && until_true is_gone "$child"
}
lines_are_typed_there() {
	printf '8\nwho\nquit\n' | "$AYE" join "$code" --plain --name Grace --server ssh://ada >"$home/out" || return 1
	cat "$home/out"
	grep -q "Your card is 8" "$home/out" && grep -q "To rejoin: aye join $code --server ssh://ada$" "$home/out" && no_child_is_left
}
a_script_runs_there() {
	echo '{"method":"server.ping"}' | "$AYE" script --server ssh://ada | grep -q '"result"' && no_child_is_left
}
on_a_small_screen() {
	in_tmux new-session -d -s small -x 40 -y 12 "'$AYE' join $code --name Lin --server ssh://ada 2>'$home/screen_err'"
	until_screen small "you" && in_tmux send-keys -t small 8 && until_screen small "\[8\]"
}
an_interrupt_there_is_no_end_of_ssh() {
	local before
	before=$(children)
	[ -n "$before" ] && in_tmux send-keys -t small C-z C-'\' && in_tmux send-keys -t small 5 && until_screen small "\[5\]" && [ "$(children)" = "$before" ]
}
a_cut_leaves_the_screen_whole() {
	kill -KILL $(connections) && until_screen small "lost\|again\|onnect" && until_true room_has_lin && until_screen small "\[5\]"
}
room_has_lin() {
	[ -n "$(children)" ]
}
leaving_the_screen_leaves_none() {
	in_tmux send-keys -t small q && until_true no_child_is_left && until_true no_relay_is_left
}
ssh_asks_before_the_screen() {
	in_tmux new-session -d -s locked -x 80 -y 24 "'$AYE' join $code --name Eve --server ssh://locked --timeout 1; cat"
	until_screen locked "Enter passphrase" && in_tmux send-keys -t locked secret Enter && until_screen locked "you" && ! screen_shows locked "passphrase"
}
ssh_does_not_ask_on_the_screen() {
	kill -KILL $(connections) && until_screen locked "ssh to locked failed" && ! screen_shows locked "passphrase" || { screen locked; return 1; }
	in_tmux send-keys -t locked q
	until_true no_child_is_left
}
home_waits_for_what_ssh_asks() {
	in_tmux new-session -d -s home -x 80 -y 24 "'$AYE' --server ssh://locked; cat"
	until_screen home "Enter passphrase" && ! screen_shows home "create" && in_tmux send-keys -t home secret Enter &&
		until_screen home "create" && until_screen home "live" || { screen home; return 1; }
	in_tmux send-keys -t home q
	until_true no_child_is_left
}
home_opens_where_ssh_gets_nothing() {
	in_tmux new-session -d -s again -x 80 -y 24 "'$AYE' --server ssh://locked; cat"
	until_screen again "Enter passphrase" && in_tmux send-keys -t again wrong Enter && until_screen again "ssh to locked failed" &&
		screen_shows again "Recent rooms" || { screen again; return 1; }
	in_tmux send-keys -t again q
	until_true no_child_is_left
}
an_interrupt_ends_it_while_ssh_asks() {
	in_tmux new-session -d -s stopped -x 80 -y 24 "'$AYE' --server ssh://locked; echo ended with \$?; cat"
	until_screen stopped "Enter passphrase" && in_tmux send-keys -t stopped C-c && until_screen stopped "ended with" && until_true no_child_is_left
}
an_unknown_host_is_asked_about() {
	in_tmux new-session -d -s fresh -x 80 -y 24 "'$AYE' room show $code --server ssh://fresh --timeout 1; cat"
	until_screen fresh "continue connecting" && in_tmux send-keys -t fresh yes Enter && until_screen fresh "After the cut"
}
an_unknown_host_is_refused_where_nobody_can_be_asked() {
	fails_saying 3 fresh "ssh to fresh failed: Host key verification failed. (try: ssh fresh)"
}
relay_joins_sockets_alone() {
	ends_with 2 "$AYE" relay --server tcp://127.0.0.1:1 </dev/null 2>"$home/err" && grep -q "unix socket" "$home/err" &&
		ends_with 3 "$AYE" relay --server "unix:$home/none.sock" </dev/null 2>"$home/err" && grep -q "no server at $home/none.sock" "$home/err" &&
		ends_with 0 "$AYE" relay --server "$server" </dev/null
}

claim "a room is made on the far machine" a_room_is_made
read -r code <"$home/code"
claim "a vote goes there, and comes back" a_vote_goes_there
claim "ssh is told user, port and socket" user_port_and_path_are_passed_on
claim "others are invited without our user" others_are_invited_without_our_user
claim "AYE_SSH_COMMAND takes the place of ssh" another_command_may_be_named
claim "an AYE_SSH_COMMAND that is no program is named" a_command_that_is_none_is_named
claim "without ssh it says so" without_ssh_it_says_so
claim "a host or path that would be an option or a command is refused" nothing_is_run_for_a_host_that_is_an_option
claim "a jump host leads there" "$AYE" room show "$code" --server ssh://hop
claim "a ControlMaster carries the next ones, and stays" a_master_carries_the_next_ones
claim "aye status starts no ssh" status_starts_no_ssh
claim "a login is this address's own" a_login_is_this_addresses_own
claim "a large room comes whole" a_large_answer_is_whole
claim "lines are typed there" lines_are_typed_there
claim "a script runs there" a_script_runs_there
claim "a wrong host key is refused" fails_saying 3 wrong "ssh to wrong failed: Host key verification failed."
claim "an unknown host is refused where nobody can be asked" an_unknown_host_is_refused_where_nobody_can_be_asked
claim "a key that nobody knows is refused" fails_saying 3 stranger "ssh to stranger failed: $(id -un)@127.0.0.1: Permission denied (publickey)"
claim "no sshd is said" fails_saying 3 closed "ssh to closed failed: ssh: connect to host 127.0.0.1 port 1: Connection refused"
claim "no aye on the far machine is said" fails_saying 3 bare "aye is not installed on bare: "
claim "an aye that cannot relay is said" fails_saying 3 old "aye on old does not relay: there is no verb relay"
claim "no server on the far machine is said" fails_saying 3 lone "no server is running on lone: no server at $home/far_run/aye/ayed.sock"
claim "no server at that socket is said" fails_saying 3 "ada$home/none.sock" "no server is running on ada: no server at $home/none.sock"
claim "relay joins sockets alone" relay_joins_sockets_alone
claim "a cut connection is told and made again" a_cut_is_told_and_mended
claim "who is ended leaves no ssh" who_is_ended_leaves_none TERM
claim "who is killed leaves no ssh" who_is_killed_leaves_none
printf '#!/bin/sh\necho $$ >"%s"\nexec sleep 600\n' "$home/waiting" >"$home/waits"
chmod +x "$home/waits"
for signal in INT TERM HUP; do
	claim "who is ended by SIG$signal while ssh waits leaves no ssh behind" who_is_ended_while_ssh_waits_leaves_none "$signal"
done
claim "an ssh that stands still is ended" an_ssh_that_stands_still_is_ended
in_tmux new-session -d -s stays cat
claim "on a screen of 40x12 a card is chosen" on_a_small_screen
claim "keys that signal elsewhere do not reach ssh" an_interrupt_there_is_no_end_of_ssh
claim "a cut leaves the screen whole" a_cut_leaves_the_screen_whole
claim "leaving the screen leaves no ssh" leaving_the_screen_leaves_none
claim "ssh asks for a passphrase before the screen" ssh_asks_before_the_screen
claim "ssh asks for nothing on the screen" ssh_does_not_ask_on_the_screen
claim "home waits for what ssh asks" home_waits_for_what_ssh_asks
claim "home opens where ssh gets no answer" home_opens_where_ssh_gets_nothing
claim "an interrupt ends it while ssh asks" an_interrupt_ends_it_while_ssh_asks
claim "ssh asks about a host that is not known" an_unknown_host_is_asked_about
