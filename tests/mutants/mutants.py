#!/usr/bin/env python3
"""mutants.py - plant faults one at a time, and see whether the tests that should notice do.

usage: mutants.py [--tenth [--seed N]] [--jobs N] [--dir DIR] [LIST...]

Each LIST (all of tests/mutants/*.txt by default) has faults, each of them one line of a
source file that becomes another one:

    # what belongs to the promise that the next faults break
    file server/domain/room/rounds/reveal.c
    tests server/test_play_reveal e2e/net_life e2e/stats.sh sim:200
    < the line before, only where the next one is in the file several times
    - the line as it is; how it is laid out does not matter
    + the line as it becomes; empty: it is gone
    ~ only where no test can notice: why not

`file` and `tests` hold until the next of the same. A test is a unit test (AREA/test_NAME; with * in
it, each that fits), a program or a script (e2e/NAME, e2e/NAME.sh, tui/NAME), or the simulator with a
number of seeds. They run until one notices, those first that took least on the tree as it is.

Everything happens in copies of the tree and of build/debug below DIR (build/mutants), one for each
job. First the tests run on the tree as it is: one that fails there would notice nothing. A fault
that does not compile, or whose line is not in its file exactly once, fails: the list is out of date.

Output is TAP, one test a fault, then a line with the share that was noticed.
"""
import argparse
import glob
import os
import queue
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(HERE))
SECONDS = 120  # a fault may make a test wait for ever; the longest needs a tenth of this
WANTED = 95  # per cent


class Fault:
    """One line that becomes another, and the tests that should notice."""

    def __init__(self, where, file, tests):
        self.where, self.file, self.tests = where, file, tests
        self.before = self.old = self.new = self.excuse = None

    def name(self):
        return f"{self.file}: {self.old} -> {self.new or 'nothing'}"


def unit_tests(name):
    if "*" not in name:
        return [name]
    root = os.path.join(TREE, "tests", "unit")
    return sorted(os.path.relpath(path, root)[:-2] for path in glob.glob(os.path.join(root, name + ".c")))


def read_list(path):
    faults, file, tests = [], None, None
    before = None
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.rstrip("\n")
            word, _, rest = line.partition(" ")
            where = f"{os.path.basename(path)}:{number}"
            if not line or word == "#":
                continue
            if word == "file":
                file = rest
            elif word == "tests":
                tests = [test for name in rest.split() for test in unit_tests(name)]
            elif word == "<":
                before = rest.strip()
            elif word == "-" and file and tests:
                faults.append(Fault(where, file, tests))
                faults[-1].old, faults[-1].before, before = rest.strip(), before, None
            elif word == "+" and faults and faults[-1].new is None:
                faults[-1].new = rest.strip()
            elif word == "~" and faults and rest:
                faults[-1].excuse = rest
            else:
                sys.exit(f"{where}: what is '{line}'?")
    for fault in faults:
        if fault.new is None:
            sys.exit(f"{fault.where}: no line that it becomes")
    return faults


