#!/bin/bash
# notify_command.sh - ayed --notify-command: what the command is given, and that one that fails, hangs,
# floods, says "later", does not listen or is gone harms nobody.
. "$(dirname "$0")/cli_kit.bash"

# A program that does what the file "mood" beside it says; each run leaves its input behind.
work=$home/work
mkdir "$work"
make_command() {
	cat >"$work/notify" <<EOF
#!/bin/sh
cd "$work" || exit 1
mood=\$(cat mood)
if [ "\$mood" = deaf ]; then
	touch "run.\$\$"
	exit 0
fi
env | grep -v '^\(PWD\|OLDPWD\|SHLVL\|_\)=' | sort >env
echo "\$#" >args
readlink /proc/\$\$/fd/* >files
cat >"input.\$\$"
mv "input.\$\$" "run.\$\$"
case \$mood in
	fail) exit 3 ;;
	later) exit 75 ;;
	hang) sleep 1000 & echo \$! >child; wait ;;
	flood) yes | head -c 3000000; yes | head -c 3000000 >&2 ;;
	count) touch "at.\$\$"; ls at.* | wc -l >"most.\$\$"; sleep 0.3; rm "at.\$\$" ;;
esac
EOF
	chmod +x "$work/notify"
}
make_command

serve() { # NAME [ARGUMENT...]
	local name=$1
	shift
	start_server "$name" --notify-command "$work/notify" --limit logins_per_minute=1000 "$@" || return 1
	export AYE_SERVER=$server
	"$AYE" login Ada --guest && XDG_STATE_HOME=$home/asker "$AYE" login Bob --guest
}
# Whoever starts the server may have left a file open, of any number.
echo "nobody's business" >"$work/private"
serve main --limit command_ms=1500 >/dev/null 7<"$work/private" 70<"$work/private" || { echo "Bail out! no server"; exit 1; }

mood() { # MOOD
	rm -f "$work"/run.* "$work"/most.*
	printf '%s' "$1" >"$work/mood"
}
field() { # NAME
	sed 's/.*"'"$1"'":"\{0,1\}\([^",}]*\).*/\1/'
}
subscribe() {
	"$AYE" call subscription.create '{"channel":"command","address":"ada@example.org"}' | field subscription_id
}
unsubscribe() { # ID
	"$AYE" call subscription.delete '{"subscription_id":"'"$1"'"}'
}
ask() {
	XDG_STATE_HOME=$home/asker "$AYE" call question.ask \
		'{"prompt":"Shall \"we\" ship $(it); now?","type":"text"}' | field question_id
}
runs() { # N: so many have been
	[ "$(find "$work" -name 'run.*' | wc -l)" -ge "$1" ]
}
listed() { # ID PATTERN
	"$AYE" call subscription.list | tr '{' '\n' | grep "\"$1\"" | grep -q "$2"
}
# A subscription of its own, a question, a run of the command; then what subscription.list says.
after_a_run() { # MOOD PATTERN
	local id
	mood "$1"
	id=$(subscribe)
	ask && until_true runs 1 && until_true listed "$id" "$2" && unsubscribe "$id"
}
nothing_runs() {
	! pgrep -f "^/bin/sh $work/notify" >/dev/null
}

the_command_is_given_a_line() {
	local id question
	mood fine
	id=$(subscribe)
	question=$(ask)
	until_true runs 1 || return 1
	[ "$(cat "$work"/run.*)" = '{"address":"ada@example.org","question_id":"'"$question"'","type":"text","prompt":"Shall \"we\" ship $(it); now?"}' ] &&
		[ "$(cat "$work/args")" = 0 ] &&
		[ "$(cat "$work/env")" = "LC_ALL=C.UTF-8
PATH=/usr/local/bin:/usr/bin:/bin" ] &&
		[ -s "$work/files" ] && ! grep -q private "$work/files" &&
		listed "$id" '"failures":0,.*"last_notified_at":[0-9]' && unsubscribe "$id"
}
a_failure_is_listed() {
	after_a_run fail '"active":true,"failures":1,' && grep -q "notify_command_failed.*status 3" "$home/main.log"
}
later_is_tried_once_more() {
	after_a_run later '"failures":1,' && runs 2 && ! runs 3
}
one_that_hangs_is_killed() {
	after_a_run hang '"failures":1,' && until_true nothing_runs && grep -q "took too long" "$home/main.log" &&
		until_true is_gone "$(cat "$work/child")"
}
a_flood_goes_nowhere() {
	local before
	before=$(failures)
	after_a_run flood '"failures":0,' && until_true nothing_runs && [ "$(failures)" = "$before" ]
}
failures() {
	grep -c notify_command_failed "$home/main.log"
}
one_that_does_not_listen_is_fine() {
	local before
	before=$(failures)
	after_a_run deaf '"failures":0,' && until_true nothing_runs && [ "$(failures)" = "$before" ]
}
one_that_is_gone_is_nobodys_fault() {
	local id
	rm "$work/notify"
	mood fine
	id=$(subscribe)
	ask && until_true grep -q "notify_command_failed.*cannot be started" "$home/main.log" &&
		listed "$id" '"active":true,"failures":0,' && unsubscribe "$id" && make_command
}
four_run_at_once() {
	local i
	mood count
	serve many >/dev/null || return 1
	for i in 1 2 3 4 5 6 7 8 9; do
		XDG_STATE_HOME=$home/person$i "$AYE" login "P$i" --guest &&
			XDG_STATE_HOME=$home/person$i subscribe || return 1
	done
	ask && until_true runs 9 && until_true nothing_runs || return 1
	cat "$work"/most.* | sort -n | tail -1 | grep -qx "[1-4]"
}
the_end_of_the_server_ends_it() {
	mood hang
	serve ending >/dev/null || return 1
	subscribe && ask && until_true runs 1 && kill "$server_pid" && wait "$server_pid" && until_true nothing_runs
}
without_a_command_there_is_no_channel() {
	start_server plain && "$AYE" login Cy --guest --server "$server" || return 1
	"$AYE" call subscription.create '{"channel":"command","address":"a"}' --server "$server" 2>&1 |
		grep -q "notify-command" &&
		"$AYE" call subscription.create '{"channel":"live"}' --server "$server" | grep -q '"active"' &&
		ends_with 2 "$AYED" --data "$home/x" --listen "unix:$home/x.sock" --notify-command notify
}

claim "the command is given a line of JSON, and nothing else" the_command_is_given_a_line
claim "one that fails counts as a failure" a_failure_is_listed
claim "one that exits with 75 is tried once more" later_is_tried_once_more
claim "one that hangs is killed" one_that_hangs_is_killed
claim "what it prints goes nowhere" a_flood_goes_nowhere
claim "one that does not read its input is fine" one_that_does_not_listen_is_fine
claim "one that cannot be started is nobody's failure" one_that_is_gone_is_nobodys_fault
claim "four run at once" four_run_at_once
claim "it ends with the server" the_end_of_the_server_ends_it
claim "without a command there is no such channel" without_a_command_there_is_no_channel
