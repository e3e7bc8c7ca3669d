#!/usr/bin/python3
"""lines_of_text.py - the rows of tests/support/lines_of_text.h over the wire, by `aye mcp`, `aye ask -`, files and lines.

The wire is spoken by pynvim's MessagePack-RPC library; the programs are children. Prints TAP; needs AYE,
AYE_SERVER and a state directory in the environment. The address of a unix socket is the only argument.
"""
import json
import os
import re
import subprocess
import sys

from mcp_agent import AYE, Agent
from public_client import Client
from tap import claim, exit_code

HEADER = os.path.join(os.path.dirname(__file__), "..", "support", "lines_of_text.h")
SHORTEST_PROMPT = 10


def rows_of(table):
    """The rows of a table of the header, each a list of its strings."""
    with open(HEADER, encoding="utf-8") as header:
        body = header.read().split("#define %s(X)" % table)[1].split("\n\n")[0]
    rows = []
    for row in re.split(r"\n\tX\(", body)[1:]:
        columns = re.findall(r'((?:"(?:\\.|[^"\\])*"\s*)+)', row)
        rows.append([b"".join(bytes_of(s) for s in re.findall(r'"((?:\\.|[^"\\])*)"', column)).decode()
                     for column in columns])
    return rows


def bytes_of(literal):
    plain = "".join(c if ord(c) < 128 else "".join("\\x%02x" % b for b in c.encode()) for c in literal)
    return eval('b"' + plain + '"')


def aye(*words, given=None):
    """One verb: what it wrote to standard output."""
    done = subprocess.run([AYE, *words], input=given, stdout=subprocess.PIPE, check=True)
    return done.stdout.decode()


def differences(rows, what):
    """What came of each row that is not what has to be stored, by its name."""
    return {name: came for (name, _, stored, _), came in zip(rows, what) if came != stored}


def as_prompt(text):
    """A prompt has a shortest length."""
    return text if len(text.strip()) >= SHORTEST_PROMPT else "Please read this: " + text


def by_wire(rows, ada, grace):
    container = ada.ask("group.create")["container_id"]
    for name, sent, _, _ in rows:
        ada.ask("item.add", container_id=container, name=name, note=sent)
    items = ada.ask("item.list", container_id=container, limit=50)["items"]
    bad = differences(rows, [item["note"] for item in items])
    claim("a note is stored as it was sent", not bad, bad)

    room = ada.ask("room.create", valid_sizes=["1", "2"])
    ada.ask("room.subscribe", room_id=room["room_id"], host_key=room["host_key"])
    ada.ask("room.join", room_id=room["room_id"], username="Ada")
    for name, sent, _, _ in rows:
        ada.ask("story.add", room_id=room["room_id"], title=name, description=sent)
    grace.ask("room.subscribe", room_id=room["room_id"])
    stories = grace.notice("room.update", lambda update: update.get("full"))["stories"]
    bad = differences(rows, [story.get("description") for story in stories])
    claim("a story's description is stored as it was sent", not bad, bad)

    prompts, answers, ids = [], [], []
    for name, sent, _, _ in rows:
        id = ada.ask("question.ask", prompt=as_prompt(sent), type="text", min_responses=1)["question_id"]
        grace.ask("question.answer", question_id=id, answer=sent)
        view = ada.ask("question.get", question_id=id)["question"]
        prompts.append(view["prompt"])
        answers.append(view["responses"][0]["answer"])
        ids.append(id)
    bad = differences([(n, s, as_prompt(w), d) for n, s, w, d in rows], prompts)
    claim("a prompt is stored as it was sent", not bad, bad)
    bad = differences(rows, answers)
    claim("an answer is stored as it was sent", not bad, bad)
    return ids


def refused_by_wire(ada):
    told = {}
    for row in rows_of("LINES_OF_TEXT_REFUSED"):
        error = ada.refusal("question.ask", prompt="Please read this: " + row[1], type="text")
        if error is None or error["code"] != "VALIDATION_ERROR" or error["field"] != "prompt":
            told[row[0]] = error
    claim("what would harm a terminal is refused", not told, told)


def by_agent(rows, ada):
    agent = Agent("--name", "agent")
    asked, told = [], []
    for _, sent, stored, _ in rows:
        id = agent.ask_human(as_prompt(sent), min_responses=1)
        asked.append(ada.ask("question.get", question_id=id)["question"]["prompt"])
        ada.ask("question.answer", question_id=id, answer=stored)
        told.append(agent.check(id)["structuredContent"]["responses"][0]["answer"])
    agent.end()
    bad = differences([(n, s, as_prompt(w), d) for n, s, w, d in rows], asked)
    claim("an agent's question arrives as it was sent", not bad, bad)
    bad = differences(rows, told)
    claim("an agent reads an answer as it was given", not bad, bad)


def by_standard_input(rows, ada):
    asked = []
    for _, sent, _, _ in rows:
        id = aye("ask", "-", "--need", "1", given=as_prompt(sent).encode()).strip()
        asked.append(ada.ask("question.get", question_id=id)["question"]["prompt"])
    bad = differences([(n, s, as_prompt(w), d) for n, s, w, d in rows], asked)
    claim("a question from standard input arrives as it was sent", not bad, bad)


def in_lines(rows, ids):
    told = {}
    for (name, _, stored, _), id in zip(rows, ids):
        shown = aye("question", "show", id)
        if as_prompt(stored) not in shown:
            told[name] = shown
    claim("a question is told in lines as it was sent", not told, told)


def by_files(rows, home):
    """A backlog and a room are filled by verbs, written to a file, and read into others from there."""
    team = aye("team", "new", "Payments", "First").split()[0]
    first = aye("backlog", "new", team, "Sent").split()[0]
    for name, sent, _, _ in rows:
        aye("item", "add", first, name, "--note", "-", given=sent.encode())
    for format in "csv", "json", "md":
        name = os.path.join(home, "items." + format)
        aye("backlog", "export", first, "--format", format, "-o", name)
        made = aye("backlog", "new", team, "Read as " + format).split()[0]
        aye("backlog", "import", made, name)
        items = json.loads(aye("backlog", "export", made, "--format", "json"))["items"]
        bad = differences(rows, [item.get("note") for item in items])
        claim("a backlog's notes are in a file of %s and come back" % format, not bad, bad)
    room = aye("new", "--name", "Linus").split()[0]
    for name, sent, _, _ in rows:
        aye("story", "add", room, name, "--description", "-", given=sent.encode())
    for format in "csv", "json":
        name = os.path.join(home, "stories." + format)
        aye("export", room, "--format", format, "-o", name)
        made = aye("new", "--name", "Linus").split()[0]
        aye("story", "import", made, name)
        stories = json.loads(aye("export", made, "--format", "json"))["stories"]
        bad = differences(rows, [story.get("description") for story in stories])
        claim("a room's descriptions are in a file of %s and come back" % format, not bad, bad)


def main(path):
    rows = rows_of("LINES_OF_TEXT")
    claim("the table has 26 texts", len(rows) == 26 and all(len(row) == 4 for row in rows), rows)
    ada, grace = Client(path), Client(path)
    ada.log_in("Ada")
    grace.log_in("Grace")
    ids = by_wire(rows, ada, grace)
    refused_by_wire(ada)
    aye("login", "Linus")
    by_standard_input(rows, grace)
    by_agent(rows, ada)
    in_lines(rows, ids)
    by_files(rows, os.environ["XDG_STATE_HOME"])
    return exit_code()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
