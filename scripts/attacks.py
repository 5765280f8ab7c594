#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""attacks.py BUILD [--count N] [--seed N] [--keep FOLDER]

Attacks runs at random, for nights: a backend that answers rightly does one or two hostile acts in some of its calls
(backends/hostile), or a program breaks the protocol of exec (backends/exec/testing), in one to three workers. Each
attack is judged by rule:

  - the run ends with 1 if an act costs the call in which it is done its verdict, and with 0 if none does;
  - the cases that fail are exactly those in which the backend is hostile, which the act `exit` shows; an act that ends
    a process between two calls may cost another case each time that one of these is executed, which is up to four times;
  - the run file can be read, and says how many cases failed;
  - no process is left.

BUILD is a build with tests, installed under BUILD/installed. --count: attacks (default 10,000, which take an hour or
two). --seed: other attacks. --keep: leave the run of each attack that failed in FOLDER. Each failure is a line with the
command that repeats it.

Exit status: 0 no attack failed; 1 one did; 64 wrong usage.
"""

import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

# What each act costs the case in which it is done: its verdict, or nothing. Acts that take seconds are drawn rarely.
COSTS = """exit close-descriptors forge-zeros forge-ones forge-noise grandchild-exit write-call write-tensor write-attributes
write-shared-exit zero-shared-exit lower-limits print-exit print-abort""".split()
COSTS_WITH_DATA = ["write-input"]  # of calls whose first input has bytes
COSTS_SLOWLY = "leak-mappings forge-length drip write-shared-hang print-hang print-forever".split()
COSTS_NOTHING = """write-descriptors grandchild daemon block-signals write-shared change-folder print-child print reach-shared
leave-pointer leave-exit round-up flush-denormals set-x87 change-locale thread-locale leave-folder change-umask
change-variables mask-signals replace-handlers""".split()
ENDS_BETWEEN = ["exit-between"]

# Of programs: in which calls with a first size of 2, as the mode `crash` shows, is a verdict lost? `write-others`,
# `write-input-ahead` and `write-output-back` write only in those whose output has two dimensions.
PROGRAM_COSTS = """crash last-words exit kill fork-and-crash status no-status batch-status too-many notes length length-small
length-wrong number kind close modify-input write-behind write-in-front write-far write-call write-others
write-input-ahead write-output-back""".split()
PROGRAM_COSTS_NOTHING = ["", "fork", "daemon", "stay"]

QUERIES = ["dml.element_wise_identity:pairwise where dtype in {f32, u8}", "dml.gather:examples", "dml.slice1:examples",
           "dml.join:examples", "openvino.gather_8:examples"]
PROGRAM_QUERY = "dml.element_wise_identity:special where in_layout == packed and out_layout == packed and dtype == f32"


def left_behind(names):
    """The processes whose command line begins with one of these names."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words and words[0].decode(errors="replace") in names:
            found.append(" ".join(word.decode(errors="replace") for word in words if word))
    return found


