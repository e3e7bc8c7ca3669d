#!/bin/bash
# stats.sh - ayed stats: what it says, to whom, in which formats, and where it puts it.
. "$(dirname "$0")/cli_kit.bash"

# Each line of the text format 0.0.4, and what lines must not contradict each other in.
cat >"$home/check.py" <<'END'
import re, sys

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\\\|\\"|\\n)*"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? (NaN|[+-]Inf|-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)")

def check(text):
    assert text.endswith("\n") and "\r" not in text and "\n\n" not in text
    types, helps, samples, family = {}, set(), {}, None
    for line in text[:-1].split("\n"):
        m = re.fullmatch(rf"# HELP ({NAME}) (\S.*)", line)
        if m:
            assert m[1] not in helps, "two of " + line
            helps.add(m[1])
            continue
        m = re.fullmatch(rf"# TYPE ({NAME}) (counter|gauge|histogram)", line)
        if m:
            assert m[1] in helps and m[1] not in types, line
            types[m[1]] = m[2]
            family = m[1]
            continue
        m = SAMPLE.fullmatch(line)
        assert m, "no sample: " + line
        name, labels, value = m[1], m[2] or "", float(m[3])
        kind = types[family]
        suffixes = ["_bucket", "_sum", "_count"] if kind == "histogram" else [""]
        assert name in [family + s for s in suffixes], "not among its own: " + line
        assert (name, labels) not in samples, "twice: " + line
        assert kind != "counter" or (family.endswith("_total") and value >= 0), line
        assert ("le=" in labels) == name.endswith("_bucket"), line
        samples[(name, labels)] = value
    assert set(types) == helps and types
    for family, kind in types.items():
        own = [k for k in samples if k[0] in (family, family + "_bucket")]
        assert own, "nothing of " + family
        if kind != "histogram":
            continue
        buckets = [(float(re.search('le="([^"]*)"', k[1])[1]), samples[k]) for k in own]
        assert buckets == sorted(buckets) and buckets[-1][0] == float("inf"), family
        assert [n for _, n in buckets] == sorted(n for _, n in buckets), family
        assert buckets[-1][1] == samples[(family + "_count", "")], family
        assert (family + "_sum", "") in samples, family
    return samples

if __name__ == "__main__":
    try:
        found = check(open(sys.argv[1]).read())
    except AssertionError as e:
        sys.exit(f"{sys.argv[1]}: {e}")
    for wanted in sys.argv[2:]:
        name, at_least = wanted.rsplit(">=", 1)
        name, _, labels = name.partition("{")
        value = found[(name, labels.rstrip("}"))]
        if value < float(at_least):
            sys.exit(f"{name} {labels}: {value}, not {at_least}")
END
is_sound() { # FILE [SAMPLE>=N...]
	python3 "$home/check.py" "$@"
}

start_server main --listen tls://127.0.0.1:0 || { echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server
socket=$home/main.sock
code=$("$AYE" new --json | sed 's/.*"room_id":"\([^"]*\)".*/\1/')
"$AYE" vote "$code" 5 --name Ada >/dev/null 2>&1
"$AYE" call room.dance >/dev/null 2>&1
"$AYE" call room.get '{"room_id":"AAAAAA"}' >/dev/null 2>&1

as_text() {
	"$AYED" stats "$socket" >"$home/text" &&
		grep -q "^connections  *1$" "$home/text" &&
		grep -q "^  room.vote  *[1-9][0-9]* ok$" "$home/text" &&
		grep -q "^  UNKNOWN_METHOD  *1$" "$home/text" &&
		grep -q "^sync_seconds  *[1-9][0-9]* times, median [0-9.]*, 99th percentile [0-9.+Inf]*$" "$home/text" &&
		! grep -q "^  room.kick" "$home/text"
}
as_prometheus() {
	"$AYED" stats --prometheus "unix:$socket" >"$home/prom" && is_sound "$home/prom" \
		'ayed_connections>=1' 'ayed_rooms>=1' 'ayed_votes_cast_total>=1' \
		'ayed_requests_total{method="room.vote",outcome="ok"}>=1' \
		'ayed_requests_total{method="room.get",outcome="refused"}>=1' \
		'ayed_requests_total{method="unknown",outcome="refused"}>=1' \
		'ayed_requests_total{method="room.kick",outcome="ok"}>=0' \
		'ayed_refusals_total{code="ROOM_NOT_FOUND"}>=1' \
		'ayed_commits_total>=2' 'ayed_batch_commits_sum>=2' 'ayed_batch_commits_bucket{le="+Inf"}>=1' \
		'ayed_sync_seconds_sum>=0.000001' 'ayed_turn_seconds_count>=5' \
		'ayed_store_used_bytes>=4096' 'ayed_store_free_bytes>=1000000' 'ayed_disk_free_bytes>=1'
}
# What the check is worth: it finds each of these.
check_finds() {
	local broken=(
		'/^# TYPE ayed_rooms gauge/d' 's/^ayed_rooms [0-9]*/& 5 x/' 's/^ayed_rooms /ayed_rooms{a=b} /'
		's/le="+Inf"/le="99"/' 's/^ayed_turn_seconds_count .*/ayed_turn_seconds_count 1/'
		'/^ayed_turn_seconds_sum/d' 's/^ayed_rooms .*/&\n&/' 's/^ayed_rooms .*/ayed_rooms one/'
		's/^\(ayed_turn_seconds_bucket{le="0.001"}\) .*/\1 0/' 's/^ayed_votes_cast_total .*/ayed_votes_cast_total -1/'
		'/^ayed_rooms /d' 's/^# HELP ayed_rooms .*/# HELP ayed_rooms/' 's/^ayed_rooms /ayed-rooms /'
	)
	for edit in "${broken[@]}"; do
		sed "$edit" "$home/prom" >"$home/broken"
		if is_sound "$home/broken" 2>/dev/null; then
			echo "passes for sound: $edit"
			return 1
		fi
	done
}
as_json() {
	"$AYED" stats --json "$socket" | python3 -c '
import json, sys
text = sys.stdin.read()
assert text.count("\n") == 1
c = json.loads(text)["counters"]
assert c["requests_total"]["room.vote"]["ok"] >= 1 and c["turn_seconds"]["buckets"]["+Inf"] == c["turn_seconds"]["count"]'
}
claim "for people: a line a metric, what never happened left out" as_text
claim "for Prometheus: sound, with types, all methods, and histograms that add up" as_prometheus
claim "the check of that format finds what is wrong" check_finds
claim "as JSON: one line" as_json

