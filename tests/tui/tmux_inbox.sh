#!/bin/bash
# tmux_inbox.sh - questions in real tmux: home says that they wait, the inbox lists them, they are
# answered, skipped and missed; at 80x24 and 40x12, with a real server that goes and comes back.
#
# usage: AYE=path/to/aye AYED=path/to/ayed tmux_inbox.sh
set -u

. "$(dirname "$0")/tmux_kit.bash"

echo 1..18
serve

# ask PROMPT REST: prints the question_id. REST: more of the params, as JSON.
ask() {
	as grace call question.ask "{\"prompt\":\"$1\",\"idempotency_key\":\"$(md5sum <<<"$1" | cut -c 1-32)\"$2}" |
		sed -n 's/.*"question_id":"\([^"]*\)".*/\1/p'
}
choice=',"type":"multiple_choice","options":["yes","no","later"]'
for person in grace ada linus; do
	as "$person" login "$person" >/dev/null
done

first=$(ask 'Ship the release today?' "$choice,\"audience\":[\"technical\"],\"min_responses\":2")
second=$(ask 'What would you change about how we plan?\nThree lines are enough.' ',"type":"text"')

enter ada 80 24
until_shown ada 'Logged in as ada' '2 questions for you: press i' 'i inbox'
told $? 'home says how many questions wait'

hit ada i && until_shown ada 'Inbox · 2' 'answers' '> general    What would you change' 'technical  Ship the release today?' '0 of 2' '59m'
told $? 'the inbox lists them, the newest first'

hit ada Down Enter && until_shown ada 'technical · 0 of 2 answers' 'from grace' ' your answer ' 'yes' 'no' 'later' &&
	hit ada 3 && until_shown ada '[later]' && hit ada Left && until_shown ada '[no]' &&
	hit ada f && until_shown ada 'Confidence (1-5):' && hit ada 4 Enter &&
	hit ada x && until_shown ada 'Comment:' && typed ada 'Grace is away' &&
	until_shown ada 'Confidence: 4 of 5 · Comment: Grace is away'
told $? 'a question opens with its choices; a digit and the arrows choose, f and x say more'

hit ada Enter && until_shown ada 'Your answer was sent' 'What would you change about how we plan?' &&
	as grace call question.get "{\"question_id\":\"$first\"}" |
	grep -q '"selected_option":1,"confidence":4,"comment":"Grace is away"'
told $? 'Enter sends the answer'

until_shown ada 'What would you change about how we plan?' 'Three lines are enough.' && hit ada w &&
	until_shown ada 'Your answer' '^S send' && hit ada 'Plan less,' Enter 'and leave room' Escape &&
	until_shown ada 'Plan less,' 'and leave room' 'w write'
told $? 'behind it comes the next one; what is written stays when its page is left'

kill -KILL "$server" && wait "$server" 2>/dev/null
until_shown ada 'connection lost' && hit ada C-s && until_shown ada 'Not connected. Your answer is sent on reconnect'
told $? 'without a connection the answer waits'

