# ssh_kiosk_kit.bash - for the tests of the ssh kiosk: a machine of their own, with a real sshd on port 22.
#
# A user of the system, sshd's files and port 22 are needed: a test has namespaces of its own for mounts,
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

for who in ada grace cy stranger ca far; do
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
	ssh -F "$home/ssh_config" -i "$home/$who" host -- "$@" </dev/null
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
	/usr/sbin/sshd -D -e -f /etc/ssh/sshd_config >/dev/null 2>>"$home/sshd.log" &
	sshd_pid=$!
	until_true bash -c 'exec 2>/dev/null 3<>/dev/tcp/127.0.0.1/22'
}
sshd_listens() { # TIMES
	[ "$(grep -c '^Server listening on 0' "$home/sshd.log")" -gt "$1" ]
}
reload_sshd() {
	local times
	times=$(grep -c '^Server listening on 0' "$home/sshd.log")
	kill -HUP "$sshd_pid" && until_true sshd_listens "$times"
}
screen_shows() { # PERSON PATTERN
	in_tmux capture-pane -p -t "$1" | tee "$home/screen" | grep -q -- "$2"
}
until_screen() { # PERSON PATTERN
	until_true screen_shows "$@" || { cat "$home/screen"; return 1; }
}
# A program built with a sanitizer begins a process at its end to look for leaks, which a session may not.
without_leak_search() {
	! grep -q __asan_init "$AYE" || sed -i 's/SetEnv LC_ALL=C.UTF-8/& ASAN_OPTIONS=detect_leaks=0/' "$conf"
}
# The kiosk for the team's keys, the server and sshd.
start_kiosk() {
	"$AYE" ssh-setup --keys "$home/team.keys" >/dev/null || { echo "Bail out! no kiosk"; exit 1; }
	without_leak_search
	mkfifo "$home/ready"
	install -d -m 700 -o nobody "$home/data" && chown nobody /run/ayed
	setpriv --reuid nobody --regid nogroup --clear-groups /usr/local/bin/ayed --data "$home/data" --listen unix:/run/ayed/ayed.sock --socket-mode 0666 --listen tcp://127.0.0.1:2937 --kiosk-user vote \
		>"$home/ready" 2>"$home/ayed.log" &
	ayed_pid=$!
	read -r _ <"$home/ready"
	start_sshd || { cat "$home/sshd.log"; echo "Bail out! no sshd"; exit 1; }
	in_tmux new-session -d -s stays cat
}
