# claims.bash - claims in TAP for test scripts: `claim TEXT COMMAND...` is ok where the command ends with 0, and else shows what it said.
# The script prints "1..$n" and ends with $failed.
n=0
failed=0
claim() { # CLAIM COMMAND...
	local text=$1 told
	shift
	n=$((n + 1))
	if told=$("$@" 2>&1); then
		echo "ok $n - $text"
	else
		echo "not ok $n - $text"
		printf '%s\n' "$told" | sed 's/^/# /'
		failed=1
	fi
}
