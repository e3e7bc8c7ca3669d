#!/bin/bash
# ssh_session.sh - people come in by a real sshd, each with a key: it is their seat, and there is no way around it.
#
# The sshd talks through its standard files, one for each connection: no port is
# taken, and it ends with the connection.
. "$(dirname "$0")/cli_kit.bash"
export LC_ALL=C.UTF-8
unset TMUX SSH_ORIGINAL_COMMAND
sshd=$(PATH=$PATH:/usr/sbin command -v sshd)
if [ -z "$sshd" ] || ! command -v ssh >/dev/null || ! command -v tmux >/dev/null; then
	echo "Bail out! sshd, ssh or tmux is missing (make test installs them)"
	exit 1
fi
AYE=$(realpath "$AYE")
# Where root's sshd locks itself up; the system's own service makes it likewise.
[ "$(id -u)" != 0 ] || [ -d /run/sshd ] || mkdir -m 755 /run/sshd
start_server main --kiosk-user "$(id -u)" || { echo "Bail out! no server"; exit 1; }
server_at=$server

in_tmux() {
	tmux -S "$home/tmux" -f /dev/null "$@"
}
ended_with_tmux() {
	in_tmux kill-server 2>/dev/null
	# What sshd says of a key stays where ssh ends it first.
	cut -d ' ' -f 2 "$home/keys" | grep -lsFf - /tmp/sshauth.* | xargs -r rm -f
	finish
}
trap ended_with_tmux EXIT

ssh-keygen -q -t ed25519 -N '' -C '' -f "$home/host_key"
for who in ada grace cy; do
	ssh-keygen -q -t ed25519 -N '' -C '' -f "$home/$who"
	cat "$home/$who.pub"
done >"$home/keys"
# Whatever the files say by which the account's shell begins, and however long that takes, is left out of this.
cat >"$home/sshd_config" <<END
HostKey $home/host_key
PidFile none
UsePAM no
StrictModes no
PermitRootLogin yes
AuthenticationMethods publickey
AuthorizedKeysFile $home/keys
ExposeAuthInfo yes
ForceCommand $AYE --ssh-session --server $server_at
Subsystem sftp internal-sftp
LogLevel ERROR
SetEnv ASAN_OPTIONS=detect_leaks=0 HOME=$HOME
END
cat >"$home/ssh_config" <<END
Host *
	User $(id -un)
	ProxyCommand $sshd -i -f $home/sshd_config -E $home/sshd.log
	StrictHostKeyChecking no
	UserKnownHostsFile $home/known_hosts
	IdentitiesOnly yes
	IdentityAgent none
	BatchMode yes
	LogLevel ERROR
END
if ! "$sshd" -t -f "$home/sshd_config"; then
	echo "Bail out! this sshd cannot be run by this user"
	exit 1
fi

as() { # WHO WORD...
	local who=$1
	shift
	ssh -F "$home/ssh_config" -i "$home/$who" host "$@"
}
screen() { # PERSON
	in_tmux capture-pane -p -t "$1"
}
screen_shows() { # PERSON PATTERN
	screen "$1" | grep -q -- "$2"
}
until_screen() { # PERSON PATTERN
	until_true screen_shows "$@"
}
until_told() { # FILE TEXT
	until_true grep -qF -- "$2" "$1"
}
# Chosen, or turned over since: the last vote begins the countdown.
voted_8='\[8\]\|median 8'
# The processes that sshd began for the keys.
clients() {
	pgrep -f "^$AYE --ssh-session --server $server_at\$"
}
until_no_client() {
	while [ -n "$(clients)" ]; do :; done
}