class Attacks:
    def __init__(self, build, folder):
        self.program = build / "installed/bin/touchstone"
        self.hostile = build / "backends/hostile.so"
        self.cpu = build / "backends/cpu.so"
        self.exec = build / "tests/exec_hostile"
        self.folder = folder
        self.culprits = {}

    def command(self, backend, query, workers):
        return [str(self.program), "run", *backend, "-q", "--shrink", "0", "--max-findings", "100000", "--time-limit", "1s",
                "-j", str(workers), "-o", str(self.folder / "a.run"), query]

    def backend(self, act, then, every):
        options = [f"inner={self.cpu}", f"act={act}", f"every={every}"] + ([f"then={then}"] if then else [])
        return ["-b", str(self.hostile)] + [word for option in options for word in ("--backend-opt", option)]

    def run(self, command):
        """The exit status of a run and the ids of the cases that failed, by its report; None: there is none."""
        (self.folder / "a.run").unlink(missing_ok=True)
        ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                               timeout=600, check=False)
        report = self.folder / "a.json"
        report.unlink(missing_ok=True)
        subprocess.run([str(self.program), "report", str(self.folder / "a.run"), "--json", str(report)],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if not report.exists():
            return ended.returncode, None, ended.stdout.decode(errors="replace")
        found = json.loads(report.read_text())
        failed = sum(test["failed"] for test in found["tests"])
        ids = {finding["case"] for finding in found["findings"]}
        return ended.returncode, ids if len(ids) == failed else None, ended.stdout.decode(errors="replace")

    def who(self, key, command):
        """The cases in which a backend is hostile."""
        if key not in self.culprits:
            _, ids, said = self.run(command)
            if ids is None:
                sys.exit(f"attacks.py: no culprits are known: {said}")
            self.culprits[key] = ids
        return self.culprits[key]

    def judge(self, command, costs, between, culprits):
        """Why an attack succeeded, or None."""
        status, ids, said = self.run(command)
        if ids is None:
            return f"its run cannot be read (status {status}): {said[-300:]}"
        if between and (len(ids - culprits) > 4 * len(culprits) or (costs and not culprits <= ids)):
            return f"{len(ids)} cases fail; {len(culprits)} and at most four times as many others may"
        if not between and ids != (culprits if costs else set()):
            return f"{len(ids)} cases fail instead of {len(culprits) if costs else 0}, such as {sorted(ids ^ culprits)[:1]}"
        if status != (1 if ids else 0):
            return f"it ends with {status}, and {len(ids)} cases fail"
        left = left_behind({str(self.exec), "hostile-left", "exec-left"})
        return f"a process is left: {left[0]}" if left else None

    def draw(self, r):
        workers = r.randint(1, 3)
        if r.random() < 0.2:
            mode = r.choice(PROGRAM_COSTS if r.random() < 0.7 else PROGRAM_COSTS_NOTHING)
            culprits = self.who("exec", self.command(["-b", f"exec:{self.exec} crash"], PROGRAM_QUERY, 1))
            if mode in ("write-others", "write-input-ahead", "write-output-back"):
                culprits = {case for case in culprits if ":rank=2," in case}
            return self.command(["-b", f"exec:{self.exec} {mode}".strip()], PROGRAM_QUERY, workers), mode in PROGRAM_COSTS, False, culprits

        def act():
            kind = r.random()
            return r.choice(COSTS if kind < 0.42 else COSTS_WITH_DATA if kind < 0.45 else COSTS_SLOWLY if kind < 0.46 else ENDS_BETWEEN if kind < 0.48 else COSTS_NOTHING)

        first, then = act(), act() if r.random() < 0.7 else None
        if then == first:  # an input that is changed twice may be what it was
            then = None
        every = r.choice([7, 24, 50, 200]) if first not in COSTS_SLOWLY and then not in COSTS_SLOWLY else 200
        query = r.choice(QUERIES)
        both = {first, then}
        fully = bool(both & {*COSTS, *COSTS_SLOWLY})
        costs = fully or bool(both & set(COSTS_WITH_DATA))
        shown_by = "write-input" if costs and not fully else "exit"
        culprits = self.who((query, every, shown_by), self.command(self.backend(shown_by, None, every), query, 1))
        between = bool(both & set(ENDS_BETWEEN))
        return self.command(self.backend(first, then, every), query, workers), costs, between, culprits


def main():
    parser = argparse.ArgumentParser(usage=__doc__.splitlines()[0], add_help=False)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("-h", "--help", action="store_true")
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(__doc__)
        return 0
    try:
        given = parser.parse_args()
    except SystemExit:
        return 64
    for needed in ("installed/bin/touchstone", "backends/hostile.so", "backends/cpu.so", "tests/exec_hostile"):
        if not (given.build / needed).exists():
            print(f"attacks.py: there is no {given.build / needed}: expected a build with tests, installed there", file=sys.stderr)
            return 64
    r, failed = random.Random(given.seed), 0
    with tempfile.TemporaryDirectory(prefix="touchstone-attacks.") as folder:
        attacks = Attacks(given.build.resolve(), pathlib.Path(folder))
        for i in range(given.count):
            command, costs, between, culprits = attacks.draw(r)
            try:
                why = attacks.judge(command, costs, between, culprits)
            except subprocess.TimeoutExpired:
                why = "it does not end"
            if why is None:
                continue
            failed += 1
            print(f"attack {i}: {why}\n  {' '.join(map(repr, command))}", flush=True)
            if given.keep and (attacks.folder / "a.run").exists():
                given.keep.mkdir(parents=True, exist_ok=True)
                shutil.copy(attacks.folder / "a.run", given.keep / f"{i}.run")
    print(f"{given.count} attacks, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
