#!/bin/bash
# screens_read.sh - no expected screen and no transcript outlives its test.
#
# Those in tests/tui/session/ are looked after by the program that reads them.
#
# usage: AYE=where/programs/are/aye screens_read.sh
set -u

: "${AYE:?says where the test programs are: beside it}"
read=$(mktemp)
trap 'rm -f "$read"' EXIT

# told STATUS CLAIM: one line of TAP.
number=0
failed=0
told() {
	number=$((number + 1))
	[ "$1" -eq 0 ] || failed=1
	[ "$1" -eq 0 ] && echo "ok $number - $2" || echo "not ok $number - $2"
}

echo 1..2
for source in $(grep -l screen_files.h tests/unit/client/*.c); do
	AYE_SCREENS_READ=$read "${AYE%/*}/${source%.c}" >/dev/null 2>&1 ||
		echo "# $source fails; what it reads behind that is not known"
done
diff <(sort -u "$read") <(printf '%s\n' tests/tui/screens/* | sort) | sed 's/^/# /'
told "${PIPESTATUS[0]}" 'each expected screen is read by a test'

left=0
for file in tests/tui/transcripts/*; do
	grep -qE "(reads_as_before [A-Z][a-z]* |^transcript=.*/)$(basename "$file" .txt)\b" tests/e2e/plain_*.sh || left=1
done
told "$left" 'each transcript is read by a test'
exit "$failed"
