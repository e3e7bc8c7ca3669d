#!/usr/bin/env python3
"""promises.py - each promise of the documents has a test that fails if it is broken.

usage: promises.py           three tests, in TAP
       promises.py --write   write the table of tests/README.md again (make docs)

A promise is a sentence of a document, with a mark behind it that readers do not see:

    A change is on the server's disk before its result leaves.<!-- promise: answered -->     (Markdown)
    .\\" promise: answered                                    (a manual page: the line after it)

Several documents may give the same promise. A test says which it holds, in a comment above it:

    /* promise: answered */      (C, JavaScript)
    # promise: answered          (scripts)

The comment says that the test fails if the promise is broken. It may stand only in what `make test`
or a part of `.ci/run` runs.
"""
import glob
import os
import re
import sys

DOCUMENTS = [("proto/README.md", "protocol"), ("server/ayed.8", "ayed(8)"), ("README.md", "README")]
PAGE = "tests/README.md"
BEGIN, END = "<!-- begin: promises -->\n", "<!-- end: promises -->\n"
# What runs as a test; a program of several files is named by its directory.
PROGRAMS = ["tests/unit/*/test_*.c", "tests/sim/**/*.[ch]", "tests/e2e/*.c", "tests/e2e/*.sh", "tests/tui/*.c",
            "tests/tui/*.sh", "tests/web/*.js", "tests/soak/main.c", "tests/package.sh"]
MARK = r"<!-- promise: ([a-z0-9-]+) -->"
NOTE = re.compile(r"(?:/\*|^[ \t]*#) promises?: ([a-z0-9, -]+?)(?: \*/|$)", re.M)
SENTENCE_END = re.compile(r"[.!?][*)\"]*\s+(?=\S)")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def last_sentence(text):
    """The end of a paragraph, without the sentences before."""
    text = " ".join(re.sub(MARK, " ", text).split())
    ends = [m.end() for m in SENTENCE_END.finditer(text)]
    return text[ends[-1]:] if ends else text


def of_markdown(text):
    """Id, section and sentence of each promise."""
    for mark in re.finditer(MARK, text):
        before = text[:mark.start()]
        section = re.findall(r"^#+ (.*)$", before, re.M)[-1]
        block = re.split(r"\n\s*\n|\n(?=\s*(?:[-*|]|\d+\.) )|" + MARK, before)[-1]
        yield mark.group(1), section, last_sentence(re.sub(r"^\s*(?:[-*]|\d+\.) ", "", block))


def plain(line):
    """A line of a manual page as its reader sees it."""
    words = re.findall(r'"[^"]*"|\S+', line)
    if line.startswith("."):
        joint = "" if len(words[0]) == 3 else " "  # .BR and its like alternate
        line = joint.join(word.strip('"') for word in words[1:])
    return re.sub(r"\\f.|\\&", "", line).replace("\\-", "-").replace("\\(aq", "'")


def of_manual(text):
    """The same of a manual page."""
    section, said = "", []
    for line in text.split("\n"):
        mark = re.fullmatch(r'\.\\" promise: ([a-z0-9-]+)', line)
        if mark:
            yield mark.group(1), section, last_sentence(" ".join(said))
            said = []
        elif re.match(r"\.S[HS] ", line):
            section, said = line[4:].strip('"'), []
        elif re.fullmatch(r"\.(PP|TP|nf|fi|RS|RE|IP.*)|", line):
            said = []
        elif not line.startswith('.\\"'):
            said.append(plain(line))


def promises_of(documents):
    """Of each promise, in their order: its sentence, and where it is given."""
    found = {}
    for path, text in documents:
        for name, section, sentence in (of_manual if re.search(r"\.\d$", path) else of_markdown)(text):
            if not re.search(r"[.!?][)\"]*$", sentence) or "](" in sentence:
                sys.exit(f"{path}: the promise '{name}' is not behind a sentence without links: {sentence}")
            found.setdefault(name, (sentence, []))[1].append((path, section))
    return found


def notes_of(tests):
    """Which programs say that they hold a promise."""
    found = {}
    for path, text in tests:
        for note in NOTE.finditer(text):
            for name in note.group(1).split(","):
                programs = found.setdefault(name.strip(), [])
                if path not in programs:
                    programs.append(path)
    return found


def place(path, section):
    name = dict(DOCUMENTS)[path]
    if not path.endswith(".md"):
        return f"{name}, {section}"
    anchor = re.sub(r"[^\w -]", "", section.lower()).replace(" ", "-")
    return f"[{name}](../{path}#{anchor})"


def program(path):
    path = path[len("tests/"):]
    name = path.split("/")[0] if path.startswith(("sim/", "soak/")) else re.sub(r"^unit/|\.c$", "", path)
    return f"[{name}]({path})"


def table(promises, notes):
    lines = ["| promise | given in | fails if it is broken |", "|---|---|---|"]
    for name, (sentence, places) in promises.items():
        given = "; ".join(dict.fromkeys(place(*p) for p in places))
        tests = ", ".join(program(path) for path in notes.get(name, []))
        lines.append(f"| {sentence.replace('|', chr(92) + '|')} | {given} | {tests} |")
    return "\n".join(lines) + "\n"


def page_with(text, rows):
    head, rest = text.split(BEGIN)
    return head + BEGIN + rows + END + rest.split(END)[1]


def say(number, wrong, claim):
    print(f"{'not ok' if wrong else 'ok'} {number} - {claim}")
    print("".join(f"# {line}\n" for line in wrong), end="")
    return bool(wrong)


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    promises = promises_of((path, read(path)) for path, _ in DOCUMENTS)
    paths = sorted({path for pattern in PROGRAMS for path in glob.glob(pattern, recursive=True)})
    notes = notes_of((path, read(path)) for path in paths)
    page = read(PAGE)
    filled = page_with(page, table(promises, notes))
    if sys.argv[1:] == ["--write"]:
        if filled != page:
            with open(PAGE, "w", encoding="utf-8") as file:
                file.write(filled)
        return 0

    others = sorted({path for path in glob.glob("tests/**", recursive=True)
                     if re.search(r"\.([chj]s?|sh|bash|py)$", path)} - set(paths) - {"tests/promises.py"})
    print("1..5")
    failed = say(1, sorted(set(promises) - set(notes)), "each promise has a test that names it")
    failed |= say(2, sorted(f"{name}: {', '.join(notes[name])}" for name in set(notes) - set(promises)),
                  "each promise that a test names is in a document")
    failed |= say(3, [path for path in others if NOTE.search(read(path))],
                  "promises are named only by what runs as a test")
    failed |= say(4, [] if filled == page else ["run make docs"], "tests/README.md has the table as it is")
    planted = promises_of([("x.md", "# A\n\nOne. Two is\nit.<!-- promise: two -->\n\n- **Three.** Is **3**!"
                                    "<!-- promise: three -->"),
                           ("x.8", '.SH B\nNot this.\n.B Four\nis \\- it.\n.\\" promise: four')])
    found = notes_of([("t.c", "\t/* promise: two, five */\n"), ("t.sh", "# promise: two\n# promises of nothing\n")])
    right = (planted == {"two": ("Two is it.", [("x.md", "A")]), "three": ("Is **3**!", [("x.md", "A")]),
                         "four": ("Four is - it.", [("x.8", "B")])} and
             found == {"two": ["t.c", "t.sh"], "five": ["t.c"]})
    failed |= say(5, [] if right else [f"{planted} {found}"], "planted promises and names of them are found")
    return failed


if __name__ == "__main__":
    sys.exit(main())
