#!/bin/bash
# words.sh - check that what people read keeps to the project's English.
#
# Every string with a blank in it is taken from the sources, adjacent literals
# joined and formats left out, and held against expressions for words and turns
# of phrase that were edited out: inversions ("for who is logged in"), dated
# words ("anew"), two words for one thing ("notice" of a notification). What may
# stand all the same is an exception with its reason. An exception that no
# string needs is reported, so that the list only shrinks.
#
# Three tests, in TAP: the strings keep to it, each exception is needed, and a
# planted string that does not keep to it is found.
set -eu
cd "$(dirname "$0")/.."

exec python3 - <<'END'
import glob, re, sys

NOT = r"""
\b[Ww]ho(ever|m)\b
\b(for|to|by|only) who\b
^Who (joins|asks|goes|has|made)\b
\bone('s|self)\b|\bone (is|can|has)\b
\b([Oo]ur|us|[Ww]e)\b
\bshall\b
\b(anew|afresh|[Mm]eanwhile)\b
\b(beside|behind)\b
\bkeeper\b|\bvouch
\b(tells?|told)\b
\b[Ss]ay\b
\b[Tt]ak(e|es|en)\b.* away\b
\bany (more|longer)\b|\bno (longer|more)\b
\b(is|are|was) no(ne)? [a-z]
\bnone (of|that)\b
\blies? open\b
\bturn(s|ed)?\b.* over\b
\br[au]ng\b|\b[Rr]ing (those|who)\b
makes no sense|not what it should be
something is missing|must be there
\b([Ss]ome|[Ee]very|[Aa]ny)body\b
\b[Ss]its? (down|at|here)\b
\bwatches\b|\b[Oo]nly watch
\b([Gg]o|[Cc]ome)(es|s)? (in|into|back|on)\b
\b([Bb]egins?|began|begun)\b
\b[Mm]akes? (an?|the|it|one|another)\b
\banother name\b
\bis gone\b
\bin a while\b|\bon its way\b|\bby itself\b
\b[Nn]otices?\b
\b(container|group)s?\b
\boutcome\b|\bagreed value\b
\bpolicy\b
\b[Ss]ign(ed)? in\b
[a-z]!( |$)
(^|[ ;,.(])([A-Za-z?]|\^S) (makes|takes|opens|helps|adds|joins|lists|lets|sits|writes|restores|turns|brings|undoes)\b
\bwire\b|\bnil\b
[0-9a-z] %%
\bcells\b
(?<!such )\bas [A-Z]+-?[0-9]
\b[Bb]e (in|sent|present)\b
\bfor (ever|good)\b
\b(was|were) not done\b|\b[Nn]othing was done\b
\b[Kk]ick(ed)?\b
\b[Tt]here (is|are) no\b
\b[Nn]obody (is|votes|waits|vouches|listens|goes)\b
""".split("\n")[1:-1]

# file ; what is left of a string that may stand ; why
MAY = r"""
proto/* ; group|container|outcome|policy|kick|nil|cells|notices? ; names of the protocol, in the help of its methods, fields and limits
store/items.h ; group|container|outcome|policy|kick|nil|cells|notices? ; names of the protocol, in the help of what is stored
server/domain/team/*.c ; containers?|groups? ; keys of topics and steps, which nobody reads
client/* ; policy|kick ; verbs' second names, and how they are typed
client/* ; Sign in ; titles of stories in examples
client/* ; m! ; a time as it is typed, 5m!
client/cli/completion_script.c ; begun ; a variable of the shell
*subscription.h ; begins ; an assertion
store/* ; begins ; an assertion
store/redis/* ; policy ; a setting of Redis
client/tui/actions/action_table.c ; tells ; an assertion
client/tui/views/home_view.c ; say ; the motto
""".strip().split("\n")

TOKEN = re.compile(r'''/\*.*?\*/|//[^\n]*|'(?:\\.|[^'\\\n])+'|"(?:\\.|[^"\\\n])*"(?:(?:\s|\\\n)*"(?:\\.|[^"\\\n])*")*''', re.S)
PART = re.compile(r'"((?:\\.|[^"\\\n])*)"')
FORMAT = re.compile(r"%[-+0-9.*]*(?:hh|ll|[hljzt])?[a-zA-Z]")
FOUND = re.compile("|".join("(?:%s)" % e for e in NOT))


def strings(text):
    """Line and text of each string with a blank, without what is included and what is logged."""
    for m in TOKEN.finditer(text):
        if m.group()[0] != '"':
            continue
        said = "".join(PART.findall(m.group()))
        start = text.rfind("\n", 0, m.start()) + 1
        is_name = text[start:m.start()].lstrip().startswith("#include")
        if " " in said and not is_name and "event=" not in said:
            yield text.count("\n", 0, m.start()) + 1, FORMAT.sub("…", said.replace("\\n", "\n"))


def matches(pattern, path):
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), path) is not None


needed = [False] * len(MAY)
exceptions = [[p.strip() for p in line.split(" ; ")] for line in MAY]


def is_wrong(path, said):
    """The expression's match that no exception allows, or None."""
    for m in FOUND.finditer(said):
        allowed = False
        for i, (files, may, _) in enumerate(exceptions):
            if matches(files, path) and re.search(may, m.group()):
                needed[i] = allowed = True
        if not allowed:
            return m.group()
    return None


def check(n, ok, claim):
    print("%s %d - %s" % ("ok" if ok else "not ok", n, claim))
    return ok


print("1..3")
wrong = []
for top in "client", "server", "proto", "store":
    for path in sorted(glob.glob(top + "/**/*.[ch]", recursive=True)):
        with open(path, encoding="utf-8") as f:
            for line, said in strings(f.read()):
                found = is_wrong(path, said)
                if found is not None:
                    wrong.append("# %s:%d: %s: %s" % (path, line, found, said.replace("\n", " ")))
ok = check(1, not wrong, "no string has an expression that was edited out")
print("\n".join(wrong[:40]), end="\n" if wrong else "")
unneeded = [MAY[i] for i in range(len(MAY)) if not needed[i]]
ok &= check(2, not unneeded, "every exception is needed")
print("".join("# " + e + "\n" for e in unneeded), end="")
planted = '#include "no such file"\nprint("Only hosts %s "\n\t"may turn the cards over.");\nlog("event=told who=us");\n'
ok &= check(3, [is_wrong("client/plant.c", s) for _, s in strings(planted)] == ["turn the cards over"],
            "such a string is found, even across two literals")
sys.exit(not ok)
END
