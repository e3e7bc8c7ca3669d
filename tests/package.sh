#!/bin/bash
# package.sh - the Debian packages, built twice and lived with on a machine of their own.
#
# usage: package.sh DIRECTORY      (make package-test; DIRECTORY gets the trees and packages)
#
# The archive and the packages are built in two directories: the bytes must be the same, and
# lintian content. Then a Debian is unpacked into a directory, systemd is started in it in
# namespaces of its own, and the packages are installed, upgraded over data, put over data
# of a newer server, removed and purged, with apt; the client of one of its users must find
# the room again each time. That needs root, namespaces and Debian's mirror: without them
# this part is skipped and says why. Nothing of it is left: the machine ends with its first
# process, and its mounts with their namespace. Speaks TAP.
set -u
directory=${1:?usage: package.sh DIRECTORY}
cd "$(dirname "$0")/.." || exit
mkdir -p "$directory"
directory=$(realpath "$directory")
unset MAKEFLAGS MAKELEVEL MFLAGS BUILD VARIANT
version=$(sed -n 's/^VERSION := //p' Makefile)
name=aye-$version
one=$directory/one
two=$directory/another/place
machine=$directory/machine
first_process=
cgroup=

. tests/support/claims.bash

finish() {
	echo "1..$n"
	exit $failed
}

skip_the_rest() { # REASON
	n=$((n + 1))
	echo "skipped: installing the packages: $1"
	echo "ok $n - the packages are installed, upgraded and purged # skip $1"
	finish
}

clean_up() {
	if [ -n "$first_process" ]; then
		kill -9 "$first_process" 2>/dev/null
		wait "$first_process" 2>/dev/null
	fi
	# Its processes end together; the groups are empty when the last has gone.
	if [ -n "$cgroup" ]; then
		for _ in $(seq 100); do
			find "$cgroup" -depth -type d -exec rmdir {} + 2>/dev/null && break
			sleep 0.1
		done
	fi
	rm -rf --one-file-system "$machine"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

# ---- building ----------------------------------------------------------------------------

# In a directory without git, at another hour, for another user's eyes only.
builds() { # DIRECTORY ENVIRONMENT...
	rm -rf "$1" && mkdir -p "$1" && tar -xzf "$directory/$name.tar.gz" -C "$1" &&
		(cd "$1/$name" && shift && env "$@" make -s deb)
}

archives_are_equal() {
	sha256sum "$directory/$name.tar.gz" {"$one","$two"}/"$name/build/$name.tar.gz"
	cmp "$directory/$name.tar.gz" "$one/$name/build/$name.tar.gz" &&
		cmp "$directory/$name.tar.gz" "$two/$name/build/$name.tar.gz"
}

packages_are_equal() {
	local package
	for package in "$debs"/*.deb; do
		cmp "$package" "$two/$name/build/deb/${package##*/}" || return 1
	done
	[ "$(echo "$debs"/*.deb | wc -w)" -eq 4 ] # each with what a debugger needs of it
}

