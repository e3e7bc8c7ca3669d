#!/bin/bash
# make.sh - keep the data of this version: tests/upgrade/VERSION.tar.gz. Done once, when a version is released; that
# all later ones read it is tests/e2e/upgrade.sh.
#
# Needs AYE and AYED in the environment.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/story.bash"
version=$("$AYED" --version)
archive=$here/${version#ayed }.tar.gz
[ ! -e "$archive" ] || { echo "$archive exists, and is never made again"; exit 1; }

place=$(mktemp -d /tmp/aye-upgrade-XXXXXX)
trap 'rm -rf "$place"' EXIT
at_the_place "$place" 0
serve
tell_story >ids
look seen $(cat ids)
stop
LD_PRELOAD=$preload "$AYED" dump --hidden-votes "$PWD/data" >seen/dump
"$AYED" backup "$PWD/data" "$PWD/small" >/dev/null # without the space that it has reserved
rm -rf data
mv small data
tar --create --file="$archive" --use-compress-program='gzip -9n' --owner=0 --group=0 --numeric-owner --sort=name \
	data state seen ids
ls -l "$archive"