handshakes_count() {
	local address
	address=tls://${server_ready##*tls://}
	"$AYE" server ping --server "$address" >/dev/null || return 1
	# Plain bytes are no handshake; the server has counted that when it has closed.
	(exec 3<>"/dev/tcp/127.0.0.1/$(sed 's/.*:\([0-9]*\)#.*/\1/' <<<"$address")" && echo plain >&3 && cat <&3 >/dev/null)
	"$AYED" stats --prometheus "$socket" >"$home/prom"
	is_sound "$home/prom" 'ayed_tls_handshakes_done_total>=1' 'ayed_tls_handshakes_failed_total>=1'
}

claim "TLS handshakes are counted, those that failed, too" handshakes_count

is_replaced() {
	echo old >"$home/ayed.prom"
	ln "$home/ayed.prom" "$home/before"
	"$AYED" stats --prometheus --output "$home/ayed.prom" "$socket" || return 1
	is_sound "$home/ayed.prom" && [ "$(cat "$home/before")" = old ] &&
		[ "$(stat -c %a "$home/ayed.prom")" = 644 ] && [ -z "$(find "$home" -name 'ayed.prom.*')" ]
}
stays_as_it_was() {
	echo old >"$home/ayed.prom"
	ends_with 1 "$AYED" stats --prometheus --output "$home/ayed.prom" "$home/none.sock" 2>"$home/err" &&
		grep -q "cannot reach a server at unix:$home/none.sock: No such file" "$home/err" &&
		[ "$(cat "$home/ayed.prom")" = old ] &&
		ends_with 1 "$AYED" stats --output "$home/none/ayed.prom" "$socket" 2>"$home/err" &&
		grep -q "cannot write $home/none/ayed.prom: No such file" "$home/err"
}
is_usage() {
	ends_with 2 "$AYED" stats tcp://127.0.0.1:1 2>"$home/err" && grep -q "only a unix socket" "$home/err" &&
		ends_with 2 "$AYED" stats --json --prometheus 2>"$home/err" && grep -q "choose one" "$home/err" &&
		ends_with 2 "$AYED" stats a b 2>/dev/null && ends_with 2 "$AYED" stats --output "" 2>/dev/null &&
		ends_with 2 "$AYED" --prometheus 2>/dev/null
}
is_no_answer() {
	python3 - "$home/mute.sock" "$AYED" <<'END'
import socket, subprocess, sys
path, ayed = sys.argv[1:]
listener = socket.socket(socket.AF_UNIX)
listener.bind(path)
listener.listen()
for answer, says in (b"", "closed the connection"), (b"\xc1", "sent an unreadable answer"), \
		(b"\x94\x01\x01\x82\xa4code\xa9FORBIDDEN\xa7message\xa5never\xc0", "refused: never"), \
		(b"\x94\x01\x02\xc0\x90", "cannot be read"):
	asked = subprocess.Popen([ayed, "stats", path], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
	peer, _ = listener.accept()
	peer.recv(4096)
	peer.sendall(answer)
	peer.close()
	out, err = asked.communicate()
	assert asked.returncode == 1 and out == "" and says in err, (answer, asked.returncode, err)
END
}
# promise: whole-metrics
claim "--output replaces a file in one step, readable by all" is_replaced
# promise: whole-metrics
claim "without a server, or a place to write, it says so, and the file stays" stays_as_it_was
claim "a wrong command line is an error of usage" is_usage
claim "what gives no answer, or a wrong one, is a clear failure" is_no_answer

# Only root can be somebody else.
is_for_the_owner() {
	chmod 711 "$home" && chmod 666 "$socket" || return 1
	ends_with 1 setpriv --reuid 65534 --clear-groups "$AYED" stats "$socket" 2>"$home/err" || return 1
	grep -q "the server refused: only the server's own user can do that" "$home/err"
}
if [ "$(id -u)" = 0 ]; then
	# promise: owner-only
	claim "another user is refused" is_for_the_owner
fi
