# servers.bash - the servers that a test script, or an aye in it, has started; made to be sourced.

# Those that hold data below a directory, by process id; whichever shell or program started them. It is asked often,
# of all processes there are: without a process for each.
servers_of() { # DIRECTORY
	local pid words
	for pid in /proc/[0-9]*; do
		words=()
		{ mapfile -d '' -t words <"$pid/cmdline"; } 2>/dev/null
		if [[ ${words[0]-} == *ayed && ${words[1]-} == --data && ${words[2]-} == "$1"/* ]]; then
			echo "${pid#/proc/}"
		fi
	done
}
