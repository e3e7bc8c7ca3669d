#!/bin/bash
# tmux_shared.sh - two terminals in real tmux see what the other does: who goes
# through the cards, who looks at which story, who types; and write notes together.
#
# usage: AYE=path/to/aye AYED=path/to/ayed tmux_shared.sh
set -u

. "$(dirname "$0")/tmux_kit.bash"

echo 1..10
serve

ada_makes_a_room 80 24
enter grace 80 24 join "$code"
until_shown grace '2 here' && until_shown ada '2 here' 'grace'

hit grace Right
until_shown ada '…' 'grace is choosing'
told $? 'who goes through the cards is seen to choose'
hit grace Enter
until_shown ada '1 of 2 voted' && until_hidden ada 'choosing'
told $? 'until a card lies there'

hit ada S a
typed ada 'PAY-1 Refund'
typed ada 'PAY-2 Retry'
hit ada Escape
until_shown ada 'Stories' 'PAY-2 Retry' && hit grace S && until_shown grace 'Stories' && hit grace End &&
	until_shown ada 'PAY-2 Retry' '◂ grace' && until_shown grace '◂ ada'
told $? 'each sees at which story the other looks'

hit grace Escape
until_hidden ada '◂'
told $? 'and that they look no longer'

hit ada Home && hit ada w && until_shown ada 'Notes' 'PAY-1 Refund' && hit ada -l 'ask the bank' &&
	until_shown ada 'ask the bank' 'Not saved yet'
hit grace S Home && until_shown grace 'PAY-1 Refund' '◂ ada types' &&
	hit grace w && until_shown grace 'Notes' '◂ ada types' 'Nothing here yet'
told $? 'who types is named where the others read'

hit ada C-s && until_shown ada 'Saved' && until_shown grace 'ask the bank'
told $? 'what is saved appears on the other screen'

hit grace -l ' twice'
hit ada Enter && hit ada -l 'call Linus' && until_shown grace '◂ ada types' &&
	hit ada C-s && until_shown ada 'Saved' && until_shown grace 'Others saved too' 'ask the bank twice' &&
	hit grace C-s && until_shown grace 'call Linus' 'ask the bank twice' 'then ^S' && hit grace C-s &&
	until_shown grace 'Saved' && until_shown ada 'ask the bank twice' 'call Linus'
told $? 'what both wrote is brought together, and nothing is lost'

hit ada Escape && until_shown ada 'Stories' 'notes        ask the bank' && hit ada E && until_shown ada 'Description' &&
	hit ada -l 'half by card' && hit ada Enter && hit ada -l 'half by voucher' &&
	hit ada C-s && until_shown ada 'Saved' && hit ada Escape && hit ada l && until_shown ada 'Link:' &&
	typed ada 'https://tracker.example/PAY-1' &&
	until_shown ada 'link         https://tracker.example/PAY-1' 'description  half by card' 'half by voucher'
told $? 'a description has lines, and a link stands beside it'

mux set-buffer -b lines $'PAY-3 Receipts\n\nPAY-4 Payouts\nPAY-5 Ledger\n'
mux paste-buffer -p -b lines -t ada
until_shown ada 'Add 3 stories? PAY-3 Receipts, PAY-4 Payouts, PAY-5 Ledger; y / n' && hit ada y && until_shown ada 'Added 3 of 3 stories' 'PAY-5 Ledger'
told $? 'pasted lines become stories'

mux set-buffer -b again $'PAY-4 Payouts by wire\nPAY-6 Taxes\n'
mux paste-buffer -p -b again -t ada
until_shown ada 'Add 1 story, update 1? PAY-6 Taxes, Payouts by wire; y / n' && hit ada y &&
	until_shown ada 'Added 1 story, updated 1' 'PAY-4 Payouts by wire' 'PAY-6 Taxes'
told $? 'pasted again, what is known by its key is updated'
exit "$failed"
