#!/bin/bash
# install_files.sh - `make install` puts everything in its place, what it puts there is true, and
# `make uninstall` removes just that.
#
# Needs AYE, beside which all that is built of its variant lies, in the environment. Speaks TAP.
set -u
cd "$(dirname "$0")/../.."
unset MAKEFLAGS MAKELEVEL MFLAGS
destination=$(mktemp -d)
trap 'rm -rf "$destination"' EXIT
usr=$destination/usr
built=${AYE%/*}
make_() {
	make -s "$@" DESTDIR="$destination" PREFIX=/usr \
		BUILD="$(dirname "$built")" VARIANT="$(basename "$built")"
}

. tests/support/claims.bash

installed() {
	find "$destination" -type f ! -name others | sed "s|^$usr/||" | sort
}

# What was there before: files of others in the same directories, and names that ours begin with.
others=$usr/others
belongs_to_others() {
	mkdir -p "$usr/bin" "$usr/share/man/man8" "$usr/lib/systemd/system" "$usr/share/empty"
	touch "$usr/bin/ayedit" "$usr/share/man/man8/aye.8" "$usr/lib/systemd/system/aye.service"
	installed >"$others"
}

everything_is_in_place() {
	diff <(installed | grep -vxFf "$others") <(sort <<-END
	bin/aye
	bin/ayed
	share/bash-completion/completions/aye
	share/fish/vendor_completions.d/aye.fish
	share/man/man1/aye-verbs.1
	share/man/man1/aye.1
	share/man/man5/ayed-limits.5
	share/man/man7/aye-keys.7
	share/man/man8/ayed.8
	share/zsh/vendor-completions/_aye
	$(find server -maxdepth 1 -name '*.service' -o -maxdepth 1 -name '*.socket' -o -maxdepth 1 -name '*.timer' |
		sed 's|^server/|lib/systemd/system/|')
	END
	)
}

starts_as() { # PROGRAM ITS_WORD_FOR_VERSION WORD
	local told
	told=$("$usr/bin/$1" "$2") && [ "$told" = "$1 $(sed -n 's/^VERSION := //p' Makefile)" ] && "$usr/bin/$1" --help | grep -q -- "$3"
}

page_is_clean() { # PAGE
	local told
	told=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l "$1" 2>&1 >/dev/null)
	if command -v mandoc >/dev/null; then
		told+=$(mandoc -T lint -W warning "$1" 2>&1)
	fi
	printf '%s' "$told"
	[ -z "$told" ]
}

# What somebody who is new reads; all else has pages of its own.
is_at_most() { # FILE LINES
	[ "$(wc -l <"$1")" -le "$2" ]
}

plain_page() {
	LC_ALL=C.UTF-8 MANWIDTH=200 man -l "$1" 2>/dev/null | col -bx
}

# What a program prints of itself: the help of each verb and command, too.
told_by() { # PROGRAM
	"$usr/bin/$1" --help
	if [ "$1" = aye ]; then
		"$usr/bin/aye" help all
		"$usr/bin/aye" help all | sed -nE '/^Take part/,/^Options/s/^  ([a-z-]+( [a-z-]+)?)  .*/\1/p' |
			while read -r verb; do
				# shellcheck disable=SC2086 # words of a command
				"$usr/bin/aye" help $verb
			done
	else
		"$usr/bin/ayed" --help | sed -nE 's/^ {7}ayed ([a-z]+) .*/\1/p' |
			while read -r command; do
				"$usr/bin/ayed" help "$command"
			done
	fi
}

# Every option that a program names stands in its page, and every one the page names exists. Examples are of others, too.
options_agree() { # PROGRAM PAGE
	diff <(told_by "$1" | grep -oE -e '(^|[ [(|,])--[a-z][a-z-]*' | grep -oE -e '--[a-z-]+' | sort -u) \
		<(plain_page "$2" | sed -n '/^SYNOPSIS/,/^EXIT STATUS/{/^EXAMPLES/,/^COMMANDS/d;s/:set --save//;s/ayed --[a-z-]*//g;p}' | grep -oE -e '--[a-z][a-z-]*' | sort -u)
}

