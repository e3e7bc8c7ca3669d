#!/bin/sh
# install-deps.sh - install what is missing, and only that.
#
# usage: install-deps.sh build|test...
#        install-deps.sh --libraries build|test...    only print the packages with headers and libraries
#
# Each row says how to see that a thing is there, so a machine where nothing is
# missing needs no network, no root and no Debian. Elsewhere than on Debian and
# its kin the missing packages are named, and installing them is left to you.
# Services that packages bring are not started, but may be when the machine is started again.
set -eu

rows() {
	case $1 in
	build) cat <<-END ;;
		program gcc         gcc
		program pkg-config  pkg-config
		header  stdio.h     libc6-dev
		header  lmdb.h      liblmdb-dev
		library hiredis     libhiredis-dev
		header  uthash.h    uthash-dev
		header  http_parser.h libhttp-parser-dev
		header  wslay/wslay.h libwslay-dev
		library libuv       libuv1-dev
		library msgpack     libmsgpack-dev
		library ncursesw    libncurses-dev
		library libsodium   libsodium-dev
		library libutf8proc libutf8proc-dev
		library jansson     libjansson-dev
		library libqrencode libqrencode-dev
		library openssl     libssl-dev
		library libseccomp  libseccomp-dev
	END
	test) cat <<-END ;;
		program clang-format clang-format
		program tmux         tmux
		program man          man-db
		program ssh          openssh-client
		daemon  sshd         openssh-server
		program ps           procps
		daemon  ip           iproute2
		program openssl      openssl
		program systemd-analyze systemd
		program zsh          zsh
		program fish         fish
		program shellcheck   shellcheck
		library cmocka       libcmocka-dev
		library vterm        libvterm-dev
		daemon  nginx        nginx-light
		program caddy        caddy
		program curl         curl
		python  pynvim       python3-pynvim
		python  websockets   python3-websockets
		python  msgpack      python3-msgpack
		python  cryptography python3-cryptography
		shared  libzbar.so.0 libzbar0
		daemon  redis-server redis-server
	END
	lint) cat <<-END ;;
		program clang      clang
		program clang-tidy clang-tidy
		program cppcheck   cppcheck
		program valgrind   valgrind
		archive fuzzer     libclang-rt-14-dev
	END
	package) cat <<-END ;;
		program dh                debhelper
		program dpkg-buildpackage dpkg-dev
		program lintian           lintian
		program mmdebstrap        mmdebstrap
	END
	musl) cat <<-END ;;
		program musl-gcc musl-tools
	END
	arm64) cat <<-END ;;
		program aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
		program qemu-aarch64          qemu-user
		program mmdebstrap            mmdebstrap
	END
	web) cat <<-END ;;
		program chromium chromium
		program node     nodejs
		program npm      npm
		program tmux     tmux
		daemon  redis-server redis-server
	END
	bench) cat <<-END ;;
		daemon redis-server redis-server
		daemon nats-server  nats-server
		daemon mosquitto    mosquitto
	END
	*)
		echo "install-deps.sh: what is '$1'? (build, test, lint, package, musl, arm64, web, bench)" >&2
		exit 2
		;;
	esac
}

is_there() {
	case $1 in
	program) command -v "$2" ;;
	daemon) command -v "$2" || test -x "/usr/sbin/$2" ;;
	library) pkg-config --exists "$2" ;;
	header) echo "#include <$2>" | gcc -E -o /dev/null - ;;
	python) /usr/bin/python3 -c "import $2" ;;
	shared) /usr/bin/python3 -c "import ctypes; ctypes.CDLL('$2')" ;;
	archive) test -e "$(clang -print-resource-dir)/lib/linux/libclang_rt.$2-$(uname -m).a" ;;
	esac >/dev/null 2>&1
}

missing() {
	for set in "$@"; do
		rows "$set" | while read -r kind name package; do
			is_there "$kind" "$name" || printf ' %s' "$package"
		done
	done
}

if [ "${1:-}" = --libraries ]; then
	shift
	for set in "$@"; do
		rows "$set" | awk '$1 == "library" || $1 == "header" { print $3 }'
	done
	exit 0
fi
packages=$(missing "$@")
if [ -z "$packages" ]; then
	exit 0
fi
if ! command -v apt-get >/dev/null 2>&1; then
	echo "Missing, by their Debian names:$packages" >&2
	echo "Install them with your system's package manager, then call make again." >&2
	exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
	as_root=sudo
	if ! command -v sudo >/dev/null 2>&1; then
		echo "Missing, and there is no sudo to install it with:$packages" >&2
		echo "As root: apt-get install$packages" >&2
		exit 1
	fi
fi
echo "Installing:$packages"
$as_root apt-get update -qq
# No service of a package is started (policy-rc.d(8), where the machine has no policy): tests run servers of their own,
# and nginx cannot even be installed where its service fails, as it does without IPv6.
# shellcheck disable=SC2016,SC2086 # expanded by that shell; words
$as_root sh -eu -c '
	policy=/usr/sbin/policy-rc.d
	if [ ! -e "$policy" ]; then
		trap "rm -f $policy" EXIT
		trap "exit 1" HUP INT TERM
		printf "#!/bin/sh\nexit 101\n" >"$policy"
		chmod 755 "$policy"
	fi
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
' install $packages </dev/null
still=$(missing "$@")
if [ -n "$still" ]; then
	echo "Installed, and yet not found:$still" >&2
	exit 1
fi