class Tree:
    """A copy of the tree in which things are broken, and mended again."""

    def __init__(self, root):
        self.root = root
        self.out = os.path.join(root, "build", "debug")
        self.env = dict(os.environ, AYE=f"{self.out}/aye", AYED=f"{self.out}/ayed", AYE_POWERCUT_STATES="200")
        for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "VARIANT", "BUILD"):
            self.env.pop(name, None)

    def copy_from(self, source):
        """Sources, and what was built of them; with their times, so that nothing is built again."""
        shutil.rmtree(self.root, ignore_errors=True)
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=source, stdout=subprocess.PIPE, check=True)
        for name in listed.stdout.decode().split("\0"):
            if name:
                to = os.path.join(self.root, name)
                os.makedirs(os.path.dirname(to), exist_ok=True)
                shutil.copy2(os.path.join(source, name), to)
        shutil.copytree(os.path.join(source, "build", "debug"), self.out, symlinks=True)

    def targets(self, tests):
        out = set()
        for test in tests:
            name = test.split(":")[0]
            if name == "sim":
                out.add("build/debug/tests/sim/sim")
            elif name.startswith(("e2e/", "tui/")):
                out |= {"build/debug/aye", "build/debug/ayed"}
                if not name.endswith(".sh"):
                    out.add(f"build/debug/tests/{name}")
            else:
                out.add(f"build/debug/tests/unit/{name}")
        return sorted(out)

    def build(self, tests, jobs=1):
        """None, or what the compiler says."""
        command = ["make", "-s", f"-j{jobs}", *self.targets(tests)]
        made = subprocess.run(command, cwd=self.root, env=self.env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return None if made.returncode == 0 else made.stdout.decode(errors="replace")[-2000:]

    def passes(self, test):
        name, _, seeds = test.partition(":")
        if name == "sim":
            command = [f"{self.out}/tests/sim/sim", "--only", "--seeds", seeds or "100"]
        elif name.endswith(".sh"):
            command = ["bash", f"{self.root}/tests/{name}"]
        elif name.startswith(("e2e/", "tui/")):
            command = [f"{self.out}/tests/{name}"]
        else:
            command = [f"{self.out}/tests/unit/{name}"]
        # A group of its own, so that what a broken program leaves behind is ended with it.
        run = subprocess.Popen(command, cwd=self.root, env=self.env, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            status = run.wait(SECONDS)
        except subprocess.TimeoutExpired:
            status = 1
        try:
            os.killpg(run.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        run.wait()
        return status == 0

    def plant(self, fault):
        """The file's text, to put back; or None where the line is not there exactly once."""
        path = os.path.join(self.root, fault.file)
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        except FileNotFoundError:
            return None
        lines = text.split("\n")
        found = [i for i, line in enumerate(lines) if squeeze(line) == squeeze(fault.old) and
                 (fault.before is None or (i > 0 and squeeze(lines[i - 1]) == squeeze(fault.before)))]
        if len(found) != 1:
            return None
        line = lines[found[0]]
        lines[found[0]] = line[:len(line) - len(line.lstrip())] + fault.new
        self.write(fault.file, "\n".join(lines))
        return text

    def write(self, name, text):
        with open(os.path.join(self.root, name), "w", encoding="utf-8") as file:
            file.write(text)


def squeeze(line):
    """As words: how a line is laid out is clang-format's."""
    return " ".join(line.split())


def try_fault(tree, fault):
    """How it went: ("noticed", by which) or ("unnoticed", "") or ("stale", why)."""
    text = tree.plant(fault)
    if text is None:
        return "stale", "the line is not in the file exactly once"
    try:
        for test in fault.tests:  # linked one by one: mostly the first or second notices
            why = tree.build([test])
            if why is not None:
                return "stale", "it does not compile: " + why
            if not tree.passes(test):
                return "noticed", test
        return "unnoticed", ""
    finally:
        tree.write(fault.file, text)


class Report:
    """Says how each fault went, in the order in which they end."""

    def __init__(self, count):
        self.lock, self.count, self.said = threading.Lock(), count, 0
        self.noticed = self.excused = self.failed = 0
        self.survivors = []
        print(f"1..{count}", flush=True)

    def say(self, fault, how, by, seconds):
        with self.lock:
            self.said += 1
            good = how == "noticed" or (how == "unnoticed" and fault.excuse is not None)
            good = good and not (how == "noticed" and fault.excuse is not None)
            self.noticed += how == "noticed"
            self.excused += how == "unnoticed" and fault.excuse is not None
            self.failed += not good
            says = {"noticed": f"noticed by {by}", "unnoticed": "unnoticed", "stale": "out of date"}[how]
            if how == "noticed" and fault.excuse is not None:
                says += ", so it needs no excuse"
            if how == "unnoticed":
                self.survivors.append(fault)
                says += f": {fault.excuse}" if fault.excuse else f" by {' '.join(fault.tests)}"
            print(f"{'ok' if good else 'not ok'} {self.said} - {fault.name()}: {says} ({seconds:.0f} s)")
            if not good:
                print(f"# {fault.where}" + (f": {by}" if how == "stale" else ""))
            sys.stdout.flush()


def work(tree, faults, report):
    while True:
        try:
            group = faults.get_nowait()
        except queue.Empty:
            return
        for fault in group:
            began = time.monotonic()
            how, by = try_fault(tree, fault)
            report.say(fault, how, by, time.monotonic() - began)


def main():
    args = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    args.add_argument("--tenth", action="store_true", help="a random tenth of them")
    args.add_argument("--seed", type=int, default=int(time.time()), help="which tenth")
    args.add_argument("--jobs", type=int, default=os.cpu_count())
    args.add_argument("--dir", default=os.path.join(TREE, "build", "mutants"))
    args.add_argument("lists", nargs="*")
    args = args.parse_args()

    lists = args.lists or sorted(os.path.join(HERE, n) for n in os.listdir(HERE) if n.endswith(".txt"))
    faults = [fault for path in lists for fault in read_list(path)]
    if args.tenth:
        print(f"# --seed {args.seed}")
        faults = random.Random(args.seed).sample(faults, max(1, len(faults) // 10))
    tests = sorted({test for fault in faults for test in fault.tests})

    trees = [Tree(os.path.join(args.dir, str(i))) for i in range(max(1, args.jobs))]
    for tree in trees:
        tree.copy_from(TREE)
        why = tree.build(tests, args.jobs)
        if why is not None:
            print(f"Bail out! The tree does not compile: {why}")
            return 1
    bad, took = [], {}
    for test in tests:
        began = time.monotonic()
        if not trees[0].passes(test):
            bad.append(test)
        took[test] = time.monotonic() - began
    for fault in faults:
        fault.tests = sorted(fault.tests, key=took.get)
    if bad:
        print(f"Bail out! Without a fault these fail: {' '.join(bad)}")
        return 1

    # Faults of one file follow each other in one tree, so that each is compiled there only.
    groups = {}
    for fault in faults:
        groups.setdefault(fault.file, []).append(fault)
    waiting = queue.Queue()
    for group in sorted(groups.values(), key=len, reverse=True):
        waiting.put(group)
    report = Report(len(faults))
    workers = [threading.Thread(target=work, args=(tree, waiting, report)) for tree in trees]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    share = 100 * report.noticed // len(faults)
    print(f"# {report.noticed} of {len(faults)} faults noticed ({share} %), {report.excused} that no test can notice")
    return 1 if report.failed or (not args.tenth and share < WANTED) else 0


if __name__ == "__main__":
    sys.exit(main())
