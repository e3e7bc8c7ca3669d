#!/bin/bash
# arm64.sh - the programs for arm64, built twice by Debian's cross compiler, and tested under qemu.
#
# usage: arm64.sh DIRECTORY      (make arm64; DIRECTORY gets the libraries, trees and logs)
#
# The source archive is built in two directories: the bytes of aye and ayed must be the same. Then the unit tests of the
# protocol and of the server's pure layers, and the simulator, run under qemu-user. Tests of files, sockets, processes
# and terminals do not: what they would test there is the emulator's system calls. The libraries are those of Debian's arm64, unpacked once into DIRECTORY/sysroot,
# which needs root and the mirror. Speaks TAP.
set -u
directory=${1:?usage: arm64.sh DIRECTORY}
cd "$(dirname "$0")/.." || exit
mkdir -p "$directory"
directory=$(realpath "$directory")
unset MAKEFLAGS MAKELEVEL MFLAGS BUILD VARIANT
version=$(sed -n 's/^VERSION := //p' Makefile)
name=aye-$version
sysroot=$directory/sysroot
one=$directory/one
two=$directory/another/place
export PKG_CONFIG_LIBDIR=$sysroot/usr/lib/aarch64-linux-gnu/pkgconfig PKG_CONFIG_SYSROOT_DIR=$sysroot
# What comes from a cache would be the same bytes whatever the compiler does.
export CCACHE_DISABLE=1
cross=(VARIANT=release CC="aarch64-linux-gnu-gcc --sysroot=$sysroot" AR=aarch64-linux-gnu-ar)
emulator="qemu-aarch64 -L $sysroot"

. tests/support/claims.bash

# A link to /lib means the one of that Debian.
links_stay_inside() {
	local link
	find "$sysroot" -type l -lname '/*' | while read -r link; do
		ln -sfnr "$sysroot$(readlink "$link")" "$link" || return 1
	done
}

# What is there whole is not fetched again.
has_libraries() {
	local packages
	[ -e "$sysroot/complete" ] && return
	packages=libc6-dev$(tests/tools/install-deps.sh --libraries build test | sort -u | sed '/^libc6-dev$/d; s/^/,/' | tr -d '\n')
	rm -rf "$sysroot"
	mmdebstrap --quiet --variant=extract --architectures=arm64 --include="$packages" bookworm "$sysroot" &&
		links_stay_inside && touch "$sysroot/complete"
}

builds() { # DIRECTORY ENVIRONMENT...
	local tree=$1/$name
	shift
	rm -rf "$tree" && mkdir -p "${tree%/*}" && tar -xzf "$directory/$name.tar.gz" -C "${tree%/*}" &&
		env "$@" make -s -C "$tree" -j"$(nproc)" "${cross[@]}" all >"$tree/build.log" 2>&1 ||
		{ tail -n 40 "$tree/build.log"; return 1; }
}

are_equal() {
	local program
	for program in aye ayed; do
		cmp "$one/$name/build/release/$program" "$two/$name/build/release/$program" || return 1
	done
}

are_for_arm64() {
	[ "$($emulator "$one/$name/build/release/aye" version)" = "aye $version" ] &&
		aarch64-linux-gnu-readelf -h "$one/$name/build/release/ayed" | grep -q 'Machine: *AArch64'
}

tests_are_built() {
	make -s -C "$one/$name" -j"$(nproc)" "${cross[@]}" build/release/tests/sim/sim $(units) >"$one/$name/build.log" 2>&1 ||
		{ tail -n 40 "$one/$name/build.log"; return 1; }
}

units_pass() {
	(cd "$one/$name" && AYE=$PWD/build/release/aye AYED=$PWD/build/release/ayed tests/run --jobs "$(nproc)" \
		--seconds 900 --logs "$directory/unit-logs" --under "$emulator" --tap $(units))
}

units() {
	local test
	for test in tests/unit/{proto,server}/test_*.c; do
		[[ $test == */test_net_* ]] || echo "build/release/${test%.c}"
	done
}

simulator_passes() {
	$emulator "$one/$name/build/release/tests/sim/sim" --only --seeds 100
}

make -s dist BUILD="$directory" >/dev/null || exit 1
claim "Debian's libraries for arm64 are there" has_libraries
claim "the archive builds" builds "$one" TZ=UTC
claim "and does in another place" builds "$two" TZ=Asia/Tokyo LC_ALL=C.UTF-8
claim "the programs are the same bytes" are_equal
claim "and are for arm64" are_for_arm64
claim "their tests build" tests_are_built
claim "unit tests pass under qemu" units_pass
claim "a hundred seeds of the simulator pass under qemu" simulator_passes
echo "1..$n"
exit $failed
