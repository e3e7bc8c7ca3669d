#!/bin/bash
# ssh_kiosk.sh - the ssh kiosk as aye ssh-setup makes it, behind a real sshd: two people vote, and nobody gets out.
. "$(dirname "$0")/ssh_kiosk_kit.bash"

# ---- a round of two who came in ----

a_round_is_played() {
	local room
	"$AYE" new </dev/null >"$home/out" || return 1
	cat "$home/out"
	room=$(head -n 1 "$home/out")
	grep -qx "ssh -t vote@$(uname -n) $room" "$home/out" || return 1
	in_tmux new-session -d -s ada -x 80 -y 24 "ssh -F '$home/ssh_config' -i '$home/ada' -tt host $room"
	until_screen ada "Your name:" && in_tmux send-keys -t ada Ada Enter && until_screen ada "you" || return 1
	in_tmux new-session -d -s grace -x 80 -y 24 "ssh -F '$home/ssh_config' -i '$home/grace' -tt host $room --name Grace"
	until_screen grace Ada && "$AYE" vote "$room" 8 --name Far --server ssh://far && until_screen grace Far && in_tmux send-keys -t ada 5 && in_tmux send-keys -t grace 8 &&
		until_screen ada 'median 8' && until_screen grace Revealed && echo "$room" >"$home/room" && "$AYE" room show "$room" | grep -q Grace
}
a_key_is_the_same_user_again() {
	as ada whoami >"$home/out" || return 1
	cat "$home/out"
	grep -q "^Ada (user" "$home/out" && grep -qx "in room $room" "$home/out" && [ "$(as ada whoami | head -n 1 | cut -d, -f1)" = "$(head -n 1 "$home/out" | cut -d, -f1)" ]
}
a_name_is_one_keys() {
	ends_with 1 as grace login Ada 2>"$home/err" && grep -q "that name is taken" "$home/err"
}
the_server_believes_nobody_else() { # COMMAND...
	ends_with 1 "$@" call session.assert "{\"fingerprint\":\"SHA256:$(printf '%043d' 8)\",\"user_name\":\"Eve\"}" 2>"$home/err" &&
		cat "$home/err" && grep -q "only the ssh kiosk of this host can do that" "$home/err"
}

# An account of the machine, as which ssh:// has aye relay run; who has it may do more than vote.
cp "$home/far.pub" /etc/ssh/far.keys
printf 'Match User root\n    AuthorizedKeysFile /etc/ssh/far.keys\n' >/etc/ssh/sshd_config.d/60-far.conf
cat >/etc/ssh/ssh_config.d/far.conf <<END
Host far
	HostName 127.0.0.1
	User root
	IdentityFile $home/far
	IdentitiesOnly yes
	StrictHostKeyChecking no
	UserKnownHostsFile $home/known_hosts
	BatchMode yes
END
start_kiosk
claim "aye new says how to come in, and two who do vote with one who came by ssh://" a_round_is_played
read -r room <"$home/room"
claim "a key is the same user again, with the same seat" a_key_is_the_same_user_again
claim "a name is one key's" a_name_is_one_keys
claim "root is not believed who has a key" the_server_believes_nobody_else "$AYE"
claim "nobody is believed over TCP" the_server_believes_nobody_else "$AYE" --server tcp://127.0.0.1:2937
mkdir -m 1777 "$home/nobody"
claim "another user is not believed" the_server_believes_nobody_else setpriv --reuid daemon --clear-groups env HOME=/nonexistent XDG_STATE_HOME="$home/nobody" "$AYE"

# ---- ways out: what one may ask for ----