a_room_is_made_and_voted_in_by_lines() {
	as ada new --name "Ada L" </dev/null >"$home/out" || return 1
	cat "$home/out"
	code=$(head -n 1 "$home/out")
	echo "$code" >"$home/code"
	grep -qx "ssh -t HOST $code" "$home/out" && printf '5\nquit\n' | as ada "$code" >"$home/out" &&
		grep -q "Your card is 5" "$home/out" && [ "$(tail -n 1 "$home/out")" = "Left $code. To rejoin: ssh -t HOST $code" ]
}
another_key_votes_on_a_screen() {
	in_tmux new-session -d -s grace -x 80 -y 24 "ssh -F '$home/ssh_config' -i '$home/grace' -tt host join $code --name Grace"
	until_screen grace "you" && in_tmux send-keys -t grace C-z 8 && until_screen grace "$voted_8"
}
user_of() { # KEY
	as "$1" whoami </dev/null | sed -n 's/.*(user \([^)]*\)).*/\1/p'
}
who_comes_back_is_the_same_user_in_the_same_seat() {
	local before after
	before=$(user_of ada)
	printf 'who\nquit\n' | as ada "$code" >"$home/out" || return 1
	cat "$home/out"
	after=$(user_of ada)
	grep -q "^Ada L, you" "$home/out" && [ -n "$before" ] && [ "$before" = "$after" ] && [ "$before" != "$(user_of grace)" ]
}
who_was_cut_off_has_the_vote_still() {
	in_tmux new-session -d -s again -x 80 -y 24 "ssh -F '$home/ssh_config' -i '$home/grace' -tt host $code"
	until_screen again "$voted_8" && in_tmux kill-session -t again && until_no_client
}
a_key_without_a_name_has_to_say_one() {
	ends_with 2 as cy "$code" </dev/null 2>"$home/err" && cat "$home/err" && grep -q -- "--name NAME" "$home/err"
}
is_refused() { # WORD...
	ends_with 2 as ada "$@" 2>"$home/err" </dev/null >"$home/out" || { cat "$home/err"; return 1; }
	cat "$home/err"
	[ ! -s "$home/out" ] && [ "$(wc -l <"$home/err")" = 1 ] && grep -q "available over ssh: " "$home/err"
}
no_files_are_served() {
	! echo "ls /" | sftp -F "$home/ssh_config" -i "$home/ada" -b - host >"$home/out" 2>&1 && ! grep -q "^etc" "$home/out"
}
a_login_is_the_keys_own() {
	as ada login Ada </dev/null | grep -qx "logged in as Ada" && as ada whoami </dev/null | grep -q "^Ada (user " || return 1
	ends_with 1 as grace login Ada </dev/null 2>"$home/err" && grep -q "that name is taken" "$home/err" &&
		as grace login Grace </dev/null && as grace whoami </dev/null | grep -q "^Grace (user "
}
newest_of_ada_shows() { # TEXT...
	printf 'mine\n1\nq\n' | as ada inbox >"$home/out"
	for text in "$@"; do
		grep -qxF -- "$text" "$home/out" || { cat "$home/out"; return 1; }
	done
}
a_question_is_asked_and_answered() {
	local question
	question=$(as ada ask "Ship it today?" -o yes -o "not now" </dev/null) && as grace inbox </dev/null | grep -q "^1: .*Ship it today?" || return 1
	as grace answer "$question" not now </dev/null && newest_of_ada_shows "Ship it today?" "yes: 0" "not now: 1"
}
standard_input_asks_and_answers() {
	local question
	question=$(printf 'What would you\ncall this verb?\n' | as ada ask -) && echo "ask; sh" | as grace answer "$question" - || return 1
	newest_of_ada_shows "What would you" "call this verb?" && grep -q "ask; sh" "$home/out"
}
the_inbox_takes_lines() {
	as ada ask "Ship it tomorrow?" -o yes -o no </dev/null && printf 'answer 1 no\nq\n' | as grace answer >"$home/lines" || return 1
	cat "$home/lines"
	grep -q "^1: .*Ship it tomorrow?" "$home/lines" && newest_of_ada_shows "Ship it tomorrow?" "no: 1"
}
an_answer_is_asked_for_on_a_terminal() {
	local question ended
	question=$(as ada ask "Ship it next week?" -o yes -o no </dev/null) || return 1
	in_tmux new-session -d -s asked -x 80 -y 24 "ssh -F '$home/ssh_config' -i '$home/grace' -tt host answer $question; echo ended; cat"
	until_screen asked "Your choice, 1 to 2:" && in_tmux send-keys -t asked C-z 2 Enter && until_screen asked "Confidence" &&
		in_tmux send-keys -t asked Enter && until_screen asked "^ended" && newest_of_ada_shows "Ship it next week?" "no: 1"
	ended=$?
	screen asked
	in_tmux kill-session -t asked
	return "$ended"
}
the_inbox_is_a_screen_from_which_home_is_seen() {
	in_tmux new-session -d -s inbox -x 80 -y 24 "ssh -F '$home/ssh_config' -i '$home/ada' -tt host inbox"
	until_screen inbox "Inbox" && in_tmux send-keys -t inbox Escape && until_screen inbox "$code"
	local ended=$?
	screen inbox
	in_tmux kill-session -t inbox
	until_no_client
	return "$ended"
}
a_team_is_made_and_seen() {
	as ada team new "The Payments" </dev/null && as ada team </dev/null >"$home/out" || return 1
	cat "$home/out"
	grep -q "owner .*The Payments$" "$home/out" && as ada team show The Payments </dev/null | grep -q "^1 member; you are an owner" &&
		! as grace team list </dev/null | grep -q Payments
}
as_lin() { # WORD...: somebody at a terminal of this machine
	XDG_STATE_HOME=$home/lin "$AYE" "$@" --server "$server_at" </dev/null
}
a_team_is_joined_by_an_invitation() {
	local invitation
	as_lin login Lin && as_lin team new Platform && invitation=$(as_lin invite Platform | cut -d ' ' -f 1) || return 1
	as grace team join "$invitation" </dev/null && as grace team list </dev/null >"$home/out" || return 1
	cat "$home/out"
	grep -q "member .*Platform$" "$home/out"
}
nothing_is_kept_of_anybody() {
	find "$XDG_STATE_HOME" 2>/dev/null
	[ ! -e "$XDG_STATE_HOME/aye" ]
}
# LeakSanitizer would look into the process by ptrace, which the session's filter refuses.
without_a_server_it_says_so_and_starts_none() {
	echo "publickey $(cut -d' ' -f1,2 "$home/ada.pub")" >"$home/auth"
	ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 SSH_USER_AUTH=$home/auth SSH_ORIGINAL_COMMAND=new AYE_SERVER= ends_with 3 "$AYE" --ssh-session </dev/null 2>"$home/err" || return 1
	grep -q "no server listens at" "$home/err" && [ -z "$(private_pid)" ]
}
a_key_that_is_none_is_refused() {
	local key
	key=$(cut -d' ' -f2 "$home/ada.pub")
	for key in "" "publickey" "publickey ssh-ed25519" "publickey ssh-ed25519 ..$key" "password" "publickey ssh-ed25519-cert-v01@openssh.com $key"; do
		echo "$key" >"$home/auth"
		SSH_USER_AUTH=$home/auth SSH_ORIGINAL_COMMAND=whoami ends_with 2 "$AYE" --ssh-session --server "$server_at" 2>"$home/err" || return 1
		grep -q "which passes the key" "$home/err" || return 1
	done
	ends_with 2 "$AYE" --ssh-session version 2>/dev/null && ends_with 2 "$AYE" --ssh-session 2>/dev/null
}
another_user_of_the_system_is_not_believed() {
	start_server other || return 1
	echo "publickey $(cut -d' ' -f1,2 "$home/ada.pub")" >"$home/auth"
	SSH_USER_AUTH=$home/auth SSH_ORIGINAL_COMMAND=whoami ends_with 1 "$AYE" --ssh-session --server "$server" 2>"$home/err" &&
		cat "$home/err" && grep -q "only the ssh kiosk of this host can do that" "$home/err"
}
hanging_up_ends_the_screen() {
	[ -n "$(clients)" ] && in_tmux kill-session -t grace && until_no_client
}
hanging_up_ends_the_lines() {
	local pid
	mkfifo "$home/in"
	as ada "$code" <"$home/in" >"$home/out" &
	pid=$!
	exec {to}>"$home/in"
	until_told "$home/out" "Ada" && [ -n "$(clients)" ] || return 1
	pid=$(pgrep -P "$pid" -x ssh || echo "$pid")
	kill -KILL "$pid"
	until_no_client
}

