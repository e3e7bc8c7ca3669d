#!/usr/bin/python3
"""mcp_client.py - an agent's client of `aye mcp`, with Python's own library alone.

Speaks JSON-RPC over the pipes of a child, as the Model Context Protocol has it,
and plays what an agent would live through: several programs at once, a server
that is stopped, killed and started again, people who answer. Prints TAP.

Needs AYE, AYED and the environment of cli_kit.bash; the only argument is a
directory for the server. Nothing waits for time: each wait is for a line of a child.
"""
import json
import os
import re
import signal
import socket
import subprocess
import sys

from mcp_agent import AYE, VERSION, Agent
from tap import claim, exit_code

AYED = os.environ["AYED"]
HOME = sys.argv[1]
TRIES = 100


class Server:
    """An ayed that keeps its data when it is killed."""

    def __init__(self):
        self.address = "unix:" + os.path.join(HOME, "mcp.sock")
        self.start()

    def start(self):
        self.child = subprocess.Popen(
            [AYED, "--data", os.path.join(HOME, "mcp.data"), "--allow-root", "--listen", self.address],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.child.stdout.readline()

    def signal(self, number):
        self.child.send_signal(number)

    def kill(self):
        self.child.kill()
        self.child.wait()
        self.child.stdout.close()


def aye(*words, who=None, **more):
    """One verb of a person with a state of their own: (exit code, standard output)."""
    env = dict(os.environ)
    if who is not None:
        env["XDG_STATE_HOME"] = os.path.join(HOME, "state-" + who)
    done = subprocess.run([AYE, *words], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
    return done.returncode, done.stdout.decode()


def call(who, method, **params):
    code, told = aye("call", method, json.dumps(params), who=who)
    return json.loads(told) if code == 0 else None


def text(result):
    return result["content"][0]["text"]


def fits(schema, value):
    """Whether a value is what a schema (of the words that ours have) says."""
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}
    if not isinstance(value, kinds[schema["type"]]):
        return False
    if schema["type"] == "object":
        return (all(name in value for name in schema["required"]) and
                all(fits(schema["properties"][name], each) for name, each in value.items()))
    if schema["type"] == "array":
        return (schema.get("minItems", 0) <= len(value) <= schema["maxItems"] and
                all(fits(schema["items"], each) for each in value))
    if schema["type"] == "integer":
        return schema.get("minimum", value) <= value <= schema.get("maximum", value)
    if schema["type"] == "string":
        return value in schema.get("enum", [value]) and schema.get("minLength", 0) <= len(value)
    return True


def mine(name="builder"):
    """Ids and states of the questions of the agents of that name."""
    with open(login_of(name)) as file:
        token = json.load(file)["token"]
    with subprocess.Popen([AYE, "script"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as script:
        for method, params in (("session.resume", {"token": token}), ("question.mine", {"limit": 50})):
            script.stdin.write(json.dumps({"id": 1, "method": method, "params": params}).encode() + b"\n")
            script.stdin.flush()
            answer = json.loads(script.stdout.readline())
    return {q["question_id"]: q["status"] for q in answer["result"]["questions"]}


def login_of(name, state=os.environ["XDG_STATE_HOME"]):
    """The file of a login by its user's name."""
    logins = os.path.join(state, "aye", "logins")
    for file in os.listdir(logins):
        with open(os.path.join(logins, file)) as opened:
            if json.load(opened)["user_name"] == name:
                return os.path.join(logins, file)
    return None


# ---- scenes ----

def agrees(server):
    agent = Agent("--name", "builder")
    claim("the newest version is agreed", agent.hello["protocolVersion"] == VERSION, agent.hello)
    claim("a ping is answered", agent.ask("ping") == {})
    tools = {tool["name"]: tool for tool in agent.ask("tools/list")["tools"]}
    claim("there are two tools", sorted(tools) == ["ask_human", "check_human_responses"], tools)
    claim("nobody is logged in by that alone", not os.path.exists(
        os.path.join(os.environ["XDG_STATE_HOME"], "aye", "logins")))
    agent.write("junk")
    claim("what is not JSON is an error", agent.read()["error"]["code"] == -32700)
    agent.write(json.dumps({"jsonrpc": "2.0", "id": 99, "method": "ping", "params": {"x": "x" * 3000000}}))
    claim("what is too long is an error", agent.read() == {
        "jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "the message is too long"}})
    claim("and the next message is answered", agent.ask("ping") == {})
    claim("an unknown method is an error", agent.ask("prompts/list")["code"] == -32601)
    claim("an unknown tool is an error", agent.tool("rm")["code"] == -32602)
    claim("it ends with its input", agent.end() == (0, b"", ""))
    return tools


def asks(server, tools):
    agent = Agent("--name", "builder")
    asked = agent.tool("ask_human", question="Shall we ship it today?", options=["yes", "no"], min_responses=2)
    view = asked["structuredContent"]
    claim("a question is asked", view["status"] == "OPEN" and not asked["isError"], asked)
    claim("the name says who asks", view["asked_by"] == "builder", view)
    claim("what comes fits the schema", fits(tools["ask_human"]["outputSchema"], view), view)
    claim("no answer yet is no no", "neither a yes nor a no" in text(asked), text(asked))
    for who, option in (("grace", 0), ("alan", 0)):
        aye("login", who, who=who)
        call(who, "question.get", question_id=view["question_id"])
        call(who, "question.answer", question_id=view["question_id"], selected_option=option,
             confidence=4, comment="of course, says " + who)
    checked = agent.check(view["question_id"])
    now = checked["structuredContent"]
    claim("the answers that were wanted close it", now["status"] == "CLOSED", now)
    claim("the votes are counted", now["summary"] == [{"option": "yes", "votes": 2}, {"option": "no", "votes": 0}], now)
    claim("what people said is there, without their names",
          sorted(r["comment"] for r in now["responses"]) == ["of course, says alan", "of course, says grace"] and
          set().union(*now["responses"]) <= {"selected_option", "confidence", "comment", "is_fast"}, now)
    claim("it fits the schema, too", fits(tools["check_human_responses"]["outputSchema"], now), now)
    claim("and is told in words", "It is closed: all 2 answers have come." in text(checked) and
          "> of course, says grace" in text(checked), text(checked))
    wrong = agent.tool("ask_human", question="?")
    claim("a wrong argument is told to the model", wrong["isError"] and "question must be 2 to 2000" in text(wrong), wrong)
    unknown = agent.check("q_AAAAAAAAAA")
    claim("an unknown question likewise", unknown["isError"] and "QUESTION_NOT_FOUND" in text(unknown), unknown)
    key = "a key of the agent's own"
    claim("a repeat with its key is the same question",
          agent.ask_human("Shall we ship it twice?", idempotency_key=key) ==
          agent.ask_human("Shall we ship it twice?", idempotency_key=key))
    agent.end()


def reads_pages(server, tools):
    """More answers than a message of the server takes."""
    agent = Agent("--name", "builder")
    id = agent.ask_human("What do you know about it?", min_responses=8)
    long = "\n".join(["\u00e4" * 99] * 49)
    for n in range(7):
        who = "writer%d" % n
        aye("login", who, "--guest", who=who)
        call(who, "question.answer", question_id=id, answer="%s %d" % (long, n))
    checked = agent.check(id)
    view = checked["structuredContent"]
    claim("all pages of long answers come at once",
          sorted(int(r["answer"][-1]) for r in view["responses"]) == list(range(7)) and "cursor" not in view,
          (len(view["responses"]), "cursor" in view))
    claim("each line of theirs is marked", all(line.startswith("> ") for line in text(checked).splitlines()
                                               if "\u00e4" in line))
    claim("they fit the schema", fits(tools["check_human_responses"]["outputSchema"], view))
    agent.end()


def waits_for_answers(server, tools):
    """A check may wait a while; everything else goes on, and none of this waits for its time."""
    agent = Agent("--name", "builder")
    argument = tools["check_human_responses"]["inputSchema"]["properties"]["wait_seconds"]
    claim("how long a check may wait is in its schema", (argument["minimum"], argument["maximum"]) == (0, 50), argument)
    id = agent.ask_human("What would you wait for?", min_responses=3)
    waits = {"name": "check_human_responses", "arguments": {"question_id": id, "wait_seconds": 50},
             "_meta": {"progressToken": "how far"}}

    def answer(who):
        aye("login", who, "--guest", who=who)
        call(who, "question.answer", question_id=id, answer="For " + who)

    waiting = agent.send("tools/call", **waits)
    told = agent.next_told()
    claim("who waits is told how far it is", told == {
        "jsonrpc": "2.0", "method": "notifications/progress",
        "params": {"progressToken": "how far", "progress": 0, "total": 50}}, told)
    claim("a check that does not wait is answered meanwhile", agent.check(id)["structuredContent"]["status"] == "OPEN")
    answer("first")
    view = agent.take(waiting)["result"]["structuredContent"]
    claim("the first answer ends the wait", [r["answer"] for r in view["responses"]] == ["For first"], view)
    claim("and not its time", all(each["params"]["progress"] < 45 for each in agent.told), agent.told)
    # Of several waits for one question the cancelled one has no answer, and the others have theirs.
    again = [agent.send("tools/call", **waits) for _ in range(3)]
    for _ in again:
        agent.next_told()
    agent.notify("notifications/cancelled", requestId=again[1])
    answer("second")
    views = [agent.take(each)["result"]["structuredContent"] for each in (again[0], again[2])]
    claim("the next answer ends both that are left",
          [sorted(r["answer"] for r in each["responses"]) for each in views] == [["For first", "For second"]] * 2, views)
    # The connection is lost while it waits.
    waiting = agent.send("tools/call", **waits)
    agent.next_told()
    server.kill()
    server.start()
    answer("third")
    view = agent.take(waiting)["result"]["structuredContent"]
    claim("the end of the question ends the wait, on another connection", view["status"] == "CLOSED", view)
    # More of them than calls fit, for as long as it takes: they give way.
    id = agent.ask_human("Does anybody wait for nothing?")
    many = [agent.send_tool("check_human_responses", question_id=id, wait_seconds=50) for _ in range(100)]
    claim("many that wait keep nobody out", agent.ask("ping") == {} and agent.check(id)["structuredContent"]["is_mine"])
    for each in many:
        agent.notify("notifications/cancelled", requestId=each)
    agent.send_tool("check_human_responses", question_id=id, wait_seconds=50)
    code, rest, errors = agent.end()
    last = json.loads(rest.splitlines()[-1])["result"]["structuredContent"]
    claim("with the end of its input no wait goes on", (code, errors) == (0, "") and last["question_id"] == id, (code, rest, errors))


def shares_a_session(server):
    one, two = Agent("--name", "builder"), Agent("--name", "builder")
    id = one.ask_human("Do these two agents agree?")
    with open(login_of("builder")) as file:
        before = file.read()
    claim("a second one of that name is the same user", two.check(id)["structuredContent"]["is_mine"])
    with open(login_of("builder")) as file:
        claim("and has the same session", file.read() == before)
    # Another program begins it anew: what the first ones have is over.
    os.unlink(login_of("builder"))
    three = Agent("--name", "builder")
    claim("a third one that knows no session begins one", three.check(id)["structuredContent"]["is_mine"])
    # Several calls at once, all of which are refused at first.
    sent = [(agent, agent.send_tool("check_human_responses", question_id=id))
            for agent in (one, two) for _ in range(3)]
    claim("the others go on with that", all(agent.take(call)["result"]["structuredContent"]["is_mine"]
                                            for agent, call in sent))
    claim("and it lasts", three.check(id)["structuredContent"]["is_mine"])
    sent = [one.send_tool("check_human_responses", question_id=id) for _ in range(100)]
    claim("more calls than fit at once wait for their turn",
          all(one.take(call)["result"].get("structuredContent", {}).get("is_mine") for call in sent))
    claim("nobody is told of it", [agent.end() for agent in (one, two, three)] == [(0, b"", "")] * 3)
    foreign = Agent("--name", "builder", env={"XDG_STATE_HOME": os.path.join(HOME, "state-grace")})
    view = foreign.tool("ask_human", question="Who has that name here?")["structuredContent"]
    claim("another person's program of that name has a number", view["asked_by"] == "builder 2", view)
    claim("and says so", foreign.end() == (0, b"", "aye: builder is another user here; asking as builder 2\n"))
    nameless = [Agent(env={"XDG_STATE_HOME": os.path.join(HOME, "state-" + who), "USER": "ada"}) for who in ("one", "two")]
    views = [agent.tool("ask_human", question="Whose program is this?")["structuredContent"] for agent in nameless]
    claim("without a name it is whose program it is", [view["asked_by"] for view in views] == ["ada's test", "ada's test 2"], views)
    for agent in nameless:
        agent.end()


def is_whoever_is_logged_in(server):
    env = {"XDG_STATE_HOME": os.path.join(HOME, "state-grace")}
    agent = Agent(env=env)
    view = agent.tool("ask_human", question="Who is asking you this?")["structuredContent"]
    claim("without a name whoever is logged in asks", view["asked_by"] == "grace", view)
    agent.end()
    env = {"XDG_STATE_HOME": os.path.join(HOME, "state-guest")}
    aye("login", "passing", "--guest", who="guest")
    with open(login_of("passing", env["XDG_STATE_HOME"])) as file:
        guest = json.load(file)
    with open(login_of("passing", env["XDG_STATE_HOME"]), "w") as file:
        json.dump({**guest, "token": ""}, file)
    agent = Agent(env=env)
    lapsed = agent.tool("ask_human", question="Who am I, without a session?")
    claim("a guest whose session has lapsed is told to log in",
          lapsed["isError"] and "UNAUTHENTICATED" in text(lapsed) and "aye login" in text(lapsed), lapsed)
    agent.end()
    agent = Agent(env={"XDG_STATE_HOME": os.path.join(HOME, "state-new"), "USER": "kay"})
    view = agent.tool("ask_human", question="Who is asking you that?")["structuredContent"]
    claim("where nobody is, it is somebody's agent", view["asked_by"] == "kay's test", view)
    agent.end()


def lives_through_outages(server):
    agent = Agent("--name", "builder", "--timeout", "30")
    id = agent.ask_human("Are you there before it?")
    before = mine()
    server.kill()
    asked = agent.send_tool("ask_human", question="Are you there after it?")
    checked = agent.send_tool("check_human_responses", question_id=id)
    claim("pings are answered meanwhile", agent.ask("ping") == {})
    server.start()
    view = agent.take(asked)["result"]["structuredContent"]
    claim("a call waits for a server that starts again", view["status"] == "OPEN", view)
    claim("so does another", agent.take(checked)["result"]["structuredContent"]["question_id"] == id)
    server.signal(signal.SIGSTOP)
    asked = agent.send_tool("ask_human", question="Is this asked but once?")
    agent.ask("ping")
    server.kill()
    server.start()
    once = agent.take(asked)["result"]["structuredContent"]["question_id"]
    now = mine()
    claim("what was on its way is asked once", set(now) - set(before) == {view["question_id"], once}, (before, now))
    agent.end()

    server.kill()
    agent = Agent("--name", "builder", "--timeout", "0.2")
    gone = agent.tool("ask_human", question="Is anybody there at all?")
    claim("without a server a call ends in time", gone["isError"] and
          "No answer from the server" in text(gone) and "not asked" in text(gone), gone)
    server.start()
    found = next((r for r in (agent.check(id) for _ in range(TRIES)) if not r["isError"]), gone)
    claim("and a later one finds it", not found["isError"] and id in text(found), found)
    agent.end()


def goes_on_beside_silence(server):
    """A server that never answers, and of whose certificate only the beginning is known."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = "tls://127.0.0.1:%d#SHA256:%s" % (silent.getsockname()[1], "A" * 22)
        agent = Agent("--name", "builder", "--server", address, "--timeout", "600")
        asked = agent.send_tool("ask_human", question="Does this server say anything?")
        claim("beside a server that says nothing pings are answered", agent.ask("ping") == {} and agent.ask("ping") == {})
        agent.notify("notifications/cancelled", requestId=asked)
        claim("and a call is cancelled", agent.end() == (0, b"", ""))


def cancels(server):
    agent = Agent("--name", "builder", "--timeout", "30")
    agent.ask_human("Is there anything to cancel?")
    before = mine()
    server.signal(signal.SIGSTOP)
    cancelled = agent.send_tool("ask_human", question="Does anybody want this?")
    kept = agent.send_tool("ask_human", question="Does anybody want that?")
    agent.ask("ping")
    agent.notify("notifications/cancelled", requestId=cancelled, reason="never mind")
    agent.ask("ping")
    server.signal(signal.SIGCONT)
    id = agent.take(kept)["result"]["structuredContent"]["question_id"]
    code, rest, _ = agent.end()
    claim("a cancelled call has no answer", code == 0 and rest == b"" and not agent.early, (rest, agent.early))
    new = {each: status for each, status in mine().items() if each not in before}
    claim("its question is taken back, and the other one stays",
          sorted(new.values()) == ["CANCELLED", "OPEN"] and new[id] == "OPEN", new)


def answers_a_pipe(server):
    lines = [{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": VERSION}},
             *({"jsonrpc": "2.0", "id": n, "method": "tools/call",
                "params": {"name": "ask_human", "arguments": {"question": "Is this number %d?" % n}}}
               for n in (2, 3))]
    code, told = aye("mcp", "--name", "piper", input="\n".join(json.dumps(line) for line in lines).encode())
    answers = [json.loads(line) for line in told.splitlines()]
    claim("what was asked before the end of the input is answered",
          code == 0 and len(answers) == 3 and sorted(a["id"] for a in answers[1:]) == [2, 3] and
          all(re.match("q_", a["result"]["structuredContent"]["question_id"]) for a in answers[1:]), told)


def refuses_nonsense(server):
    for env, words in (({"AYE_NAME": "\udcff"}, ()), ({}, ("--name", "")), ({}, ("--server", "nowhere"))):
        child = subprocess.run([AYE, "mcp", *words], env={**os.environ, **env}, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        claim("it does not begin with %s %s" % (env, words),
              child.returncode == 2 and child.stdout == b"" and child.stderr != b"", child)


def starts_a_server_of_its_own(server):
    env = {"AYE_SERVER": "", "XDG_STATE_HOME": os.path.join(HOME, "state-own")}
    agent = Agent("--name", "builder", env=env)
    claim("it starts the person's own server for a call", agent.ask_human("Is this my own server?")[:2] == "q_")
    code, rest, errors = agent.end()
    claim("which writes nothing where the protocol is", (code, rest) == (0, b""), (code, rest, errors))


server = Server()
os.environ["AYE_SERVER"] = server.address
tools = agrees(server)
asks(server, tools)
reads_pages(server, tools)
waits_for_answers(server, tools)
shares_a_session(server)
is_whoever_is_logged_in(server)
lives_through_outages(server)
goes_on_beside_silence(server)
cancels(server)
answers_a_pipe(server)
refuses_nonsense(server)
starts_a_server_of_its_own(server)
server.kill()
sys.exit(exit_code())