no_mark() {
	[ -z "$(ls -A "$marks")" ] || { ls -lA "$marks"; return 1; }
}
# Another command than those there are: said in one line, and nothing is done.
command_is_refused() { # COMMAND
	ends_with 2 as ada "$1" >"$home/out" 2>"$home/err" || { cat "$home/out" "$home/err"; return 1; }
	cat "$home/out" "$home/err"
	no_mark && [ ! -s "$home/out" ] && [ "$(wc -l <"$home/err")" = 1 ] && grep -q "available over ssh: " "$home/err"
}
commands=(
	"$room; touch $mark"
	"$room && touch $mark"
	"$room | touch $mark"
	"$room & touch $mark"
	"\$(touch $mark)"
	"\`touch $mark\`"
	"$room > $mark"
	"$room"$'\n'"touch $mark"
	"-c 'touch $mark'"
	"touch $mark"
	"sh -c 'touch $mark'"
	"/bin/sh"
	"bash -i"
	"exec sh"
	"env"
	"internal-sftp"
	"/usr/lib/openssh/sftp-server"
	"scp -f /etc/passwd"
	"scp -t $marks"
	"rsync --server --sender . /etc"
	"git-upload-pack /etc"
	"aye"
	"relay"
	"ssh-setup --remove"
	"--ssh-session"
	"--help"
	"export $room -o $mark"
	"story import $room /etc/passwd"
	"$room --server tcp://127.0.0.1:2937"
	"$room --passcode-file /etc/shadow"
	"join $room --name"
	"new --share"
	"new --deck 1,2"
	"serve"
	"mcp"
	"script $room"
	"call server.stats"
	"room show $room"
	"notify me@example.org"
	"completion bash"
	"join $room/../$room"
	"login --guest"
	"whoami --json"
	"login A"$'\e]0;x\a'
	"login "$'\xff\xfe'
	"login $(printf '%0300d' 7)"
	"AYE_SERVER=tcp://127.0.0.1:2937 $room"
	"cat >> .ssh/authorized_keys"
	"ask"
	"ask -o yes -o no"
	"ask Ship it today? -o"
	"ask Ship it today? --server tcp://127.0.0.1:2937"
	"ask Ship it today? --room $room"
	"ask Ship it today? -o yes -o no --wait"
	"ask --passcode-file /etc/shadow Ship it today?"
	"ask -- Ship it today?"
	"ask - /etc/passwd"
	"ask Ship it today?"$'\n'"-o $mark"
	"ask $(printf '%0300d' 7)"
	"ask Which?$(printf ' -o %d' {1..11})"
	"answer /etc/passwd"
	"answer -"
	"answer ../q_K7QX3M7HQ2 yes"
	"answer q_K7QX3M7HQ2;sh"
	"answer q_K7QX3M7HQ2 yes --comment $mark"
	"answer q_K7QX3M7HQ2 -o $mark"
	"answer q_K7QX3M7HQ2 - /etc/passwd"
	"answer q_K7QX3M7HQ2 --server ssh://127.0.0.1"
	"inbox --plain"
	"inbox --server tcp://127.0.0.1:2937"
	"inbox /etc/passwd"
	"question list"
	"team show"
	"team show --json"
	"team new Payments -o $mark"
	"team join K7QX-3MHQ-2MB4-XNAW-PX6R --server ssh://127.0.0.1"
	"team delete Payments"
	"team list /etc"
	"teams"
	"backlog import Groceries /etc/passwd"
	"backlog export Groceries -o $mark"
	"invite Payments"
)
for command in "${commands[@]}"; do
	claim "no command: $(printf '%q' "${command:0:60}" | sed "s|$home|DIR|g; s|$room|CODE|g; s/#/./g")" command_is_refused "$command"
done
claim "no command, no terminal: refused" command_is_refused ""

# ---- ways out: what ssh can do beside a command ----

