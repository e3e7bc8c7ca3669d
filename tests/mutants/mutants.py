#!/usr/bin/env python3
"""mutants.py - plant faults one at a time, and see whether the tests that should notice do.

usage: mutants.py [--build | --tenth] [--seed N] [--jobs N] [--dir DIR] [--log FILE] [LIST...]

Each LIST (all of tests/mutants/*.txt by default) has faults, each of them one line of a
source file that becomes another one:

    # what belongs to the promise that the next faults break
    file server/domain/room/rounds/reveal.c
    tests server/test_play_reveal e2e/net_life e2e/stats.sh sim:200
    < the line before, only where the next one is in the file several times
    - the line as it is; how it is laid out does not matter
    + the line as it becomes; empty: it is gone
    ~ only where no test notices: why not

`file` and `tests` hold until the next of the same. A test is a unit test (AREA/test_NAME; with * in
it, each that fits), a program or a script (e2e/NAME, e2e/NAME.sh, tui/NAME), or the simulator with a
number of seeds. They run until one notices, those first that take least and have noticed most in
the same file; the faults come in an order drawn by --seed.

Everything happens in copies of the tree and of build/debug below DIR (build/mutants), one for each
job. First the tests run on the tree as it is: one that fails there would notice nothing. A fault is
out of date, and fails, if its line is not in its file exactly once, if it does not compile, or if
what it compiles to is what there was. --build looks for these only, and runs no test.

Output is TAP, one test a fault, then what was noticed of each list. --log writes down in FILE which
tests pass and how each fault went; what is there already is not tried again, so that a run on the
same tree can go on.
"""
import argparse
import collections
import filecmp
import glob
import os
import queue
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(HERE))
OUT = "build/debug"
WANTED = 95  # per cent
SECONDS = 120  # a fault may make a test wait for ever; and a busy machine may be some times slower than it was
CPU_SECONDS = 10  # or make it spin, which shows sooner: that takes no longer on a busy machine
BYTES = 4 << 30  # a fault may make a program allocate for ever; none needs a quarter of this


class Fault:
    """One line that becomes another, and the tests that should notice."""

    def __init__(self, where, file, tests):
        self.where, self.file, self.tests = where, file, tests
        self.before = self.old = self.new = self.excuse = None

    def area(self):
        return self.where.partition(".")[0]

    def name(self):
        after = f"{self.before} / " if self.before else ""
        return f"{self.file}: {after}{self.old} -> {self.new or 'nothing'}"


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


def targets(test):
    """What make has to make before a test runs."""
    name = test.split(":")[0]
    if name == "sim":
        return [f"{OUT}/tests/sim/sim"]
    if name.startswith(("e2e/", "tui/")):
        return [f"{OUT}/aye", f"{OUT}/ayed"] + ([] if name.endswith(".sh") else [f"{OUT}/tests/{name}"])
    return [f"{OUT}/tests/unit/{name}"]


def made_object(fault):
    return f"{OUT}/{fault.file[:-1]}o"


def squeeze(line):
    """As words: how a line is laid out is clang-format's."""
    return " ".join(line.split())


class Stale(Exception):
    """A fault that is none: the list is out of date."""


