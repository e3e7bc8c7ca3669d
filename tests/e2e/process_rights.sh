#!/bin/bash
# process_rights.sh - what ayed does not do as root, and what nobody may see of its process.
. "$(dirname "$0")/cli_kit.bash"

# A claim about another user than root needs root to become one.
as_nobody() { # COMMAND...
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}
nobodys_directory() {
	chmod 711 "$home" && mkdir "$home/nobody" && chown 65534:65534 "$home/nobody" && chmod 700 "$home/nobody"
}
serves_not_as_root() {
	ends_with 1 "$AYED" --data "$home/root.data" --listen "unix:$home/root.sock" 2>"$home/err" &&
		grep -q "will not run as root.*add --allow-root" "$home/err" &&
		[ ! -e "$home/root.data" ] && [ ! -e "$home/root.sock" ]
}
serves_as_another() {
	nobodys_directory || return 1
	mkfifo "$home/nobody.out"
	setpriv --reuid 65534 --regid 65534 --clear-groups "$AYED" --data "$home/nobody/data" --listen "unix:$home/nobody/sock" >"$home/nobody.out" 2>"$home/nobody.log" &
	local pid=$! line
	read -r line <"$home/nobody.out"
	[ "$line" = "ready unix:$home/nobody/sock" ] && ! sees_memory "$pid" && kill "$pid" && wait "$pid"
}
# Its own user, without further rights: neither memory nor environment nor descriptors.
sees_memory() { # PID
	as_nobody cat "/proc/$1/maps" >/dev/null 2>&1 || as_nobody cat "/proc/$1/environ" >/dev/null 2>&1 ||
		as_nobody ls "/proc/$1/fd" >/dev/null 2>&1
}
private_servers_work() {
	"$AYE" new --json >/dev/null && [ -n "$(private_pid)" ] &&
		{ [ "$(id -u)" != 0 ] || tr '\0' ' ' <"/proc/$(private_pid)/cmdline" | grep -q -- '--allow-root'; }
}
leaves_no_core() {
	start_server core || return 1
	grep -q '^Max core file size  *0  *0 ' "/proc/$server_pid/limits"
}

# Sanitizers need to look into their own process, and end it with a core: a variant with one leaves these out.
is_sanitized() {
	grep -qa __asan_init\\\|__tsan_init "$AYED"
}

if [ "$(id -u)" = 0 ]; then
	# promise: not-as-root
	claim "root is refused, before anything is made, and told the option" serves_not_as_root
	is_sanitized || claim "another user is not, and sees nothing of the process afterwards" serves_as_another
fi
claim "the server that aye starts by itself serves, whoever runs aye" private_servers_work
is_sanitized || claim "it leaves no core" leaves_no_core