ping_bytes='\x94\x00\x01\xabserver.ping\x91\x80'
# What a way into the network would give: the server's answer to a ping. Nothing, where there is none.
no_answer_at() { # PORT
	python3 - "$1" <<-END
		import socket, sys
		s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
		try:
		    s.sendall(b"$ping_bytes")
		    s.settimeout(None)
		    sys.exit(1 if s.recv(1) else 0)
		except ConnectionError:
		    sys.exit(0)
	END
}
no_answer_by_socks() { # PORT
	python3 - "$1" <<-END
		import socket, sys
		s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
		try:
		    s.sendall(b"\x05\x01\x00")
		    s.recv(2)
		    s.sendall(b"\x05\x01\x00\x01\x7f\x00\x00\x01" + (2937).to_bytes(2, "big"))
		    answer = s.recv(10)
		    s.sendall(b"$ping_bytes")
		    sys.exit(1 if answer[1:2] == b"\x00" and s.recv(1) else 0)
		except ConnectionError:
		    sys.exit(0)
	END
}
port_is_open() { # PORT
	bash -c "exec 2>/dev/null 3<>/dev/tcp/127.0.0.1/$1"
}
forward_gives_nothing() { # PORT CHECK OPTION...
	local port=$1 check=$2 pid code
	shift 2
	ssh -F "$home/ssh_config" -i "$home/ada" -N "$@" host 2>"$home/err" </dev/null &
	pid=$!
	until_true port_is_open "$port" && "$check" "$port"
	code=$?
	kill "$pid" && wait "$pid" 2>/dev/null
	cat "$home/err"
	return "$code"
}
ssh_fails() { # WHO PATTERN ARGUMENT...
	local who=$1 pattern=$2
	shift 2
	ends_with 255 ssh -F "$home/ssh_config" -i "$home/$who" -o LogLevel=INFO "$@" </dev/null >"$home/out" 2>"$home/err" || return 1
	cat "$home/err"
	[ ! -s "$home/out" ] && grep -q -- "$pattern" "$home/err"
}
standard_forward_gives_nothing() {
	printf "$ping_bytes" | ssh -F "$home/ssh_config" -i "$home/ada" -W 127.0.0.1:2937 host >"$home/out" 2>"$home/err"
	cat "$home/err"
	[ ! -s "$home/out" ] && grep -q "forwarding failed" "$home/err"
}
files_are_not_served() { # COMMAND...
	! "$@" >"$home/out" 2>&1 </dev/null || return 1
	cat "$home/out"
	no_mark && [ ! -e "$home/got" ] && ! grep -q "^root:" "$home/out"
}
sftp_is_refused() {
	! echo "ls /" | sftp -F "$home/ssh_config" -i "$home/ada" -b - host >"$home/out" 2>&1 && ! grep -q etc "$home/out"
}
no_command_begins_nothing() {
	ssh -F "$home/ssh_config" -i "$home/ada" -N -o ControlMaster=yes -o ControlPath="$home/control" host 2>"$home/err" </dev/null &
	local pid=$!
	until_true test -S "$home/control" && nobody_is_in_with_ada
	local code=$?
	kill "$pid" && wait "$pid" 2>/dev/null
	return "$code"
}
nobody_is_in_with_ada() {
	[ "$(sessions | wc -l)" = "$sessions_n" ]
}
one_connection_is_one_session() {
	in_tmux new-session -d -s first -x 80 -y 24 "ssh -F '$home/ssh_config' -i '$home/ada' -o ControlMaster=yes -o ControlPath='$home/control1' -tt host $room"
	until_screen first you && ! ssh -F "$home/ssh_config" -o ControlPath="$home/control1" -o ControlMaster=no -o ProxyCommand=false host whoami >"$home/out" 2>&1 </dev/null
	local code=$?
	in_tmux kill-session -t first
	cat "$home/out"
	return "$code"
}
counts_for_sshd() { # LINE
	/usr/sbin/sshd -T -f /etc/ssh/sshd_config -C user=vote,host=x,addr=192.0.2.7 | grep -qx -- "$1"
}
agent_is_not_forwarded() {
	local code
	eval "$(ssh-agent -s)" >/dev/null
	in_tmux new-session -d -s agent -x 80 -y 24 "ssh -F '$home/ssh_config' -i '$home/ada' -o IdentityAgent='$SSH_AUTH_SOCK' -A -tt host $room"
	until_screen agent you && pid=$(sessions_of agent) && environment_of "$pid" && ! environment_of "$pid" | grep -q ^SSH_AUTH_SOCK=
	code=$?
	in_tmux kill-session -t agent
	kill "$SSH_AGENT_PID"
	unset SSH_AUTH_SOCK SSH_AGENT_PID
	return "$code"
}
# The newest session: the one that has just shown its screen.
sessions_of() {
	sessions | sort -n | tail -n 1
}
environment_of() { # PID
	tr '\0' '\n' <"/proc/$1/environ"
}

