#!/bin/bash
# backup.sh - ayed backup and restore, beside a server that is written to: whole, or not there.
. "$(dirname "$0")/cli_kit.bash"
BOTS=3
data=$home/main.data
start_server main || { echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server

# ---- people who vote meanwhile: each vote has a comment with its number ----

vote_lines() { # CODE NAME
	local i
	printf '{"id":"s","method":"room.subscribe","params":{"room_id":"%s"}}\n' "$1"
	printf '{"id":"j","method":"room.join","params":{"room_id":"%s","username":"%s"}}\n' "$1" "$2"
	for ((i = 1; ; i++)); do
		printf '{"id":%d,"method":"room.vote","params":{"room_id":"%s","vote":"5","comment":"number %d"}}\n' "$i" "$1" "$i" ||
			return
	done
}

acknowledged() { # BOT: the number of its last vote that was
	grep -o '^{"id":[0-9]*,"result"' "$home/bot.$1" | tail -1 | tr -dc 0-9
}

has_gone_on() { # BOT SINCE
	local now
	now=$(acknowledged "$1")
	[ "${now:-0}" -gt "$2" ]
}

# What a data directory has of a bot's votes.
kept() { # DIRECTORY BOT
	"$AYED" dump --hidden-votes "$1" 2>/dev/null |
		sed -n "s/.*\"username\":\"Bot $2\".*\"number \([0-9]*\)\".*/\1/p; s/.*\"number \([0-9]*\)\".*\"username\":\"Bot $2\".*/\1/p"
}

bots=()
bots_vote() {
	local i
	for ((i = 1; i <= BOTS; i++)); do
		"$AYE" room create >"$home/code.$i" && : >"$home/bot.$i" || return 1
		"$AYE" script < <(vote_lines "$(cat "$home/code.$i")" "Bot $i" 2>/dev/null) >"$home/bot.$i" 2>/dev/null &
		bots+=($!)
	done
	for ((i = 1; i <= BOTS; i++)); do
		until_true has_gone_on "$i" 50 || return 1
	done
}

# They have what a claim prints to open, so that it ends when they do.
bots_stop() {
	local bot
	for bot in "${bots[@]}"; do
		kill "$bot"
		wait "$bot"
	done
}

modes_are_private() { # DIRECTORY
	local names
	names=$(cd "$1" && stat -c '%a %n' . * | sort)
	[ "$names" = $'600 data.mdb\n600 server.key\n700 .' ] || { echo "$names"; return 1; }
}

is_backed_up_beside_votes() {
	local i before=() after told
	for ((i = 1; i <= BOTS; i++)); do
		before[i]=$(acknowledged "$i")
	done
	told=$("$AYED" backup "$data" "$home/busy") || return 1
	[[ $told =~ ^$home/busy:\ [0-9]+\ items,\ .*\ [KM]iB,\ checked,\ in\  ]] || { echo "$told"; return 1; }
	modes_are_private "$home/busy" || return 1
	for ((i = 1; i <= BOTS; i++)); do
		after=$(kept "$home/busy" "$i")
		until_true has_gone_on "$i" "$((after + 20))" || return 1 # the server has served on
		[ "$after" -ge "${before[i]}" ] || { echo "bot $i: ${before[i]} were acknowledged, $after are kept"; return 1; }
	done
}
a_backup_has_what_was_acknowledged_before() {
	local ended
	bots_vote && is_backed_up_beside_votes
	ended=$?
	bots_stop
	return "$ended"
}

a_restored_server_has_it_too() {
	local i
	"$AYED" restore "$home/busy" "$home/again.data" >/dev/null || return 1
	for ((i = 1; i <= BOTS; i++)); do
		[ "$(kept "$home/again.data" "$i")" = "$(kept "$home/busy" "$i")" ] || return 1
	done
	start_server again || return 1
	for ((i = 1; i <= BOTS; i++)); do
		"$AYE" room show "$(cat "$home/code.$i")" --server "$server" | grep -q "Bot $i, away, has voted" || return 1
	done
	kill "$server_pid" && wait "$server_pid" && "$AYED" check "$home/again.data"
}

# The room's host, who is logged in, finds everything as it was: in place of a server that is gone.
sessions_go_on() {
	local room
	start_server gone || return 1
	"$AYE" login Ada --guest --server "$server" && room=$("$AYE" room create --server "$server") || return 1
	"$AYED" backup --json "$home/gone.data" "$home/kept" >"$home/told" || return 1
	grep -qE "^\{\"path\":\"$home/kept\",\"items\":[1-9][0-9]*,\"bytes\":[1-9][0-9]*,\"seconds\":[0-9]+\.[0-9]{3}\}$" "$home/told" ||
		return 1
	kill -9 "$server_pid"
	wait "$server_pid"
	rm -rf "$home/gone.data"
	"$AYED" restore --json "$home/kept" "$home/gone.data" | grep -q "\"path\":\"$home/gone.data\"" || return 1
	start_server gone || return 1
	"$AYE" whoami --server "$server" | grep -q Ada && "$AYE" room show "$room" --server "$server" &&
		"$AYE" room keep "$room" 2 --server "$server" # a host's right
}

# ---- what is refused ----

refused() { # SENTENCE COMMAND...
	local wanted=$1 told
	shift
	told=$("$@" 2>&1 >/dev/null) && { echo "succeeded: $*"; return 1; }
	[ $? = 1 ] && [[ $told == "ayed: "*"$wanted"* ]] && [ "$(printf '%s\n' "$told" | wc -l)" = 1 ] ||
		{ printf 'not "%s":\n%s\n' "$wanted" "$told"; return 1; }
}

nothing_is_left() { # DIRECTORY
	[ -z "$(ls -A "$1")" ] || { ls -lA "$1"; return 1; }
}

bad_places_are_refused() {
	mkdir -p "$home/place"
	refused "already exists" "$AYED" backup "$data" "$home/busy" &&
		refused "itself or inside it" "$AYED" backup "$data" "$data" &&
		refused "itself or inside it" "$AYED" backup "$data" "$data/copy" &&
		refused "itself or inside it" "$AYED" backup --keep 3 "$data" "$data/copy" &&
		refused "No such file or directory" "$AYED" backup "$data" "$home/no/where" &&
		refused "No such file or directory" "$AYED" backup "$home/nothing" "$home/place/b" &&
		refused "is not a directory" "$AYED" backup "$data/data.mdb" "$home/place/b" &&
		refused "data.mdb" "$AYED" backup "$XDG_STATE_HOME" "$home/place/b" &&
		nothing_is_left "$home/place" && [ ! -e "$data/copy" ]
}

bad_data_are_refused() {
	cp -r "$home/busy" "$home/bad"
	rm "$home/bad/server.key"
	refused "server.key is missing" "$AYED" backup "$home/bad" "$home/place/b" || return 1
	head -c 32 /dev/urandom >"$home/bad/server.key" && chmod 600 "$home/bad/server.key"
	refused "does not belong to these data" "$AYED" backup "$home/bad" "$home/place/b" || return 1
	refused "does not belong to these data" "$AYED" restore "$home/bad" "$home/place/b" || return 1
	cp "$home/busy/server.key" "$home/bad/server.key"
	LC_ALL=C sed -i 's/aye table [0-9]/aye table 9/' "$home/bad/data.mdb"
	refused "use a newer one" "$AYED" backup "$home/bad" "$home/place/b" || return 1
	refused "$home/bad: the data have format 9" "$AYED" restore "$home/bad" "$home/place/b" || return 1
	truncate -s 12288 "$home/bad/data.mdb"
	refused "$home/bad" "$AYED" restore "$home/bad" "$home/place/b" && nothing_is_left "$home/place"
}

a_restore_replaces_nothing() {
	local before
	before=$(stat -c '%i %s' "$home/again.data/data.mdb")
	refused "in use by another server" "$AYED" restore "$home/busy" "$data" &&
		refused "already has data" "$AYED" restore "$home/busy" "$home/again.data" &&
		refused "itself or inside it" "$AYED" restore "$home/busy" "$home/busy" &&
		refused "in use by a server" "$AYED" restore "$data" "$home/place/d" &&
		refused "data.mdb" "$AYED" restore "$home/place" "$home/place/d" &&
		nothing_is_left "$home/place" && [ "$before" = "$(stat -c '%i %s' "$home/again.data/data.mdb")" ]
}

a_full_disk_is_a_sentence() {
	(ulimit -f 16 && refused "not enough space" "$AYED" backup "$data" "$home/place/b") &&
		(ulimit -f 16 && refused "not enough space" "$AYED" restore "$home/busy" "$home/place/d") &&
		nothing_is_left "$home/place" && "$AYE" room create >/dev/null || return 1
	# A file system of its own, which goes with the process that mounted it.
	unshare -m true 2>/dev/null || { echo "# no mounts here"; return 0; }
	export -f refused nothing_is_left
	unshare -m bash -c '
		mount -t tmpfs -o size=24k tmpfs "$1" 2>/dev/null || exit 0
		refused "not enough space" "$AYED" backup "$2" "$1/b" && nothing_is_left "$1" &&
			refused "not enough space" "$AYED" backup --keep 2 "$2" "$1" && nothing_is_left "$1" &&
			refused "not enough space" "$AYED" restore "$3" "$1/d" && nothing_is_left "$1"
	' - "$home/place" "$data" "$home/busy"
}

# Data and a key that do not belong together: no server serves them.
another_key_is_found() {
	"$AYED" backup "$data" "$home/place/k" && "$AYED" check "$home/place/k" &&
		head -c 32 /dev/urandom >"$home/place/k/server.key" || return 1
	ends_with 1 "$AYED" check "$home/place/k" >"$home/told" 2>&1 && grep -q "server.key" "$home/told" &&
		! grep -q "^ok" "$home/told" && rm "$home/place/k/server.key" && "$AYED" check "$home/place/k" &&
		rm -r "$home/place/k"
}

usage_is_told() {
	ends_with 2 "$AYED" backup "$data" && ends_with 2 "$AYED" backup --every 1d "$data" "$home/place/b" &&
		ends_with 2 "$AYED" backup --keep 0 "$data" "$home/place/b" &&
		ends_with 2 "$AYED" backup --every 1w --keep 1 "$data" "$home/place/b" &&
		ends_with 2 "$AYED" restore --keep 1 "$data" "$home/place/b" && nothing_is_left "$home/place"
}

# What root makes in the directory of the server's user is that user's.
root_leaves_files_to_their_owner() {
	[ "$(id -u)" = 0 ] || { echo "# not root"; return 0; }
	mkdir -m 700 "$home/place/d" && chown 54321:54321 "$home/place/d" && "$AYED" restore "$home/busy" "$home/place/d" &&
		"$AYED" check "$home/place/d" && [ -e "$home/place/d/lock.mdb" ] || return 1
	[ -z "$(find "$home/place/d" ! -uid 54321)" ] || { ls -lan "$home/place/d"; return 1; }
	rm -rf "$home/place/d"
}

# ---- what ends it ----

some_time() {
	sleep "0.0$((RANDOM % 10))$((RANDOM % 10))"
}

# The process that reads and checks has the locks of the one that was killed until it has ended, too.
is_let_go() { # FILE
	[ ! -e "$1" ] || flock --nonblock "$1" true
}

# Whole at any moment: DEST is complete, or is not there.
kill_moments() {
	local i pid left
	for ((i = 0; i < 40; i++)); do
		"$AYED" backup "$data" "$home/killed.$i" >/dev/null 2>&1 &
		pid=$!
		some_time
		kill -9 "$pid" 2>/dev/null
		wait "$pid"
		[ ! -e "$home/killed.$i" ] || { modes_are_private "$home/killed.$i" && "$AYED" check "$home/killed.$i"; } || return 1
	done
	for left in "$home"/.ayed-unfinished-*; do
		until_true is_let_go "$left" || return 1
	done
	"$AYED" backup "$data" "$home/after" && "$AYED" check "$home/after" || return 1
	rm -rf "$home"/killed.*
	# What the killed had begun goes with the next one.
	[ -z "$(find "$home" -maxdepth 2 -path "$home/.ayed-unfinished-*/data.mdb")" ]
}

restore_moments() {
	local i pid
	for ((i = 0; i < 20; i++)); do
		rm -rf "$home/place/d"
		"$AYED" restore "$home/busy" "$home/place/d" >/dev/null 2>&1 &
		pid=$!
		some_time
		kill -9 "$pid" 2>/dev/null
		wait "$pid"
		until_true is_let_go "$home/place/d/writer.lock" || return 1
		if [ -e "$home/place/d/data.mdb" ]; then
			"$AYED" check "$home/place/d" && [ -e "$home/place/d/server.key" ] || return 1
		else
			"$AYED" restore "$home/busy" "$home/place/d" && "$AYED" check "$home/place/d" || return 1
		fi
	done
	rm -rf "$home/place/d"
}

# It has begun to write, or is over already; looked at without a process, which would be too late.
has_begun() { # PID
	until compgen -G "$home/place/.ayed-unfinished-*" >/dev/null || [ -e "$home/place/b" ] ||
		[[ $(<"/proc/$1/stat") == *") Z "* ]]; do :; done
}

# Asked to end, it leaves nothing at all, and says so.
a_signal_leaves_nothing() { # SIGNAL
	local try pid code interrupted=0
	for ((try = 0; try < 200 && interrupted < 3; try++)); do
		"$AYED" backup "$data" "$home/place/b" >/dev/null 2>"$home/told" &
		pid=$!
		# Mostly while it writes, and before that, too.
		((try % 4 == 0)) && some_time || has_begun "$pid"
		kill "-$1" "$pid" 2>/dev/null
		wait "$pid"
		code=$?
		case $code in
		0) [ -e "$home/place/b" ] || return 1 ;;
		1) interrupted=$((interrupted + 1)) && grep -q "^ayed: interrupted; nothing was left in $home/place/b$" "$home/told" || return 1 ;;
		*) [ "$code" -gt 128 ] || return 1 ;; # before it had begun
		esac
		rm -rf "$home/place/b"
		nothing_is_left "$home/place" || return 1
	done
	[ "$interrupted" = 3 ]
}