rm -f "$dir/ready"
serve
until_shown ada 'Your answer was sent' &&
	[ "$(as grace call question.get "{\"question_id\":\"$second\"}" | grep -o 'Plan less' | wc -l)" -eq 1 ]
told $? 'and is sent once when it is back'

until_shown ada 'No questions for you.' 'e change answer' && hit ada e && until_shown ada 'Plan less,' 'w write' && hit ada w &&
	until_shown ada '^S send' && typed ada 'Plan later, ' && hit ada C-s && until_shown ada 'Your answer was changed' &&
	as grace call question.get "{\"question_id\":\"$second\"}" >"$dir/got" && grep -q 'Plan later' "$dir/got" &&
	grep -q '"current_responses":1' "$dir/got"
told $? 'the last answer is changed from the list'

until_shown ada 'No questions for you.' && hit ada Escape && until_shown ada 'aye · Home' && until_hidden ada 'waits'
told $? 'behind the last one the inbox is empty, and home says nothing'

third=$(ask 'Which of these names is the better one?' ',"type":"multiple_choice","options":["The first of the two, which is longer than it has to be","Ayed"],"min_responses":1')
enter linus 40 12 inbox
until_shown linus 'Inbox · 3' 'Which of' 'of 1' && hit linus Enter && until_shown linus 'Which of these names is the better' '1  The first of the two' '2  Ayed' &&
	hit linus 2 && until_shown linus '[2] Ayed'
told $? 'aye inbox opens it at once, and long choices are lines'

as ada call question.answer "{\"question_id\":\"$third\",\"selected_option\":0}" >/dev/null &&
	hit linus Enter && until_shown linus 'This question is closed' && until_hidden linus 'Enter send'
told $? 'an answer that comes too late says so in place'

hit linus Escape && until_shown linus 'Inbox · 2' && hit linus Enter && until_shown linus 'What would you' && hit linus '>' &&
	until_shown linus 'Ship the release today?' 'Skipped' && hit linus '>' && until_shown linus 'No questions for you.'
told $? 'a question is skipped, and the next one follows'

hit linus Escape && until_shown linus 'aye · Home' && hit linus q && until_shown linus 'linus left with 0' && is_restored linus
told $? 'from the inbox one goes home, and out'

enter grace 80 24 inbox
until_shown grace 'No questions for you.' && hit grace Tab && until_shown grace 'Your questions · 3' 'answers' 'closed' '1 of 1' &&
	hit grace Down Down Enter && until_shown grace 'open · 1 of 2 answers' 'no, confidence 4 of 5' 'Grace is away'
told $? 'one looks at the answers to questions of one'"'"'s own'

as ada notify on >/dev/null
until_shown ada 'aye · Home' && own=$(as ada ask 'Is this read at home?' -o yes -o no --need 1 --json | grep -o 'q_[A-Z0-9]*' | head -n 1) &&
	! as linus question watch "$first" --timeout 6 >/dev/null 2>&1 && as linus answer "$own" yes >/dev/null &&
	until_shown ada 'Your question has closed, 1 of 1 answered: Is this read at home?'
told $? 'at home the asker reads that it has ended, also where nothing has moved for a while'

hit ada c && until_shown ada 'Title' && hit ada Enter && until_shown ada 'Cards of' && hit ada 1 && until_shown ada '1 here' '● live' &&
	fourth=$(ask 'Do we want two names for it?' "$choice") && until_shown ada 'New question: Do we want two names for it? (press i)' &&
	hit ada i && until_shown ada 'Inbox · 1' 'Do we want two names' '0 of 1 voted' && hit ada Enter && until_shown ada 'general · 0 of 2' && hit ada 2 &&
	until_shown ada '[no]' && hit ada Escape && until_shown ada 'Inbox · 1' && hit ada Escape && until_shown ada 'your card' '1 here' && hit ada 5 && until_shown ada '[5]' &&
	hit ada q && until_shown ada 'aye · Home' '1 question for you: press i'
told $? 'in a room a notice is a line that names the key to the inbox, one comes back to the cards, and home counts it'

hit grace Escape && until_shown grace 'Your questions' && hit grace '?' && until_shown grace 'In the inbox (i)' 'Skip a question' &&
	hit grace q && hit grace Escape && until_shown grace 'Inbox' && hit grace C-c &&
	until_shown grace 'grace left with 0' && hit ada q && until_shown ada 'ada left with 0' && is_restored ada
told $? 'the help lists the keys, and Ctrl-C ends it from anywhere'

ask 'Can this one be read?' "$choice" >/dev/null && ask 'Can the other one be read?' "$choice" >/dev/null
kill "$server" && wait "$server"
LC_ALL=C sed -i 's/Can the other one be read/Can the uther one be read/g' "$dir/data/data.mdb"
rm -f "$dir/ready"
serve
enter ada-2 80 24 inbox
until_shown ada-2 'Some entries are damaged on the server' 'Can this one be read?'
told $? 'the inbox says that some of it is damaged, and lists the rest'
exit "$failed"