in_tmux kill-session -t ada
in_tmux kill-session -t grace
claim "whoever hangs up is gone" until_nobody_is_in
sessions_n=0
port_is_open 2937 || echo "Bail out! the server is not there"
claim "a port of this host is not forwarded (-L)" forward_gives_nothing 9901 no_answer_at -L 9901:127.0.0.1:2937
claim "a socket of this host is not forwarded (-L)" forward_gives_nothing 9902 no_answer_at -L 9902:/run/ayed/ayed.sock
claim "no proxy into the network (-D)" forward_gives_nothing 9903 no_answer_by_socks -D 9903
claim "standard input is not forwarded (-W)" standard_forward_gives_nothing
claim "nothing is listened on for them (-R)" ssh_fails ada "remote port forwarding failed" -N -o ExitOnForwardFailure=yes -R 9904:127.0.0.1:22 host
claim "no proxy back (-R)" ssh_fails ada "remote port forwarding failed" -N -o ExitOnForwardFailure=yes -R 9905 host
claim "no socket is made for them (-R)" ssh_fails ada "remote port forwarding failed" -N -o ExitOnForwardFailure=yes -R "$mark:127.0.0.1:22" host
claim "the agent is not forwarded (-A)" agent_is_not_forwarded
claim "no tunnel (-w)" counts_for_sshd "permittunnel no"
claim "no X11 (-X)" counts_for_sshd "x11forwarding no"
claim "no file of theirs is run at login (.ssh/rc)" counts_for_sshd "permituserrc no"
claim "no environment file of theirs" counts_for_sshd "permituserenvironment no"
claim "no sftp" sftp_is_refused
claim "no download by scp" files_are_not_served scp -F "$home/ssh_config" -i "$home/ada" host:/etc/passwd "$home/got"
claim "no download by scp of old" files_are_not_served scp -O -F "$home/ssh_config" -i "$home/ada" host:/etc/passwd "$home/got"
claim "no upload by scp" files_are_not_served scp -F "$home/ssh_config" -i "$home/ada" /etc/hostname "host:$mark"
claim "no upload by scp of old" files_are_not_served scp -O -F "$home/ssh_config" -i "$home/ada" /etc/hostname "host:$mark"
claim "no subsystem" ssh_fails ada "subsystem request failed" -s host netconf
claim "no command is none (-N)" no_command_begins_nothing
claim "a connection has one session" one_connection_is_one_session
claim "no other key" ssh_fails stranger 'Permission denied (publickey)' host whoami
claim "no password" ssh_fails ada 'Permission denied (publickey)' -o PubkeyAuthentication=no -o PreferredAuthentications=password,keyboard-interactive host

certificate_lets_nobody_in() {
	cp "$home/ca.pub" /etc/ssh/ca.pub
	echo 'TrustedUserCAKeys /etc/ssh/ca.pub' >/etc/ssh/sshd_config.d/50-ca.conf
	reload_sshd
	ssh-keygen -q -s "$home/ca" -I cy -n vote "$home/cy.pub" && ssh_fails cy 'Permission denied (publickey)' host whoami
	local code=$?
	rm -f "$home/cy-cert.pub" /etc/ssh/sshd_config.d/50-ca.conf
	reload_sshd
	return "$code"
}
claim "a certificate that the host trusts lets nobody in" certificate_lets_nobody_in

# ---- ways out: the environment ----

variables=(LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT TERMINFO TERMINFO_DIRS TERMCAP LC_ALL LC_CTYPE LANG LANGUAGE LOCPATH NLSPATH GCONV_PATH
	COLUMNS LINES PATH HOME SHELL ENV BASH_ENV IFS EDITOR PAGER AYE_SERVER AYE_ROOM AYE_NAME XDG_STATE_HOME XDG_CONFIG_HOME
	SSH_USER_AUTH SSH_ORIGINAL_COMMAND TZ ASAN_OPTIONS)
evil=()
for variable in "${variables[@]}"; do
	evil+=("$variable=/evil")
done
variable_is_not_taken() { # NAME
	grep -q "^HOME=/var/lib/vote$" "$home/environment" && ! grep "^$1=/evil" "$home/environment"
}
room=$(as ada new | head -n 1) # of which ada is the host
in_tmux new-session -d -s env -x 80 -y 24 "ssh -F '$home/ssh_config' -i '$home/ada' -o 'SetEnv=${evil[*]}' -tt host $room"
until_screen env you
environment_of "$(sessions_of env)" >"$home/environment"
for variable in "${variables[@]}"; do
	claim "the variable $variable is not theirs to set" variable_is_not_taken "$variable"
done

# ---- ways out: the process itself ----