# ---- in a row ----

rows() {
	find "$home/row" -mindepth 1 -maxdepth 1 -name 'ayed-*Z' | sort
}

nobody_reads() { # COMMAND...
	"$@" >/dev/full
}

a_row_keeps_the_newest() {
	local i made
	for i in 1 2 3; do
		"$AYED" backup --keep 2 --json "$data" "$home/row" >"$home/told" || return 1
		made+=("$(sed 's/.*"path":"\([^"]*\)".*/\1/' "$home/told")")
	done
	diff <(rows) <(printf '%s\n' "${made[@]:1}") && modes_are_private "${made[2]}" || return 1
	# Nobody reads what is printed: the oldest goes all the same.
	refused "writing to stdout failed" nobody_reads "$AYED" backup --keep 2 "$data" "$home/row" &&
		[ "$(rows | wc -l)" = 2 ] && ! rows | grep -qxF "${made[1]}" || return 1
	made=("" "${made[2]}" "$(rows | tail -n 1)")
	# One that cannot be made costs none of the old.
	(ulimit -f 16 && refused "not enough space" "$AYED" backup --keep 1 "$data" "$home/row") &&
		diff <(rows) <(printf '%s\n' "${made[@]:1}")
}

three_more() {
	[ "$(wc -l <"$home/every")" -ge 3 ]
}

a_loop_makes_one_each_time() {
	local pid
	"$AYED" backup --every 1s --keep 2 "$data" "$home/row" >"$home/every" &
	pid=$!
	until_true three_more || return 1
	kill "$pid"
	wait "$pid" && [ "$(rows | wc -l)" = 2 ] && nothing_unfinished "$home/row"
}

nothing_unfinished() { # DIRECTORY
	[ -z "$(find "$1" -maxdepth 1 -name '.ayed-unfinished-*')" ]
}

a_terminal_sees_how_far_it_is() {
	local told
	told=$(on_a_terminal "$AYED" backup "$data" "$home/place/b" </dev/null) || return 1
	rm -r "$home/place/b"
	[[ $told == *"Checking the copy"* ]] && "$AYED" backup "$data" "$home/place/b" 2>"$home/told" >/dev/null &&
		rm -r "$home/place/b" && [ ! -s "$home/told" ]
}

# promise: moment
claim "a backup beside votes has what was acknowledged before it, and the server serves on" a_backup_has_what_was_acknowledged_before
claim "what is restored from it is served, and equal" a_restored_server_has_it_too
claim "sessions and rooms go on after a restore" sessions_go_on
claim "places that are taken, missing or the data themselves are refused" bad_places_are_refused
claim "data that are newer, damaged or without their key are refused" bad_data_are_refused
claim "a restore replaces nothing, and takes no data that are served" a_restore_replaces_nothing
claim "a full disk is a sentence, and leaves nothing" a_full_disk_is_a_sentence
claim "what root restores belongs to the user of the directory" root_leaves_files_to_their_owner
claim "check finds a key that the data are not of, and takes data that have none yet" another_key_is_found
claim "a command line that makes no sense is an error of usage" usage_is_told
# promise: whole-backup
claim "a backup that is killed is whole or not there" kill_moments
claim "a restore that is killed is whole, or can be made again" restore_moments
claim "SIGTERM leaves nothing" a_signal_leaves_nothing TERM
claim "SIGINT leaves nothing" a_signal_leaves_nothing INT
claim "--keep removes the oldest once the new one is there" a_row_keeps_the_newest
claim "--every makes one each time, until SIGTERM" a_loop_makes_one_each_time
claim "a terminal sees how far it is, a file does not" a_terminal_sees_how_far_it_is
