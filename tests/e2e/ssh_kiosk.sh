#!/bin/bash
# ssh_kiosk.sh - the ssh kiosk as aye ssh-setup makes it, behind a real sshd: two people vote, and nobody gets out.
#
# A user of the system, sshd's files and port 22 are needed: the test has namespaces of its own for mounts,
# network and processes, with what is written to /etc, /var/lib, /usr/local and /run laid over the machine's.
# Root alone can have those.
if [ "${1:-}" != inside ]; then
	if [ "$(id -u)" != 0 ] || ! unshare --mount --net --pid --fork --mount-proc true 2>/dev/null; then
		echo "1..0 # SKIP this needs root and namespaces"
		exit 0
	fi
	exec unshare --mount --net --pid --fork --kill-child --mount-proc bash "$0" inside
fi
. "$(dirname "$0")/cli_kit.bash"
export LC_ALL=C.UTF-8
unset TMUX SSH_ORIGINAL_COMMAND SSH_USER_AUTH
for tool in /usr/sbin/sshd ssh tmux python3 ip; do
	command -v "$tool" >/dev/null || { echo "Bail out! $tool is missing (make test installs it)"; exit 1; }
done

# ---- a machine of our own ----

mount -t tmpfs over "$home" && mkdir -m 700 "$HOME" "$XDG_STATE_HOME" "$XDG_RUNTIME_DIR" || exit 1
for at in etc var/lib usr/local; do
	layer=$home/layers/$at
	mkdir -p "$layer/upper" "$layer/work"
	mount -t overlay over -o "lowerdir=/$at,upperdir=$layer/upper,workdir=$layer/work" "/$at" || exit 1
done
mount -t tmpfs -o mode=755 over /run && mkdir /run/sshd /run/ayed && ip link set lo up || exit 1
chmod 755 "$home" /usr/local /usr/local/bin
rm -f /etc/ssh/sshd_config.d/* /etc/ssh/aye-*
install -m 755 "$AYE" "$AYED" /usr/local/bin
[ -e /etc/ssh/ssh_host_ed25519_key ] || ssh-keygen -q -t ed25519 -N '' -f /etc/ssh/ssh_host_ed25519_key
# PAM's session modules want a machine that was booted.
sed -i 's/^UsePAM.*/UsePAM no/' /etc/ssh/sshd_config
AYE=/usr/local/bin/aye
conf=/etc/ssh/sshd_config.d/00-aye.conf
unset XDG_RUNTIME_DIR
marks=$home/marks # where everybody may write: whoever gets out leaves a mark
mkdir -m 1777 "$marks"
mark=$marks/out

in_tmux() {
	tmux -S "$home/tmux" -f /dev/null "$@"
}
stop_all() {
	in_tmux kill-server 2>/dev/null
	local pid
	for pid in ${sshd_pid:-} ${ayed_pid:-} $(pgrep -u vote 2>/dev/null); do
		kill "$pid" 2>/dev/null
	done
	echo "1..$n"
	exit "$failed"
}
trap stop_all EXIT

for who in ada grace cy stranger ca; do
	ssh-keygen -q -t ed25519 -N '' -C "$who" -f "$home/$who"
done
cat "$home/ada.pub" "$home/grace.pub" >"$home/team.keys"
cat >"$home/ssh_config" <<END
Host *
	HostName 127.0.0.1
	User vote
	StrictHostKeyChecking no
	UserKnownHostsFile $home/known_hosts
	IdentitiesOnly yes
	IdentityAgent none
	BatchMode yes
	LogLevel ERROR
	ConnectTimeout 60
END
as() { # WHO ARGUMENT...
	local who=$1
	shift
	ssh -F "$home/ssh_config" -i "$home/$who" host "$@" </dev/null
}
as_with() { # WHO OPTION... -- ARGUMENT...
	local who=$1 options=()
	shift
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	ssh -F "$home/ssh_config" -i "$home/$who" "${options[@]}" host "$@"
}
sessions() {
	pgrep -u vote -f -- '^/usr/local/bin/aye --ssh-session'
}
until_nobody_is_in() {
	until_true nobody_is_in
}
nobody_is_in() {
	[ -z "$(pgrep -u vote)" ]
}
somebody_is_in() {
	[ -n "$(sessions)" ]
}
start_sshd() {
	/usr/sbin/sshd -D -e -f /etc/ssh/sshd_config 2>>"$home/sshd.log" &
	sshd_pid=$!
	until_true bash -c 'exec 2>/dev/null 3<>/dev/tcp/127.0.0.1/22'
}
reload_sshd() {
	kill "$sshd_pid" && wait "$sshd_pid"
	start_sshd
}