pid=$(sessions_of env)
process_says() { # LINE
	grep -x -- "$1" "/proc/$pid/status"
}
nobody_of_its_user_looks_into_it() { # FILE
	[ "$(stat -c %U "/proc/$pid/$1")" = root ] && ! setpriv --reuid vote --regid vote --clear-groups head -c 1 "/proc/$pid/$1"
}
nothing_is_open_for_writing() {
	local fd at flags
	for fd in "/proc/$pid/fd"/*; do
		at=$(readlink "$fd")
		flags=$(sed -n 's/^flags:[^0-7]*//p' "/proc/$pid/fdinfo/${fd##*/}")
		case $at in
		/dev/pts/* | socket:* | pipe:* | anon_inode:*) ;;
		*) [ $((flags & 3)) = 0 ] || { echo "$at"; return 1; } ;;
		esac
	done
}
it_has_no_child() {
	[ -z "$(pgrep -P "$pid")" ]
}
it_leaves_no_core() {
	grep -q '^Max core file size *0 *0 ' "/proc/$pid/limits"
}
claim "system calls are filtered" process_says "Seccomp:	2"
claim "no privileges are to be had" process_says "NoNewPrivs:	1"
claim "it has no capabilities" process_says "CapEff:	0000000000000000"
claim "it is one thread" process_says "Threads:	1"
claim "it leaves no core dump" it_leaves_no_core
claim "its memory is closed to its user" nobody_of_its_user_looks_into_it mem
claim "its environment is closed to its user" nobody_of_its_user_looks_into_it environ
claim "no file is open for writing" nothing_is_open_for_writing
claim "it has no child" it_has_no_child

# ---- ways out: keys on the screen, lines without one ----

# The title that the room gets then says that the keys before were taken.
keys_do_nothing() { # KEY...
	titles=$n
	in_tmux send-keys -t env "$@" && in_tmux send-keys -t env Escape Escape ":title T$titles." Enter || return 1
	until_screen env "T$titles\\." || return 1
	no_mark && it_has_no_child && ! grep -q "root:x:0" "$home/screen" && ! process_says "State:	T (stopped)"
}
claim "Ctrl-Z stops nothing" keys_do_nothing C-z
claim "Ctrl-S and Ctrl-Q hold nothing" keys_do_nothing C-s C-q
claim "no :!" keys_do_nothing ":!touch $mark" Enter
claim "no !" keys_do_nothing "!" "touch $mark" Enter
claim "no :shell" keys_do_nothing ":shell" Enter
claim "no :w" keys_do_nothing ":w $mark" Enter
claim "no :r" keys_do_nothing ":r /etc/passwd" Enter
claim "no :e" keys_do_nothing ":e /etc/passwd" Enter
claim "no :export" keys_do_nothing ":export $mark" Enter
claim "no :import" keys_do_nothing ":import /etc/passwd" Enter
claim "no :source" keys_do_nothing ":source /etc/passwd" Enter
claim "no :log" keys_do_nothing ":log $mark" Enter
claim "no :server" keys_do_nothing ":server tcp://127.0.0.1:2937" Enter
claim "no :share" keys_do_nothing ":share 127.0.0.1:9906" Enter
claim "nothing listens for it" bash -c '! exec 2>/dev/null 3<>/dev/tcp/127.0.0.1/9906'
lines_do_nothing() {
	printf '%s\n' "!touch $mark" ":!touch $mark" "export $mark" ":export $mark" "import /etc/passwd" "log $mark" "w $mark" ":w $mark" \
		"\$(touch $mark)" "\`touch $mark\`" "; touch $mark" "| touch $mark" "> $mark" "source /etc/passwd" ":r /etc/passwd" who quit |
		as_with grace -- "$room" >"$home/out" 2>&1
	cat "$home/out"
	grep -q "^Left $room" "$home/out" && no_mark && ! grep -q "root:x:0" "$home/out"
}
claim "lines that would do more do nothing" lines_do_nothing
texts_stay_texts() {
	local question run="\$(touch $mark)"
	question=$(as ada "ask Is $run \`touch $mark\` ; touch $mark > $mark -o $run -o | sh") && as grace "answer $question $run" || return 1
	printf 'mine\n1\nq\n' | as_with ada -- inbox >"$home/out"
	cat "$home/out"
	grep -qxF "Is $run \`touch $mark\` ; touch $mark > $mark" "$home/out" && grep -qxF "$run: 1" "$home/out" && grep -qxF "| sh: 0" "$home/out" && no_mark
}
claim "what is asked and answered is text alone" texts_stay_texts
team_is_only_text() {
	as ada "team new \$(touch $mark); sh" && as ada "team show \$(touch $mark); sh" >"$home/out" && grep -qF "\$(touch $mark); sh" "$home/out" && no_mark
}
claim "what a team is called is text alone" team_is_only_text
# It is that of ssh, which has none here.
standard_input_is_no_file() { # COMMAND
	ends_with 2 as ada "$1" 2>"$home/err" && cat "$home/err" && grep -q "standard input has no text" "$home/err"
}
claim "- is standard input" standard_input_is_no_file "ask -"
lines_of_the_inbox_do_nothing() {
	printf '%s\n' "!touch $mark" ":!touch $mark" "answer 1 <$mark" "comment 1 \$(touch $mark)" "show /etc/passwd" "export $mark" \
		":export $mark" ":r /etc/passwd" "import /etc/passwd" "; touch $mark" "| touch $mark" "> $mark" mine list q |
		as_with grace -- inbox >"$home/out" 2>&1
	cat "$home/out"
	grep -q "^You have not asked any questions" "$home/out" && no_mark && ! grep -q "root:x:0" "$home/out"
}
claim "lines of the inbox that would do more do nothing" lines_of_the_inbox_do_nothing
question=$(as ada ask "Ship it today?" -o yes -o no)
keys_at_the_answer_do_nothing() {
	local pid before ended
	before=$(sessions)
	in_tmux new-session -d -s answer -x 80 -y 24 "ssh -F '$home/ssh_config' -i '$home/grace' -tt host answer $question"
	until_screen answer "Your choice, 1 to 2:" || return 1
	pid=$(sessions | grep -vxF "$before")
	in_tmux send-keys -t answer C-z "!touch $mark" Enter ":!touch $mark" Enter "\$(touch $mark)" Enter "< /etc/passwd" Enter
	until_screen answer "passwd\"\? is not one of its options" && no_mark && it_has_no_child && process_says "Seccomp:	2" && ! process_says "State:	T (stopped)" &&
		! grep -q "root:x:0" "$home/screen"
	ended=$?
	in_tmux kill-session -t answer
	return "$ended"
}
claim "keys at the answer do nothing" keys_at_the_answer_do_nothing
keys_at_the_inbox_do_nothing() {
	local ended
	in_tmux new-session -d -s inbox -x 80 -y 24 "ssh -F '$home/ssh_config' -i '$home/grace' -tt host inbox"
	until_screen inbox "Ship it today" || return 1
	in_tmux send-keys -t inbox C-z ":!touch $mark" Enter Escape Escape ":r /etc/passwd" Enter Escape Escape ":export $mark" Enter Escape Escape ":inbox" Enter
	until_screen inbox "^ Inbox" && no_mark && ! grep -q "root:x:0" "$home/screen"
	ended=$?
	in_tmux kill-session -t inbox
	return "$ended"
}
claim "keys at the inbox do nothing" keys_at_the_inbox_do_nothing
quitting_leaves_no_core() {
	in_tmux send-keys -t env C-\\ && in_tmux kill-session -t env && until_nobody_is_in && [ -z "$(find /var/lib/vote "$marks" / -maxdepth 1 -name 'core*')" ]
}
claim "Ctrl-\\ leaves no core dump" quitting_leaves_no_core

# ---- ways out: the terminal ----

# A terminal of that size and kind; keys go to it once it shows the pattern. Ends as ssh does.
in_terminal() { # ROWS COLUMNS TERM PATTERN KEYS
	cat >"$home/terminal.py" <<-'END'
		import fcntl, os, pty, re, struct, sys, termios
		rows, columns, term, pattern, keys = sys.argv[1:6]
		pid, fd = pty.fork()
		if pid == 0:
		    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), int(columns), 0, 0))
		    os.environ["TERM"] = term
		    os.execvp(sys.argv[6], sys.argv[6:])
		seen, is_sent = b"", False
		while True:
		    try:
		        part = os.read(fd, 65536)
		    except OSError:
		        break
		    if not part:
		        break
		    seen = (seen + part)[-1000000:]
		    if not is_sent and re.search(pattern.encode(), seen):
		        os.write(fd, keys.encode())
		        is_sent = True
		sys.stdout.write(seen[-2000:].decode("utf-8", "replace"))
		sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
	END
	python3 "$home/terminal.py" "$@" ssh -F "$home/ssh_config" -i "$home/ada" -tt host "$room"
}
terminal_is_survived() { # ROWS COLUMNS TERM
	in_terminal "$1" "$2" "$3" . "qy"$'\r'"quit"$'\r' >"$home/out" || { cat -v "$home/out"; return 1; }
	no_mark && until_nobody_is_in && "$AYE" server ping >/dev/null
}
claim "a window of 0x0" terminal_is_survived 0 0 xterm-256color
claim "a window of 1x1" terminal_is_survived 1 1 xterm-256color
claim "a window of 60000x60000" terminal_is_survived 60000 60000 xterm-256color
mkdir -p "$home/terminfo/x" && cp /lib/terminfo/x/xterm "$home/terminfo/x/xterm" 2>/dev/null
claim "a terminal by a path" terminal_is_survived 24 80 "../../..$home/terminfo/x/xterm"
claim "a terminal by shell characters" terminal_is_survived 24 80 "\$(touch $mark)"
claim "a terminal of 2000 characters" terminal_is_survived 24 80 "$(printf '%02000d' 7)"
claim "a terminal that is none" terminal_is_survived 24 80 no-such-terminal

# ---- gone at every stage ----

client_of() { # WINDOW
	in_tmux list-panes -t "$1" -F '#{pane_pid}'
}
gone_at() { # PATTERN KEY COMMAND [KEYS...]
	local pattern=$1 key=$2 command=$3
	shift 3
	in_tmux new-session -d -s gone -x 80 -y 24 "exec ssh -F '$home/ssh_config' -i '$home/$key' -tt host $command"
	until_screen gone "$pattern" || return 1
	[ $# = 0 ] || in_tmux send-keys -t gone "$@"
	somebody_is_in && kill -KILL "$(client_of gone)" && until_nobody_is_in
}
gone_before_the_key() {
	local before
	before=$(pgrep -c -P "$sshd_pid")
	exec 3<>/dev/tcp/127.0.0.1/22 && read -r _ <&3 && exec 3>&-
	until_true bash -c "[ \"\$(pgrep -c -P $sshd_pid)\" = $before ]"
}
gone_in_lines() {
	mkfifo "$home/in"
	ssh -F "$home/ssh_config" -i "$home/ada" host "$room" <"$home/in" >"$home/out" 2>&1 &
	local pid=$!
	exec 4>"$home/in"
	until_true grep -q "^Room $room" "$home/out" && kill -KILL "$pid" && until_nobody_is_in
	local code=$?
	exec 4>&-
	return "$code"
}
claim "gone before the key" gone_before_the_key
claim "gone at the screen" gone_at you ada "$room"
claim "gone at home" gone_at "$room" ada ""
claim "gone while a line is typed" gone_at you ada "$room" ":" "story x"
claim "gone in the lines" gone_in_lines
claim "gone at the inbox" gone_at "Ship it today" grace inbox
claim "gone when asked for an answer" gone_at "Your choice" grace "answer $question"

# ---- any key ----

"$AYE" ssh-setup --any-key >/dev/null && without_leak_search && reload_sshd
a_key_that_nobody_knows_comes_in() {
	as stranger login Eve | grep -qx "logged in as Eve" && as stranger whoami | grep -q "^Eve (user"
}
claim "with --any-key a key that nobody knows comes in" a_key_that_nobody_knows_comes_in
claim "gone when asked for the name" gone_at "Your name:" cy "$room"
claim "no other command with any key" command_is_refused "sh"
nothing_is_left() {
	find /tmp /run /var/lib /var/tmp /dev/shm -xdev -user vote -newer "$home/team.keys" >"$home/left" 2>/dev/null
	[ ! -s "$home/left" ]
}
# sshd takes its own file about the key away after the session has ended.
until_nothing_is_left() {
	until_nobody_is_in && until_true nothing_is_left || { cat "$home/left"; return 1; }
}
claim "nothing of anybody's is left" until_nothing_is_left