in_tmux new-session -d -s stays cat
claim "a key makes a room and votes in it, in lines" a_room_is_made_and_voted_in_by_lines
read -r code <"$home/code"
claim "another key votes on a screen, which ^Z does not stop" another_key_votes_on_a_screen
claim "who comes back is the same user in the same seat" who_comes_back_is_the_same_user_in_the_same_seat
claim "a program has to be told a name where none is known" a_key_without_a_name_has_to_say_one
claim "another verb is refused" is_refused export "$code" -o "$home/stolen"
claim "a shell is refused" is_refused "$code; sh"
claim "nothing without a terminal is refused" is_refused
claim "a long command is refused" is_refused "login $(printf '%0300d' 7)"
claim "no files are served" no_files_are_served
claim "without a server it says so and starts none" without_a_server_it_says_so_and_starts_none
claim "a key that is none is refused" a_key_that_is_none_is_refused
claim "hanging up ends the screen" hanging_up_ends_the_screen
claim "who was cut off comes back to the same vote" who_was_cut_off_has_the_vote_still
claim "hanging up ends the lines" hanging_up_ends_the_lines
claim "a login is the key's own" a_login_is_the_keys_own
claim "a question is asked, and answered, without quotes" a_question_is_asked_and_answered
claim "standard input asks, and answers" standard_input_asks_and_answers
claim "the inbox takes lines" the_inbox_takes_lines
claim "an answer is asked for on a terminal" an_answer_is_asked_for_on_a_terminal
claim "the inbox is a screen, from which home is seen" the_inbox_is_a_screen_from_which_home_is_seen
claim "a team is made, listed and shown" a_team_is_made_and_seen
claim "a team is joined by an invitation" a_team_is_joined_by_an_invitation
claim "a question with another option is refused" is_refused ask "Ship it today?" --server tcp://127.0.0.1:1
claim "an answer from a file is refused" is_refused answer /etc/passwd
claim "other words about teams are refused" is_refused team delete The Payments
claim "nothing is kept of anybody" nothing_is_kept_of_anybody
claim "another user of the system is not believed" another_user_of_the_system_is_not_believed
