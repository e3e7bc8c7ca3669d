#!/bin/bash
# plain_ends.sh - a room in lines: where the input comes from and ends, the connection, the exit codes.
. "$(dirname "$0")/cli_kit.bash"
start_server main --limit countdown_ms=1 || { echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server

# In this shell, as what one begins the next goes on with.
step() { # CLAIM COMMAND...
	local text=$1
	shift
	n=$((n + 1))
	if "$@" >"$home/told" 2>&1; then
		echo "ok $n - $text"
	else
		echo "not ok $n - $text"
		sed 's/^/# /' "$home/told"
		failed=1
	fi
}

until_told() { # FILE TEXT
	until_true grep -qF -- "$2" "$1"
}

a_pipe_writes_a_whole_session_at_once() {
	code=$("$AYE" room create) || return 1
	printf '%s\n' "add One" "add Two" "select 2" 5 "settle 8" "" reveal result "settle 8" next | "$AYE" join "$code" --name Ada >"$home/out" || return 1
	cat "$home/out"
	[ "$(tail -n 1 "$home/out")" = "Left $code. To rejoin: aye join $code --server $server" ] &&
		"$AYE" story list "$code" | grep -q "8.*Two" && "$AYE" room show "$code" | grep -q "^Voting on: One"
}

it_ends_with_what_was_done_and_the_line_that_keeps_it() {
	local keep
	keep=$(sed -n 's/^To save it: aye //p' "$home/out")
	grep -qx "1 of 2 stories estimated, 8 points; 1 round" "$home/out" && [ -n "$keep" ] &&
		(cd "$home" && env -u AYE_SERVER "$AYE" $keep) && grep -q "Two" "$home/$code.md" &&
		! "$AYE" join "$code" --name Ada <<<quit | grep "to keep it"
}

the_last_line_needs_no_end() {
	printf 'title Sprint 42\ntitle Sprint 43' | "$AYE" join "$code" --name Ada >/dev/null &&
		"$AYE" room show "$code" | grep -q ": Sprint 43," && "$AYE" home --json | grep -q "Sprint 43"
}

a_file_is_read_like_a_pipe() {
	printf '%s\n' "title from a file" quit "title too late" >"$home/lines"
	"$AYE" join "$code" --name Ada <"$home/lines" >"$home/out" && "$AYE" room show "$code" | grep -q ": from a file,"
}

# The same person's window is a room in lines, too; so is the seat that both share.
a_pipe_beside_a_window_leaves_it_alone() {
	code=$("$AYE" room create) || return 1
	mkfifo "$home/window"
	"$AYE" join "$code" --name Ada <"$home/window" >"$home/out" 2>"$home/err" &
	local pid=$! fd
	exec {fd}>"$home/window"
	echo 5 >&"$fd"
	until_told "$home/out" "Your card is 5." && [ "$(echo status | "$AYE" join "$code" --name Ada | tail -n 1)" = \
		"left here; you are still in the room in another terminal" ] && "$AYE" room show "$code" | grep -q "Ada.*voted"
	local is_kept=$?
	exec {fd}>&-
	wait "$pid"
	[ "$is_kept" = 0 ] && [ "$(tail -n 1 "$home/out")" = "Left $code. To rejoin: aye join $code --server $server" ] &&
		! "$AYE" room show "$code" | grep -q "^  Ada"
}

follows_until_the_end() { # REDIRECTION
	code=$("$AYE" room create) || return 1
	rm -f "$home/out"
	eval '"$AYE" join "$code" --name Ada >"$home/out" 2>"$home/err" '"$1"' &'
	local pid=$!
	until_told "$home/out" "Ada, host" &&
		"$AYE" room title "$code" "Sprint 42" && until_told "$home/out" "The room is called Sprint 42." &&
		"$AYE" room delete "$code" --yes && ends_with 0 wait "$pid" && [ "$(tail -n 1 "$home/out")" = "$code: the room was deleted" ]
}

nothing_is_taken_from_a_loop() {
	[ "$(printf '%s\n' one two | { "$AYE" new >/dev/null; read -r line; echo "$line"; })" = one ]
}

a_long_line_is_refused_and_the_next_is_not() {
	code=$("$AYE" room create) || return 1
	{ printf 'add %02000d\n' 7; echo "add Short"; } | "$AYE" join "$code" --name Ada >"$home/out" || return 1
	grep -q "^That line is too long: up to 1023 bytes. It was ignored.$" "$home/out" && [ "$("$AYE" story list "$code" | wc -l)" = 1 ]
}

a_name_that_is_none_ends_a_script() {
	code=$("$AYE" room create) || return 1
	printf '5\n' | ends_with 1 "$AYE" join "$code" --name "$(printf '%040d' 7)" 2>"$home/err" && [ -s "$home/err" ]
}

what_is_asked_for_while_away_is_done_on_return() {
	local pid in=$home/in
	code=$("$AYE" room create) && rm -f "$home/out" && mkfifo "$in" || return 1
	"$AYE" join "$code" --name Ada <"$in" >"$home/out" &
	pid=$!
	exec {to}>"$in"
	until_told "$home/out" "Ada, host"
	end_server || return 1
	until_told "$home/out" "Connection lost: "
	printf '%s\n' "add One" 5 "react hm" "title Sprint 42" who >&"$to"
	until_told "$home/out" "Ada, you, host: no vote yet."
	[ "$(grep -c "^Not connected: this is sent on reconnect.$" "$home/out")" = 3 ] || return 1
	until_told "$home/out" "Not connected. Your vote is sent on reconnect"
	start_server main --limit countdown_ms=1 || return 1
	until_told "$home/out" "The room is called Sprint 42."
	grep -q "^Connected again.$" "$home/out" && until_told "$home/out" "Your card is 5." && until_told "$home/out" "Ada: hm" &&
		[ "$("$AYE" story list "$code" | grep -c One)" = 1 ] || return 1
	echo quit >&"$to"
	ends_with 0 wait "$pid" && tail -n 1 "$home/out" | grep -q "^Left $code\. "
}

step "a pipe may write a whole session at once" a_pipe_writes_a_whole_session_at_once
step "the session ends with what was done, and the line that keeps it" it_ends_with_what_was_done_and_the_line_that_keeps_it
step "the last line needs no end, and home knows what the room is called" the_last_line_needs_no_end
step "a file is read like a pipe, and quit ends it" a_file_is_read_like_a_pipe
step "a pipe beside a window of the same person leaves it alone" a_pipe_beside_a_window_leaves_it_alone
step "with nothing to read the room is followed to its end" follows_until_the_end "</dev/null"
step "with a closed standard input, too" follows_until_the_end "<&-"
step "aye new in a loop leaves the loop its input" nothing_is_taken_from_a_loop
step "a line beyond the limit is refused, and the next is taken" a_long_line_is_refused_and_the_next_is_not
step "a name that is refused ends a script with 1" a_name_that_is_none_ends_a_script
step "what is asked for while away is done on return, once and in order" what_is_asked_for_while_away_is_done_on_return
# promise: exit-codes
claim "a room that is not there ends with 1" ends_with 1 "$AYE" join 222222 --name Ada </dev/null
claim "a server that is not there ends with 3" ends_with 3 "$AYE" join 222222 --name Ada --server tcp://127.0.0.1:1 </dev/null
