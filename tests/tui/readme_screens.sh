#!/bin/bash
# readme_screens.sh - the screens that README.md shows are those of the program.
#
# Above each stands where it comes from: <!-- screen: FILE -->, one of the expected screens, or
# <!-- screen: FILE WIDTHxHEIGHT --> where the file has several sizes. It is shown without the
# line about the cursor, and empty lines that follow one another as one.
# AYE_UPDATE_SCREENS=1 writes them anew.
set -u

readme=README.md
filled=$(mktemp)
trap 'rm -f "$filled"' EXIT

awk '
	/^<!-- screen: .* -->$/ { file = $3; size = $4 }
	is_old && /^```$/ { is_old = 0 }
	!is_old { print }
	file != "" && /^```text$/ {
		was_empty = 0
		is_shown = size == "-->"
		while ((read = (getline line < file)) > 0) {
			if (line ~ /^[0-9]+x[0-9]+$/) {
				is_shown = line == size
			} else if (is_shown && line !~ /^\(.*cursor.*\)$/ && !(line == "" && was_empty)) {
				print line
			}
			was_empty = line == ""
		}
		if (read < 0) {
			print file " is missing"
		}
		close(file)
		file = ""
		is_old = 1
	}
' "$readme" >"$filled"

if [ -n "${AYE_UPDATE_SCREENS:-}" ]; then
	cat "$filled" >"$readme"
fi
echo 1..2
shown=$(grep -c '^<!-- screen: ' "$readme")
[ "$shown" -ge 3 ] && echo "ok 1 - three screens are shown" || echo "not ok 1 - $shown screens are shown"
if diff "$readme" "$filled" | sed 's/^/# /'; [ "${PIPESTATUS[0]}" -eq 0 ]; then
	echo "ok 2 - each is as its file says"
else
	echo "not ok 2 - some differ; make screens writes them anew"
	exit 1
fi
[ "$shown" -ge 3 ]
