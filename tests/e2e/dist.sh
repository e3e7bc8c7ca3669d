#!/bin/bash
# dist.sh - the source archive of `make dist` is the tracked files, always the same bytes, and
# does without git; the packaging beside it agrees with the tree.
#
# Builds nothing: that an archive builds, and twice the same, is tests/package.sh. Speaks TAP.
set -u
cd "$(dirname "$0")/../.."
unset MAKEFLAGS MAKELEVEL MFLAGS BUILD VARIANT
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
version=$(sed -n 's/^VERSION := //p' Makefile)
name=aye-$version
first=$temporary/first/$name.tar.gz
unpacked=$temporary/else/where/$name

. tests/support/claims.bash

archive_is_made() {
	make -s dist BUILD="$temporary/first" && mkdir -p "${unpacked%/*}" &&
		tar -xzf "$first" -C "${unpacked%/*}"
}

# A tree without git was an archive itself, which says what was tracked.
has_the_tracked_files() {
	diff <({ if [ -e .git ]; then git ls-files; else cat .files; fi && echo .files; } | sort -u) \
		<(cd "$unpacked" && find . ! -type d | sed 's|^\./||' | sort)
}

files_are_the_same() {
	local file
	while read -r file; do
		if [ "$file" != .files ]; then
			cmp "$file" "$unpacked/$file" || return 1
			if [ -x "$file" ] && [ ! -x "$unpacked/$file" ]; then
				echo "$file may not be run" && return 1
			fi
		fi
	done <"$unpacked/.files"
}

has_no_products() {
	! find "$unpacked" -name '*.[oad]' -o -name '*.so' -o -name .git -o -name build | grep . &&
		! LC_ALL=C grep -rlaP '\A\x7fELF' "$unpacked" | grep .
}

# A git that cannot run stands for none.
make_without_git() { # WORDS...
	mkdir -p "$temporary/bin" &&
		printf '#!/bin/sh\necho "git was called" >&2\nexit 1\n' >"$temporary/bin/git" &&
		chmod +x "$temporary/bin/git" &&
		PATH=$temporary/bin:$PATH make -s -C "$unpacked" "$@"
}

would_build() {
	make_without_git -n all test-programs >"$temporary/would" && grep -q 'LD.*build/debug/ayed' "$temporary/would"
}

# From other directories, out of the archive, on another day, with files of a developer in it.
same_archive_again() {
	touch -d 2001-01-01 "$unpacked/README.md" && echo "not for others" >"$unpacked/notes.txt" &&
		chmod g+w "$unpacked/Makefile" &&
		(umask 077 && TZ=Asia/Tokyo make_without_git dist BUILD="$temporary/second") &&
		cmp "$first" "$temporary/second/$name.tar.gz"
}

changelog_has_the_version() {
	[ "$(sed -n '1s/^aye (\(.*\)) .*/\1/p' .debian/changelog)" = "$version" ]
}

news_have_the_version() {
	[ "$(sed -n '/^## News$/,/^## /s/^\*\*\(.*\)\*\* is .*/\1/p' README.md | head -n 1)" = "$version" ]
}

# gcc and libc6-dev are on every machine that builds packages.
build_dependencies_agree() {
	diff <(sed -n '/^	build)/,/END$/s/^		[a-z]* *[^ ]* *\([^ ]*\)$/\1/p' tests/tools/install-deps.sh |
		grep -vxE 'gcc|libc6-dev' | sort) \
		<(sed -n '/^Build-Depends:/,/^[^ B]/{/^[ B]/p}' .debian/control |
			grep -oE '[a-z0-9.+-]+(,|$)' | tr -d , | sort)
}

licence_agrees() {
	diff <(sed '1,/^Copyright/d' LICENSE | tail -n +2) \
		<(sed '1,/^License: Expat$/d' .debian/copyright | sed '1,/^License: Expat$/d; s/^ //; s/^\.$//')
}

claim "make dist makes an archive" archive_is_made
claim "it has every tracked file, and no other" has_the_tracked_files
claim "they are those of the tree" files_are_the_same
claim "nothing in it was built" has_no_products
claim "it would build without git" would_build
claim "it makes the same archive again, without git" same_archive_again
claim "the changelog of the packages has the version of the tree" changelog_has_the_version
claim "so have the news" news_have_the_version
claim "the packages need for building what the tree needs" build_dependencies_agree
claim "the packages' copyright file has the licence of the tree" licence_agrees
echo "1..$n"
exit $failed