# ---- setting it up ----

tree() {
	find /etc/ssh /etc/systemd/system /var/lib/vote -type f -exec sha256sum {} + 2>/dev/null | sort
	getent passwd vote
	grep -c . /etc/passwd /etc/group /etc/shadow
}
nothing_has_changed() {
	[ "$(tree)" = "$before" ] && [ -z "$(find /tmp -maxdepth 1 -name 'aye-ssh-setup.*')" ]
}
it_is_refused() { # CODE PATTERN ARGUMENT...
	local code=$1 pattern=$2
	shift 2
	before=$(tree)
	ends_with "$code" "$AYE" ssh-setup "$@" >"$home/out" 2>"$home/err" || return 1
	cat "$home/out" "$home/err"
	grep -q -- "$pattern" "$home/err" && nothing_has_changed
}
it_is_made() {
	"$AYE" ssh-setup --keys "$home/team.keys" >"$home/out" || return 1
	cat "$home/out"
	[ "$(sed -n 1p "$home/out")" = "sshd -t takes the new configuration" ] &&
		grep -qx "made the user vote" "$home/out" && grep -qx "wrote $conf" "$home/out" &&
		[ "$(stat -c '%U %a' /var/lib/vote)" = "root 755" ] && [ "$(getent passwd vote | cut -d: -f6,7)" = /var/lib/vote:/bin/sh ] &&
		grep -q '^vote:\*:' /etc/shadow && [ "$(stat -c '%U %a' "$conf")" = "root 644" ] &&
		grep -q AYED_KIOSK_USER=vote /etc/systemd/system/ayed.service.d/aye-ssh.conf
}
a_second_run_changes_nothing() {
	before=$(tree)
	"$AYE" ssh-setup --keys "$home/team.keys" >"$home/out" || return 1
	cat "$home/out"
	grep -q "^nothing to change" "$home/out" && nothing_has_changed
}
it_is_taken_away_as_it_was() {
	"$AYE" ssh-setup --remove >"$home/out" || return 1
	cat "$home/out"
	tree >"$home/tree"
	diff "$home/tree" <(echo "$untouched") && [ ! -e /var/lib/vote ] && "$AYE" ssh-setup --remove | grep -q "^nothing to remove"
}
a_user_who_was_there_stays() {
	useradd --system --no-create-home --home-dir /var/lib/vote --shell /bin/sh vote
	"$AYE" ssh-setup --any-key && "$AYE" ssh-setup --remove && getent passwd vote && userdel vote
}
an_image_is_set_up_and_this_system_is_not() {
	local image=$home/image
	mkdir -p "$image/etc/ssh/sshd_config.d" "$image/var/lib" "$image/etc/systemd/system"
	cp /etc/passwd /etc/group /etc/shadow /etc/gshadow /etc/login.defs "$image/etc"
	cp /etc/ssh/sshd_config "$image/etc/ssh"
	before=$(tree)
	"$AYE" ssh-setup --any-key --root "$image" || return 1
	nothing_has_changed && grep -q '^vote:' "$image/etc/passwd" && [ -e "$image$conf" ] && [ -d "$image/var/lib/vote" ] &&
		"$AYE" ssh-setup --remove --root "$image" && ! grep -q '^vote:' "$image/etc/passwd" && [ ! -e "$image$conf" ]
}
with_file() { # PATH TEXT COMMAND...
	local path=$1 text=$2 code
	shift 2
	printf '%b' "$text" >"$path"
	"$@"
	code=$?
	rm -f "$path"
	return "$code"
}
with_dir() { # PATH COMMAND...
	local path=$1
	shift
	mkdir -m 777 "$path"
	"$@"
	local code=$?
	rmdir "$path"
	return "$code"
}
with_group_of_that_name() {
	groupadd vote
	"$@"
	local code=$?
	groupdel vote
	return "$code"
}