class Tree:
    """A copy of the tree in which things are broken, and mended again."""

    def __init__(self, root):
        self.root, self.recipes, self.kept = root, {}, []
        self.env = dict(os.environ, AYE=self.path(OUT, "aye"), AYED=self.path(OUT, "ayed"), AYE_POWERCUT_STATES="200")
        for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "VARIANT", "BUILD"):
            self.env.pop(name, None)

    def path(self, *names):
        return os.path.join(self.root, *names)

    def copy_from(self, source):
        """Sources, and what was built of them; with their times, so that nothing is built again."""
        shutil.rmtree(self.root, ignore_errors=True)
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=source, stdout=subprocess.PIPE, check=True)
        for name in listed.stdout.decode().split("\0"):
            if name:
                os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
                shutil.copy2(os.path.join(source, name), self.path(name))
        shutil.copytree(os.path.join(source, OUT), self.path(OUT), symlinks=True)

    def run(self, *command):
        """Whether it succeeds, and what it says."""
        made = subprocess.run(command, cwd=self.root, env=self.env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return made.returncode == 0, made.stdout.decode(errors="replace")

    def recipe(self, fault):
        """The commands by which make would answer a change of the fault's file, each with what it writes."""
        wanted = {made_object(fault)}.union(*(targets(test) for test in fault.tests))
        key = (fault.file, *sorted(wanted))
        if key not in self.recipes:
            _, told = self.run("make", "-sn", "V=1", "-W", *key)
            lines = [(line, re.search(r"(?: -o|^rm -f) (\S+)", line)) for line in told.splitlines()]
            self.recipes[key] = [(out[1], line) for line, out in lines if out]
        return self.recipes[key]

    def keep(self, name):
        """Puts a file aside, until mend(). What writes it anew changes no other name of it."""
        if name not in self.kept:
            os.rename(self.path(name), self.path(name + ".kept"))
            self.kept.append(name)

    def mend(self):
        """The tree as it was, with its times."""
        for name in self.kept:
            os.rename(self.path(name + ".kept"), self.path(name))
        self.kept = []

    def plant(self, fault):
        """Changes the line, and compiles it."""
        recipe = self.recipe(fault)
        try:
            with open(self.path(fault.file), encoding="utf-8") as file:
                lines = file.read().split("\n")
        except FileNotFoundError:
            raise Stale("there is no such file") from None
        found = [i for i, line in enumerate(lines) if squeeze(line) == squeeze(fault.old) and
                 (fault.before is None or (i > 0 and squeeze(lines[i - 1]) == squeeze(fault.before)))]
        if len(found) != 1:
            raise Stale(f"the line is in the file {len(found)} times")
        line = lines[found[0]]
        lines[found[0]] = line[:len(line) - len(line.lstrip())] + fault.new
        self.keep(fault.file)
        with open(self.path(fault.file), "w", encoding="utf-8") as file:
            file.write("\n".join(lines))

        (made, compile_it), *archive_it = [step for step in recipe if step[0].endswith((".o", ".a"))]
        self.make(made, compile_it)
        for name in (made, made + ".kept"):
            self.run("objcopy", "-g", name, name + ".plain")
        if filecmp.cmp(self.path(made + ".plain"), self.path(made + ".kept.plain"), shallow=False):
            raise Stale("it compiles to what there was")
        for step in archive_it:
            self.make(*step)

    def make(self, made, command):
        self.keep(made)
        good, said = self.run("sh", "-c", command)
        if not good:
            raise Stale("it does not compile: " + said[-2000:])

    def passes(self, test, seconds, cpu_seconds):
        name, _, seeds = test.partition(":")
        if name == "sim":
            command = [self.path(OUT, "tests/sim/sim"), "--only", "--seeds", seeds or "100"]
        elif name.endswith(".sh"):
            command = ["bash", self.path("tests", name)]
        else:
            command = [self.path(targets(test)[-1])]
        # A group of its own, so that what a broken program leaves behind is ended with it.
        limits = ["prlimit", "--core=0", f"--data={BYTES}", f"--cpu={cpu_seconds}"]
        run = subprocess.Popen([*limits, *command], cwd=self.root, env=self.env, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            status = run.wait(seconds)
        except subprocess.TimeoutExpired:
            status = 1
        try:
            os.killpg(run.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        run.wait()
        return status == 0


class Log:
    """What is known of the tests and the faults, on a tree: what took how long, and who noticed."""

    def __init__(self, name):
        self.name, self.lock = name, threading.Lock()
        self.took, self.went = {}, {}  # by test; by the name of a fault
        self.hits = collections.Counter()  # by the file of a fault and a test
        if name and os.path.exists(name):
            with open(name, encoding="utf-8") as lines:
                for what, key, said in (line.rstrip("\n").split("\t") for line in lines):
                    if what == "took":
                        self.took[key] = float(said)
                    else:
                        self.went[key] = (what, said)

    def write(self, *words):
        if self.name:
            with self.lock, open(self.name, "a", encoding="utf-8") as log:
                log.write("\t".join(words) + "\n")

    def passed(self, test, seconds):
        self.took[test] = seconds
        self.write("took", test, f"{seconds:.2f}")

    def fault(self, fault, how, by):
        self.hits[fault.file, by] += 1
        if how in ("noticed", "unnoticed"):
            self.write(how, fault.name(), by)

    def in_order(self, fault):
        return sorted(fault.tests, key=lambda test: self.took[test] / (1 + self.hits[fault.file, test]))


def try_fault(tree, fault, log):
    """How it went: ("noticed", by which), ("unnoticed", "") or ("stale", why). Without a log, only if it is stale."""
    try:
        tree.plant(fault)
        for test in log.in_order(fault) if log else []:  # linked one by one: mostly the first or second notices
            for step in tree.recipe(fault):
                if step[0] in targets(test) and step[0] not in tree.kept:
                    tree.make(*step)
            took = log.took[test]
            if not tree.passes(test, max(SECONDS, 10 * took), CPU_SECONDS + int(10 * took)):
                return "noticed", test
        return "unnoticed", ""
    except Stale as why:
        return "stale", str(why)
    finally:
        tree.mend()


class Report:
    """Says how each fault went, in the order in which they end."""

    def __init__(self, faults):
        self.lock, self.said, self.failed = threading.Lock(), 0, 0
        self.count = {fault.area(): [0, 0, 0] for fault in faults}  # noticed, excused, all
        print(f"1..{len(faults)}", flush=True)

    def say(self, fault, how, by, seconds):
        with self.lock:
            self.said += 1
            excused = how == "unnoticed" and fault.excuse is not None
            good = excused or how == "unknown" or (how == "noticed" and fault.excuse is None)
            self.failed += not good
            count = self.count[fault.area()]
            count[:] = count[0] + (how == "noticed"), count[1] + excused, count[2] + 1
            says = {"noticed": f"noticed by {by}", "unknown": "can be planted", "stale": "out of date"}.get(how, how)
            if how == "noticed" and fault.excuse is not None:
                says += ", so it needs no excuse"
            if how == "unnoticed":
                says += f": {fault.excuse}" if fault.excuse else f" by {' '.join(fault.tests)}"
            print(f"{'ok' if good else 'not ok'} {self.said} - {fault.name()}: {says} ({seconds:.1f} s)")
            if not good:
                print(f"# {fault.where}" + (f": {by}" if how == "stale" else ""))
            sys.stdout.flush()

    def total(self):
        """The share that was noticed."""
        for area, (noticed, excused, planted) in self.count.items():
            print(f"# {area}: {noticed} of {planted} noticed, {excused} that no test notices")
        noticed, planted = (sum(count[i] for count in self.count.values()) for i in (0, 2))
        print(f"# {noticed} of {planted} faults noticed ({100 * noticed // planted} %)")
        return 100 * noticed // planted


def in_each(trees, things, do):
    """Do something with each of the things, in whichever tree is free."""
    waiting = queue.Queue()
    for thing in things:
        waiting.put(thing)

    def work(tree):
        while True:
            try:
                thing = waiting.get_nowait()
            except queue.Empty:
                return
            do(tree, thing)

    workers = [threading.Thread(target=work, args=(tree,)) for tree in trees]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def measure(trees, tests, log):
    """How long each test takes on the tree as it is. Which fail."""
    bad = []

    def one(tree, test):
        began = time.monotonic()
        if tree.passes(test, 5 * SECONDS, 5 * SECONDS):
            log.passed(test, time.monotonic() - began)
        else:
            bad.append(test)

    in_each(trees, [test for test in tests if test not in log.took], one)
    return bad


def main():
    args = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    args.add_argument("--build", action="store_true", help="only see that each applies and compiles")
    args.add_argument("--tenth", action="store_true", help="a random tenth of them")
    args.add_argument("--seed", type=int, default=int(time.time()), help="which tenth, in which order")
    args.add_argument("--jobs", type=int, default=os.cpu_count())
    args.add_argument("--dir", default=os.path.join(TREE, "build", "mutants"))
    args.add_argument("--log", help="what is known already, and becomes known")
    args.add_argument("lists", nargs="*")
    args = args.parse_args()

    lists = args.lists or sorted(glob.glob(os.path.join(HERE, "*.txt")))
    faults = [fault for path in lists for fault in read_list(path)]
    print(f"# --seed {args.seed}")
    if args.tenth:  # those that nothing notices would take most of the time
        faults = [fault for fault in faults if fault.excuse is None]
    faults = random.Random(args.seed).sample(faults, max(1, len(faults) // 10) if args.tenth else len(faults))

    report, log = Report(faults), Log(args.log)
    untried = []
    for fault in faults:
        if fault.name() in log.went:
            report.say(fault, *log.went[fault.name()], 0)
        else:
            untried.append(fault)

    trees = [Tree(os.path.join(args.dir, str(i))) for i in range(max(1, args.jobs))] if untried else []
    for tree in trees:
        tree.copy_from(TREE)
    tests = sorted({test for fault in untried for test in fault.tests})
    wanted = {made_object(fault) for fault in untried}
    if not args.build:
        wanted |= {target for test in tests for target in targets(test)}
    for tree in trees:
        good, said = tree.run("make", "-s", f"-j{args.jobs}", *wanted)
        if not good:
            print(f"Bail out! The tree does not compile: {said[-2000:]}")
            return 1
    bad = [] if args.build else measure(trees, tests, log)
    if bad:
        print(f"Bail out! Without a fault these fail: {' '.join(bad)}")
        return 1

    def one(tree, fault):
        began = time.monotonic()
        how, by = try_fault(tree, fault, None if args.build else log)
        how = "unknown" if args.build and how == "unnoticed" else how
        report.say(fault, how, by, time.monotonic() - began)
        log.fault(fault, how, by)

    in_each(trees, untried, one)
    if args.build:
        return 1 if report.failed else 0
    share = report.total()
    return 1 if report.failed or (not args.tenth and share < WANTED) else 0


if __name__ == "__main__":
    sys.exit(main())
