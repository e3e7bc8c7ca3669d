# servers.bash - the servers that a test script, or an aye in it, has started; made to be sourced.

# Those that hold data below a directory, by process id; whichever shell or program started them.
servers_of() { # DIRECTORY
	local pid
	for pid in /proc/[0-9]*; do
		if { tr '\0' ' ' <"$pid/cmdline"; } 2>/dev/null | grep -q -- "^[^ ]*ayed --data $1/"; then
			echo "${pid#/proc/}"
		fi
	done
}