untouched=$(tree)
claim "whose keys has to be said" it_is_refused 2 "--keys FILE or --any-key"
claim "not both ways" it_is_refused 2 "--keys FILE or --any-key" --keys "$home/team.keys" --any-key
claim "a name that is none is refused" it_is_refused 2 "no name for a user" --any-key --user 'vote
ForceCommand /bin/sh'
claim "root is not made a kiosk" it_is_refused 1 "take another name" --any-key --user root
claim "a file that is not there is named" it_is_refused 1 "no.keys" --keys "$home/no.keys"
claim "a key with an option before it is refused" with_file "$home/bad.keys" "command=\"/bin/sh\" $(cat "$home/cy.pub")\n" it_is_refused 1 "line 1: a line is a public key" --keys "$home/bad.keys"
claim "an authority in place of a key is refused" with_file "$home/bad.keys" "$(cat "$home/ada.pub")\ncert-authority $(cat "$home/ca.pub")\n" it_is_refused 1 "line 2: a line is a public key" --keys "$home/bad.keys"
claim "where sshd's configuration is broken nothing is begun" with_file /etc/ssh/sshd_config.d/50-broken.conf 'NoSuchKeyword yes\n' it_is_refused 1 "50-broken.conf.*NoSuchKeyword" --any-key
claim "where another line would come first nothing is begun" with_file /etc/ssh/sshd_config.d/00-a.conf 'Match User vote\n X11Forwarding yes\n' it_is_refused 1 'X11Forwarding no" would not count' --any-key
claim "where useradd fails nothing is left" with_group_of_that_name it_is_refused 1 "useradd.*group vote exists" --any-key
claim "a home that others may change is refused" with_dir /var/lib/vote it_is_refused 1 "no directory that root alone may change" --any-key
claim "where a file cannot be written the user goes again" with_file /etc/systemd/system/ayed.service.d '' it_is_refused 1 "what was begun is undone" --any-key
claim "it is made" it_is_made
claim "a second run changes nothing" a_second_run_changes_nothing
claim "it is taken away as it was" it_is_taken_away_as_it_was
claim "a user who was there stays" a_user_who_was_there_stays
claim "an image is set up, and this system is not" an_image_is_set_up_and_this_system_is_not

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
	until_screen grace Ada && in_tmux send-keys -t ada 5 && in_tmux send-keys -t grace 8 &&
		until_screen ada 'median 6.5\|5.*8' && until_screen grace Revealed && echo "$room" >"$home/room" && "$AYE" room show "$room" | grep -q Grace
}
screen_shows() { # PERSON PATTERN
	in_tmux capture-pane -p -t "$1" | tee "$home/screen" | grep -q -- "$2"
}
until_screen() { # PERSON PATTERN
	until_true screen_shows "$@" || { cat "$home/screen"; return 1; }
}
a_key_is_the_same_user_again() {
	as ada whoami >"$home/out" || return 1
	cat "$home/out"
	grep -q "^Ada (user" "$home/out" && grep -qx "in room $room" "$home/out" && [ "$(as ada whoami | head -n 1 | cut -d, -f1)" = "$(head -n 1 "$home/out" | cut -d, -f1)" ]
}
a_name_is_one_keys() {
	ends_with 1 as grace login Ada 2>"$home/err" && grep -q "somebody else has that name" "$home/err"
}
the_server_believes_nobody_else() { # COMMAND...
	ends_with 1 "$@" call session.assert "{\"fingerprint\":\"SHA256:$(printf '%043d' 7)\",\"user_name\":\"Eve\"}" 2>"$home/err" &&
		cat "$home/err" && grep -q "only the ssh kiosk of this host may say" "$home/err"
}

"$AYE" ssh-setup --keys "$home/team.keys" >/dev/null || { echo "Bail out! no kiosk"; exit 1; }
mkfifo "$home/ready"
mkdir -m 700 "$home/data"
"$AYED" --data "$home/data" --listen unix:/run/ayed/ayed.sock --socket-mode 0666 --listen tcp://127.0.0.1:2937 --kiosk-user vote \
	>"$home/ready" 2>"$home/ayed.log" &
ayed_pid=$!
read -r _ <"$home/ready"
start_sshd || { cat "$home/sshd.log"; echo "Bail out! no sshd"; exit 1; }
in_tmux new-session -d -s stays cat
claim "aye new says how to come in, and two who do vote" a_round_is_played
read -r room <"$home/room"
claim "a key is the same user again, with the same seat" a_key_is_the_same_user_again
claim "a name is one key's" a_name_is_one_keys
claim "root is not believed who has a key" the_server_believes_nobody_else "$AYE"
claim "nobody is believed over TCP" the_server_believes_nobody_else "$AYE" --server tcp://127.0.0.1:2937
claim "another user is not believed" the_server_believes_nobody_else setpriv --reuid nobody --clear-groups env HOME="$marks" XDG_STATE_HOME="$marks/nobody" "$AYE"