# What `make docs` would write between the marks stands there.
parts_are_fresh() { # PAGE
	local part parts=0
	for part in $(sed -n 's/.*BEGIN \([a-z]*\).*/\1/p' "$1"); do
		parts=$((parts + 1))
		diff <(sed -n "/BEGIN $part/,/END $part/{//!p}" "$1") <("$built/tests/tools/manual" "$part") || return 1
	done
	[ "$parts" -gt 0 ]
}

# Each row of the limits in --help (name, value) is a row of the page, as a reader sees it.
limits_agree() {
	local name value status=0 page rows=0
	page=$(plain_page "$usr/share/man/man5/ayed-limits.5" | tr -s ' ')
	while read -r name value; do
		rows=$((rows + 1))
		if ! grep -qE "^ ?$name $value " <<<"$page"; then
			echo "ayed-limits(5) lacks: $name $value"
			status=1
		fi
	done < <("$usr/bin/ayed" --help | sed -nE 's/^  [* ] ([a-z_]+) +([0-9]+) .*/\1 \2/p')
	[ "$rows" -gt 5 ] || { echo "only $rows limits in ayed --help"; status=1; }
	return $status
}

methods_complete() {
	bash -c "
		. '$usr/share/bash-completion/completions/aye' || exit 1
		PATH='$usr/bin':\$PATH COMP_WORDS=(aye ro) COMP_CWORD=1 COMPREPLY=()
		_aye aye ro aye
		printf '%s\n' \"\${COMPREPLY[@]}\" | grep -q '^room *$'" &&
		zsh -fn "$usr/share/zsh/vendor-completions/_aye" &&
		fish --no-execute "$usr/share/fish/vendor_completions.d/aye.fish"
}

unit_names_the_program() {
	grep -q '^ExecStart=/usr/bin/ayed --data ' "$usr/lib/systemd/system/ayed.service" &&
		! grep '@PREFIX@' "$usr"/lib/systemd/system/*
}

all_are_readable() {
	! find "$usr" -type f ! -perm 644 ! -perm 755 -o -type d ! -perm 755 | grep .
}

nothing_is_left() {
	make_ uninstall >/dev/null && diff "$others" <(installed) && [ -d "$usr/share/empty" ]
}

belongs_to_others
umask 077 # an administrator's may be
claim "make install succeeds" make_ install
claim "everything is in its place, and nothing else" everything_is_in_place
claim "everybody can read what is installed" all_are_readable
claim "the installed aye starts" starts_as aye version join
claim "the installed ayed starts" starts_as ayed --version --listen
for page in man1/aye.1 man1/aye-verbs.1 man7/aye-keys.7 man5/ayed-limits.5 man8/ayed.8; do
	claim "$page is a clean page" page_is_clean "$usr/share/man/$page"
done
for page in man1/aye-verbs.1 man7/aye-keys.7 man5/ayed-limits.5 man8/ayed.8; do
	claim "$page has the rows of the program: make docs would change nothing" parts_are_fresh "$usr/share/man/$page"
done
claim "aye-verbs(1) and the help of aye and its verbs name the same options" options_agree aye "$usr/share/man/man1/aye-verbs.1"
claim "ayed(8) and ayed --help name the same options" options_agree ayed "$usr/share/man/man8/ayed.8"
claim "ayed-limits(5) has every limit of ayed --help, with its value" limits_agree
claim "aye(1) fits into 300 lines" is_at_most "$usr/share/man/man1/aye.1" 300
claim "the shell completes aye's words" methods_complete
claim "the unit starts the installed ayed" unit_names_the_program
claim "make uninstall removes that, and nothing of others" nothing_is_left
echo "1..$n"
exit $failed
