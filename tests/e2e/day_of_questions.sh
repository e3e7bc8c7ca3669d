#!/bin/bash
# day_of_questions.sh - a day of questions in real terminals: somebody asks and waits, three people
# answer in their inboxes, a program asks over the Model Context Protocol; what they earn is
# counted, and when their time has come the questions are gone.
#
# usage: AYE=path/to/aye AYED=path/to/ayed day_of_questions.sh
set -u

. "$(dirname "$0")/../tui/tmux_kit.bash"
people=(ada linus mary)

echo 1..12
serve

as() { # PERSON ARGUMENT...: aye as somebody who is logged in
	local person=$1
	shift
	mkdir -p "$dir/$person"
	XDG_STATE_HOME=$dir/$person "$AYE" "$@"
}
agent() { # TOOL ARGUMENTS: the answer to a call of a tool, one line of JSON
	printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"day","version":"1"}}}' \
		'{"jsonrpc":"2.0","method":"notifications/initialized"}' \
		"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"$1\",\"arguments\":$2}}" |
		as builder mcp --name builder | tail -n 1
}
says() { # TEXT COMMAND...
	local text=$1 told
	shift
	told=$("$@" 2>&1)
	[[ $told == *"$text"* ]] || { printf '# no "%s" in: %s\n' "$text" "$told"; false; }
}
all_shown() { # TEXT...: on each of the three screens
	local person
	for person in "${people[@]}"; do
		until_shown "$person" "$@" || return
	done
}
id_in() { # FILE
	grep -o 'q_[0-9A-Z]\{10\}' "$1" | head -n 1
}

# ---- morning ----

as grace login grace >/dev/null
for person in "${people[@]}"; do
	as "$person" login "$person" >/dev/null && as "$person" notify on >/dev/null
	enter "$person" 80 24 inbox
done
all_shown 'No questions for you.'
told $? 'three inboxes are open, and empty'

cat >"$dir/ask.sh" <<-END
	export XDG_STATE_HOME=$dir/grace
	$AYE ask 'Ship the release today?' -o yes -o no --need 3 --open 1h --wait --expect yes | tee $dir/asked
	echo "grace left with \${PIPESTATUS[0]}"
	exec cat
END
mux new-session -d -s grace -x 80 -y 24 "bash $dir/ask.sh"
until_file "$dir/asked"
told $? 'a question is asked in a fourth terminal, which waits'
asked=$(id_in "$dir/asked")

# The notice first: it stands for a while only.
all_shown 'New question: Ship the release today?' 'Inbox · 1' 'general  Ship the release today?' '0 of 3'
told $? 'all three are sent a notice, and their inboxes show it'

# ---- noon ----

for person in "${people[@]}"; do
	hit "$person" Enter
done
all_shown 'your answer' 'from grace'
told $? 'each opens it'

# Who answers sooner than two seconds after that has not thought about it, and earns nothing.
opened=$SECONDS
has_thought() {
	[ $((SECONDS - opened)) -gt 2 ]
}
retried has_thought
hit ada ':' && typed ada 'set points on' && hit ada 1 && until_shown ada '[yes]' && hit ada f && until_shown ada 'Confidence' && hit ada 5 Enter && until_shown ada 'Confidence: 5 of 5' &&
	hit ada Enter && until_shown ada 'Your answer was sent: +' 'First steps' &&
	says '"PARTIAL"' as ada call question.get "{\"question_id\":\"$asked\"}"
told $? 'the first answers, and sees what that earns'

hit linus 2 && until_shown linus '[no]' && hit linus Enter && until_shown linus 'Your answer was sent' &&
	hit mary 1 && until_shown mary '[yes]' && hit mary Enter && until_shown mary 'Your answer was sent'
told $? 'so do the others'

until_shown grace 'closed: 3 of 3 answered' '2  yes' '1  no' 'grace left with 0'
told $? 'with the third the question is closed, and most said what was expected'

# ---- afternoon ----

agent ask_human '{"question":"What should the next release be called?","min_responses":2}' >"$dir/agent"
agents=$(id_in "$dir/agent")
[ -n "$agents" ] && says '"status":"OPEN"' agent check_human_responses "{\"question_id\":\"$agents\"}"
told $? 'a program asks, and is told that nobody has answered yet'

as ada answer "$agents" 'Rosebud' >/dev/null && as linus answer "$agents" 'Bluebell' >/dev/null &&
	says '"status":"CLOSED"' agent check_human_responses "{\"question_id\":\"$agents\"}" &&
	says 'Rosebud' agent check_human_responses "{\"question_id\":\"$agents\"}"
told $? 'two answer from a shell, and it reads what they say'

# ---- evening ----

says 'No board yet' as ada board --today && says '2 answers' as ada stats
told $? 'three are too few for a board, and everybody is told what is their own'

# A week later: the time of what is closed has come, by what the table says of it.
kill -TERM "$server" && wait "$server"
"$AYED" dump --hidden-votes "$dir/data" 2>/dev/null | sed '/"sk":"QUESTION"/s/"expires_at":[0-9]*/"expires_at":1/' >"$dir/later" &&
	rm "$dir"/data/data.mdb* && "$AYED" load "$dir/data" <"$dir/later" 2>/dev/null && rm "$dir/ready" && serve &&
	retried says 'question not found' as grace question show "$asked" && [ -z "$(as grace question mine)" ] &&
	! agent check_human_responses "{\"question_id\":\"$agents\"}" | grep -q 'Rosebud'
told $? 'when their time has come the questions are gone'

says '2 answers' as ada stats
told $? 'and what was earned stays'
exit "$failed"
