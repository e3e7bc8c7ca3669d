#!/bin/bash
# ssh_setup.sh - aye ssh-setup on a real system: what it makes, that it begins nothing it cannot end, and takes all away.
. "$(dirname "$0")/ssh_kiosk_kit.bash"

tree() {
	find /etc/ssh /etc/systemd/system /var/lib/vote -type f -exec sha256sum {} + 2>/dev/null | sort
	getent passwd vote
	grep -c . /etc/passwd /etc/group /etc/shadow
}
nothing_has_changed() {
	[ "$(tree)" = "$before" ] && [ -z "$(find /run -maxdepth 1 -name 'aye-ssh-setup.*')" ]
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
	[ "$(sed -n 1p "$home/out")" = "sshd -t accepts the new configuration" ] &&
		grep -qx "created the user vote" "$home/out" && grep -qx "wrote $conf" "$home/out" &&
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
# A machine where systemd runs, as far as it is asked: what, is in $home/asked; while $home/fails is there, the server's restart fails, once.
start_systemd() {
	mkdir -p /run/systemd/system "$home/layers/usr/bin/upper" "$home/layers/usr/bin/work" &&
		mount -t overlay over -o "lowerdir=/usr/bin,upperdir=$home/layers/usr/bin/upper,workdir=$home/layers/usr/bin/work" /usr/bin &&
		rm -f /usr/bin/systemctl && cat >/usr/bin/systemctl <<END && chmod 755 /usr/bin/systemctl
#!/bin/sh
echo "\$*" >>$home/asked
[ "\$1" != try-restart ] || ! rm $home/fails 2>/dev/null
END
}
sshd_is_told_what_was_undone() {
	touch "$home/fails"
	it_is_refused 1 "all changes were undone" --any-key || return 1
	printf '%s\n' daemon-reload 'try-reload-or-restart ssh.service' 'try-restart ayed.service' >"$home/once"
	diff "$home/asked" <(cat "$home/once" "$home/once")
}
a_removal_that_fails_is_undone() {
	"$AYE" ssh-setup --any-key || return 1
	setpriv --reuid vote --clear-groups --regid vote sleep 600 &
	local pid=$! before code
	until_true [ "$(ps -o user= -p $pid)" = vote ]
	: >"$home/asked"
	it_is_refused 1 "all changes were undone" --remove
	code=$?
	kill "$pid" && wait "$pid"
	diff "$home/asked" <(cat "$home/once" "$home/once") && [ "$code" = 0 ] && "$AYE" ssh-setup --remove
}

untouched=$(tree)
claim "whose keys has to be said" it_is_refused 2 "--keys FILE or --any-key"
claim "not both ways" it_is_refused 2 "--keys FILE or --any-key" --keys "$home/team.keys" --any-key
claim "a name that is none is refused" it_is_refused 2 "not a valid user name" --any-key --user 'vote
ForceCommand /bin/sh'
claim "root is not made a kiosk" it_is_refused 1 "choose another (--user)" --any-key --user root
claim "a file that is not there is named" it_is_refused 1 "no.keys" --keys "$home/no.keys"
claim "a key with an option before it is refused" with_file "$home/bad.keys" "command=\"/bin/sh\" $(cat "$home/cy.pub")\n" it_is_refused 1 "line 1: a line is a public key" --keys "$home/bad.keys"
claim "an authority in place of a key is refused" with_file "$home/bad.keys" "$(cat "$home/ada.pub")\ncert-authority $(cat "$home/ca.pub")\n" it_is_refused 1 "line 2: a line is a public key" --keys "$home/bad.keys"
claim "a certificate in place of a key is refused" with_file "$home/bad.keys" "$(sed 's/^ssh-ed25519/ssh-ed25519-cert-v01@openssh.com/' "$home/ada.pub")\n" it_is_refused 1 "line 1: a line is a public key" --keys "$home/bad.keys"
claim "a key that is of another kind than it says is refused" with_file "$home/bad.keys" "$(sed 's/^ssh-ed25519/ssh-rsa/' "$home/ada.pub")\n" it_is_refused 1 "line 1: a line is a public key" --keys "$home/bad.keys"
claim "what is no key behind its kind is refused" with_file "$home/bad.keys" 'ssh-ed25519 AAAA/../../etc\n' it_is_refused 1 "line 1: a line is a public key" --keys "$home/bad.keys"
claim "control characters in a key's comment are refused" with_file "$home/bad.keys" "$(cut -d' ' -f1,2 "$home/ada.pub") a\rb\n" it_is_refused 1 "line 1: a line is a public key" --keys "$home/bad.keys"
claim "where sshd's configuration is broken nothing is begun" with_file /etc/ssh/sshd_config.d/50-broken.conf 'NoSuchKeyword yes\n' it_is_refused 1 "50-broken.conf.*NoSuchKeyword" --any-key
claim "where another line would come first nothing is begun" with_file /etc/ssh/sshd_config.d/00-a.conf 'Match User vote\n X11Forwarding yes\n' it_is_refused 1 'X11Forwarding no" would not apply' --any-key
claim "where useradd fails nothing is left" with_group_of_that_name it_is_refused 1 "useradd.*group vote exists" --any-key
claim "a home that others may change is refused" with_dir /var/lib/vote it_is_refused 1 "not a directory that only root can change" --any-key
claim "where a file cannot be written the user goes again" with_file /etc/systemd/system/ayed.service.d '' it_is_refused 1 "all changes were undone" --any-key
claim "it is made" it_is_made
claim "a second run changes nothing" a_second_run_changes_nothing
claim "it is taken away as it was" it_is_taken_away_as_it_was
claim "a user who was there stays" a_user_who_was_there_stays
claim "an image is set up, and this system is not" an_image_is_set_up_and_this_system_is_not
claim "a file of that name that is not of ssh-setup stays" with_file "$conf" 'Match User poker\n X11Forwarding no\n' it_is_refused 1 "was changed since aye ssh-setup created it" --remove
claim "and is not written over" with_file "$conf" '# mine\n' it_is_refused 1 "was changed since aye ssh-setup created it" --any-key
start_systemd || echo "Bail out! no systemctl"
claim "where the server does not start again, sshd is told of what was undone" sshd_is_told_what_was_undone
claim "where somebody is in, nothing is taken away" a_removal_that_fails_is_undone