lintian_is_content() {
	lintian --fail-on error,warning "$debs"/*.changes
}

# Neither its units nor their options let the server listen for browsers.
web_is_off() { # PACKAGE
	local unpacked=$directory/unpacked units settings
	rm -rf "$unpacked" && dpkg-deb --extract "$1" "$unpacked" || return 1
	units=$(find "$unpacked" -name ayed.service -printf '%h')
	settings=$(grep -rhv '^#' "$unpacked/etc/default" "$units")
	grep 'AYED_OPTIONS=' <<<"$settings" && ! grep -E -e '--listen https?://|^FileDescriptorName=https?$' <<<"$settings"
}

make -s dist BUILD="$directory" >/dev/null || exit 1
debs=$one/$name/build/deb
claim "the archive builds packages without git" builds "$one" TZ=UTC
claim "and does in another place" builds "$two" TZ=Asia/Tokyo LC_ALL=C.UTF-8
claim "the archive is the same bytes from git and from itself, twice" archives_are_equal
claim "the packages are the same bytes" packages_are_equal
claim "lintian has no error and no warning" lintian_is_content
claim "the page is off until somebody turns it on" web_is_off "$debs/ayed_${version}_"*.deb
[ "$failed" -eq 0 ] || finish
sha256sum "$directory/$name.tar.gz" "$debs"/*.deb | sed "s|$directory/||; s|^|# |"

# ---- other versions ----------------------------------------------------------------------

# The package NAME of version VERSION, with FILE as its program if given.
repack() { # NAME VERSION [FILE]
	local unpacked=$directory/repacked/$1
	rm -rf "$unpacked" && mkdir -p "$directory/repacked" &&
		dpkg-deb --raw-extract "$debs/$1_$version"_*.deb "$unpacked" &&
		sed -i "s/^Version: .*/Version: $2/" "$unpacked/DEBIAN/control" &&
		if [ $# -eq 3 ]; then cp "$3" "$unpacked/usr/bin/$1"; fi &&
		dpkg-deb --root-owner-group --build "$unpacked" "$directory/repacked/$1_$2.deb" >/dev/null
}

# A server whose data this version does not know: it writes the next format, and turns this one into it.
newer_server() {
	local format built=$two/$name/build/deb/$name
	format=$(sed -n 's/^#define ENV_FORMAT //p' store/lmdb/env_format_lmdb.h) &&
		sed -i "s/^#define ENV_FORMAT .*/#define ENV_FORMAT $((format + 1))/" \
			"$built/store/lmdb/env_format_lmdb.h" &&
		sed -i -e 's/if (is_new) {/if (is_new || (!o->read_only \&\& kv_get(kv, KV_META, SLICE("format"), \&stamp) == OK \&\& env_format_of(stamp) == ENV_FORMAT - 1)) {/' \
			-e 's/return env_format_of(stamp) == ENV_FORMAT;/return env_format_of(stamp) >= ENV_FORMAT - 1;/' \
			-e 's/if (format == ENV_FORMAT) {/if (format >= ENV_FORMAT - 1) {/' "$built/store/lmdb/env_format_lmdb.c" &&
		[ "$(grep -c 'ENV_FORMAT - 1' "$built/store/lmdb/env_format_lmdb.c")" = 3 ] &&
		make -s -C "$built" VARIANT=release build/release/ayed &&
		strip -o "$directory/ayed-of-the-future" "$built/build/release/ayed"
}

older_and_newer() {
	repack aye 0.0.1 && repack ayed 0.0.1 && newer_server &&
		repack ayed 99.0 "$directory/ayed-of-the-future"
}

# ---- a machine -----------------------------------------------------------------------------

[ "$(id -u)" -eq 0 ] || skip_the_rest "needs root"
unshare --mount --pid --fork --net --uts --ipc --cgroup true 2>/dev/null ||
	skip_the_rest "this system allows no namespaces"
unshare --mount --pid --fork --net --uts --ipc --cgroup sh -ec '
	mount -t tmpfs none /mnt
	mkdir /mnt/proc /mnt/sys /mnt/cgroup /mnt/pts
	mount -t proc none /mnt/proc
	mount -t sysfs -o ro none /mnt/sys
	mount -t cgroup2 none /mnt/cgroup
	mount -t devpts -o newinstance none /mnt/pts' 2>/dev/null ||
	skip_the_rest "this system allows no mounts"
# By process, as a machine's own: where the system's hierarchy of groups is.
hierarchy=$(findmnt --noheadings --first-only --output TARGET --types cgroup2)
cgroup=$hierarchy/aye-package-test.$$
# shellcheck disable=SC2016 # for the inner shell
{ [ -n "$hierarchy" ] && mkdir "$cgroup" && sh -c 'echo $$ > "$1/cgroup.procs"' sh "$cgroup"; } 2>/dev/null ||
	skip_the_rest "this system allows no control groups"
for mirror in $(sed -nE 's/^URIs: *([^ ]*).*/\1/p; s/^deb (\[[^]]*\] *)?([^ ]*).*/\2/p' \
	/etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null) http://deb.debian.org/debian; do
	break
done
depends=$(for package in "$debs"/aye{,d}_*.deb; do dpkg-deb --field "$package" Depends; done |
	sed 's/([^)]*)//g; s/ //g' | paste -sd,)
# shellcheck source=/dev/null
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")
rm -rf --one-file-system "$machine"
if ! mmdebstrap --quiet --mode=root --variant=minbase --include="systemd-sysv,$depends" \
	"$suite" "$machine" "$mirror" >"$directory/mmdebstrap.log" 2>&1; then
	skip_the_rest "mmdebstrap from $mirror: $(tail -n 1 "$directory/mmdebstrap.log")"
fi

# Without what would change the system below: settings, modules, clocks. Its network is a
# loopback of its own. It ends with this script, however that ends.
for unit in apt-daily apt-daily-upgrade e2scrub_all fstrim; do
	ln -sf /dev/null "$machine/etc/systemd/system/$unit.timer"
done
# shellcheck disable=SC2016 # for the inner shells
sh -c 'echo $$ > "$1/cgroup.procs" && shift && exec "$@"' sh "$cgroup" \
	setpriv --pdeathsig KILL unshare --mount --propagation private --pid --fork --kill-child=KILL --net --uts --ipc --cgroup \
	bash -euc '
		mount --rbind "$1" "$1"
		cd "$1"
		mount -t proc proc proc
		mount --bind proc/sys proc/sys && mount -o remount,bind,ro proc/sys
		mount -t sysfs -o ro sysfs sys
		mount -t cgroup2 cgroup2 sys/fs/cgroup
		mount -t tmpfs -o mode=755 tmpfs run
		mount -t tmpfs -o mode=755 tmpfs dev
		for device in null zero full random urandom tty; do
			touch dev/$device && mount --bind /dev/$device dev/$device
		done
		mkdir dev/pts dev/shm
		mount -t devpts -o newinstance,ptmxmode=666 devpts dev/pts
		mount -t tmpfs tmpfs dev/shm
		ln -s pts/ptmx dev/ptmx
		ln -s /proc/self/fd dev/fd
		hostname aye-test
		# Not chroot: what is in one may not make user namespaces, and the unit has one.
		pivot_root . mnt
		umount --lazy /mnt
		# As systemd has it where it is no container: else the mount with credentials of a unit is not seen by the unit.
		mount --make-rshared /
		exec env -i container=aye PATH=/usr/sbin:/usr/bin:/sbin:/bin \
			setpriv --bounding-set=-sys_module,-sys_rawio,-sys_time,-sys_boot,-syslog,-audit_control,-audit_read \
			/lib/systemd/systemd --unit=multi-user.target' bash "$machine" \
	</dev/null >"$directory/boot.log" 2>&1 &
first_process=$!

# comes_true COMMAND...: within a minute.
comes_true() {
	for _ in $(seq 600); do
		if "$@" 2>/dev/null; then
			return 0
		fi
		kill -0 "$first_process" || return 1
		sleep 0.1
	done
	return 1
}

is_booted() {
	comes_true in_machine systemctl is-active --quiet multi-user.target && return 0
	cat "$directory/boot.log"
	in_machine systemctl list-jobs
	return 1
}

in_machine() { # COMMAND...
	local pid
	# The list ends without a newline.
	read -r pid _ <"/proc/$first_process/task/$first_process/children" || [ -n "$pid" ] || return 1
	nsenter --target "$pid" --all --root --wd env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
		HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive SYSTEMD_COLORS=0 SYSTEMD_PAGER= "$@" </dev/null
}

as_user() { # COMMAND...
	in_machine runuser -u ada -- env HOME=/home/ada USER=ada "$@"
}

# The packages are on the machine as files; all that they depend on is installed.
apt() { # WORDS...
	in_machine apt-get --quiet --assume-yes --allow-downgrades "$@"
}

copy_packages() {
	mkdir -p "$machine/packages" && cp "$debs"/*.deb "$directory"/repacked/*.deb "$machine/packages/" &&
		in_machine useradd --create-home ada
}

is_serving() {
	in_machine systemctl is-active ayed.service && in_machine systemctl is-enabled ayed.service
}

data_hash() {
	(cd "$machine/var/lib/private/ayed" && sha256sum data.mdb server.key)
}

all_files() {
	(cd "$machine" && find . -xdev \( -path ./var/log -o -path ./var/lib/dpkg -o -path ./var/lib/apt -o -path ./var/cache \
		-o -path ./packages -o -path ./home -o -path ./tmp \) -prune -o -print | sort)
}

old_is_installed() {
	all_files >"$directory/before"
	apt install /packages/aye_0.0.1.deb /packages/ayed_0.0.1.deb && is_serving
}

unit_is_sound() {
	in_machine systemd-analyze verify --man=no ayed.service
	in_machine systemd-analyze security --no-pager ayed.service | tail -n 1
}

runs_unprivileged() {
	local pid uid
	pid=$(in_machine systemctl show --property MainPID --value ayed.service) &&
		uid=$(in_machine stat -c %u "/proc/$pid") && [ "$uid" -ne 0 ] &&
		[ "$(stat -c '%u %a' "$machine/var/lib/private/ayed")" = "$uid 700" ]
}

makes_a_room() {
	as_user aye new --async --title "Sprint 42" --json >"$directory/room" &&
		room=$(sed 's/.*"room_id":"\([^"]*\)".*/\1/' "$directory/room") && [ -n "$room" ] &&
		as_user aye story add "$room" "PAY-101 Show the balance" &&
		as_user aye vote "$room" 5 --name Grace
}

finds_the_room() { # OPTIONS...
	room=$(sed 's/.*"room_id":"\([^"]*\)".*/\1/' "$directory/room")
	as_user aye story list "$room" "$@" | tee /dev/stderr | grep -q 'PAY-101 Show the balance' &&
		as_user aye room show "$room" "$@" | tee /dev/stderr | grep -q 'Grace'
}

default_is_edited() {
	sed -i 's/^AYED_OPTIONS=.*/AYED_OPTIONS="--listen tcp:\/\/127.0.0.2:2938"/' "$machine/etc/default/ayed"
}

is_upgraded() {
	local pid
	pid=$(in_machine systemctl show --property MainPID --value ayed.service)
	apt install "/packages/aye_${version}_$architecture.deb" "/packages/ayed_${version}_$architecture.deb" &&
		is_serving && [ "$pid" != "$(in_machine systemctl show --property MainPID --value ayed.service)" ]
}

options_are_kept() {
	grep 127.0.0.2:2938 "$machine/etc/default/ayed" &&
		finds_the_room --server tcp://127.0.0.2:2938 &&
		! finds_the_room --server tcp://127.0.0.1:2937
}

# An authority's pair, as ayed(8) has it: files of root, which the service manager hands to the unit's user.
certificate_is_handed_over() {
	local etc=$machine/etc failed=0
	mkdir -p "$etc/letsencrypt/live/poker.example.org" "$etc/systemd/system/ayed.service.d"
	openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=poker.example.org -addext subjectAltName=IP:127.0.0.2 \
		-keyout "$etc/letsencrypt/live/poker.example.org/privkey.pem" -out "$etc/letsencrypt/live/poker.example.org/fullchain.pem" &&
		chmod 700 "$etc/letsencrypt/live" && chmod 600 "$etc/letsencrypt/live/poker.example.org/privkey.pem" &&
		cp "$etc/letsencrypt/live/poker.example.org/fullchain.pem" "$machine/home/ada/authority.pem" && chmod 644 "$machine/home/ada/authority.pem" &&
		man_example '^\[Service\]' >"$etc/systemd/system/ayed.service.d/tls.conf" && cp "$etc/default/ayed" "$directory/default" &&
		man_example '^AYED_OPTIONS.*credentials' >"$etc/default/ayed" && in_machine systemctl daemon-reload &&
		in_machine systemctl restart ayed.service &&
		as_user env SSL_CERT_FILE=/home/ada/authority.pem aye server ping --server tls://127.0.0.2 || failed=1
	cat "$etc/systemd/system/ayed.service.d/tls.conf" "$etc/default/ayed"
	in_machine journalctl --unit ayed.service --output cat --lines 20
	cp "$directory/default" "$etc/default/ayed" && rm -r "$etc/letsencrypt" "$etc/systemd/system/ayed.service.d" "$machine/home/ada/authority.pem" &&
		in_machine systemctl daemon-reload && in_machine systemctl restart ayed.service && return "$failed"
}

# The example of ayed(8) that begins with that line.
man_example() { # PATTERN
	in_machine cat /usr/share/man/man8/ayed.8.gz | gunzip | sed 's/\\-/-/g' | sed -n "/$1/,/^\.fi/p" | sed '/^\.fi/d'
}

# Beside the server, by the unit of the timer, which is there and not enabled.
is_backed_up() {
	! in_machine systemctl is-enabled ayed-backup.timer && in_machine systemctl start ayed-backup.service &&
		in_machine systemctl is-active ayed.service || return 1
	in_machine sh -c 'ayed check /var/lib/ayed-backup/ayed-*Z' && backups_are_private && return 0
	in_machine journalctl --unit ayed-backup.service --output cat --lines 20
	return 1
}

backups_are_private() {
	[ "$(stat -c '%u %a' "$machine/var/lib/private/ayed-backup")" = "$(stat -c '%u' "$machine/var/lib/private/ayed") 700" ]
}

newer_is_installed() {
	apt install /packages/ayed_99.0.deb && is_serving
}

# apt is content; the service is not, and the journal says why.
older_refuses() {
	in_machine systemctl stop ayed.service && data_hash >"$directory/data"
	apt install "/packages/ayed_${version}_$architecture.deb" || return 1
	comes_true in_machine systemctl is-failed --quiet ayed.service || return 1
	in_machine journalctl --unit ayed.service --output cat --lines 20 | tee /dev/stderr |
		grep -q '/var/lib/ayed: the data have format .*, this program supports format .*: use a newer one'
}

data_are_untouched() {
	diff <(data_hash) "$directory/data"
}

is_removed() {
	apt remove aye ayed && ! in_machine systemctl is-active --quiet ayed.service &&
		! in_machine sh -c 'command -v aye || command -v ayed' &&
		[ -e "$machine/var/lib/private/ayed/data.mdb" ] && [ -e "$machine/etc/default/ayed" ]
}

is_installed_again() {
	apt install "/packages/aye_${version}_$architecture.deb" /packages/ayed_99.0.deb && is_serving
}

backups_are_left() {
	compgen -G "$machine/var/lib/private/ayed-backup/ayed-*Z/data.mdb"
}

is_purged() {
	apt purge aye ayed && ! in_machine systemctl is-active --quiet ayed.service && backups_are_left || return 1
	rm -r "$machine"/var/lib/{private/,}ayed-backup
	diff "$directory/before" <(all_files)
}

architecture=$(dpkg --print-architecture)
claim "an older and a newer version are made" older_and_newer
claim "systemd is started on the machine" is_booted
[ "$failed" -eq 0 ] || finish
claim "the packages are copied to it" copy_packages
claim "an older version is installed: the service is enabled and active" old_is_installed
claim "systemd finds no fault in the unit" unit_is_sound
claim "the server is not root, and has the data for itself" runs_unprivileged
claim "a user makes a room, with a story and a vote" makes_a_room
claim "the administrator edits /etc/default/ayed" default_is_edited
claim "an upgrade starts the new server" is_upgraded
claim "the room is still there, with its vote" finds_the_room
claim "the administrator's options hold" options_are_kept
claim "a certificate of root's is handed over as ayed(8) has it" certificate_is_handed_over
claim "the backup unit makes one beside the server" is_backed_up
claim "a newer version is installed, whose data have a newer format" newer_is_installed
claim "the room is there, too" finds_the_room
# promise: older-version
claim "this version refuses the newer data in a clear sentence" older_refuses
claim "and changes nothing in them" data_are_untouched
claim "the newer version serves them again" newer_is_installed
claim "the room is there" finds_the_room
claim "removing stops the server and keeps data and settings" is_removed
claim "installed again, it serves the same data" is_installed_again
claim "the room is there after all" finds_the_room
claim "purging leaves nothing but backups" is_purged
finish
