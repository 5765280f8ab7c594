#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""public-files.py TOUCHSTONE FOLDER...

Asks Touchstone about files that others published, and compares what it reads with what this script reads in them. A
FOLDER is a copy of one of these, or of what contains it; none of their files is part of Touchstone:

  microsoft/DirectML, DxDispatch/models           models of DxDispatch: `check`
  web-platform-tests, webnn/conformance_tests     tests of WebNN: `import`

Of a model, each operator of DirectML has to be judged, with the types and sizes that its tensors have; since the models
are samples of DirectML's makers, none may be called invalid, unsupported or unreadable. Of the tests, as many have to be
read or left out as the files have graphs; none may be unreadable, illegal or in disagreement with the reference. Prints
what is wrong, the commit where git knows it, and the counts.

Exit status: 0 nothing is wrong; 1 something is, or a folder has fewer than 20 files; 64 wrong usage; 77 no FOLDER is
given, or one has no such files.
"""
import collections
import glob
import json
import os
import re
import subprocess
import sys

NO_OPERATORS = ("hlsl", "onnx", "dmlSerializedGraph")


class Report:
    def __init__(self):
        self.counts, self.wrong = collections.Counter(), 0

    def problem(self, file, text):
        print(f"{os.path.basename(file)}: {text}")
        self.wrong += 1

    def require(self, holds, file, text):
        if not holds:
            self.problem(file, text)


def ask(*command):
    return subprocess.run(command, text=True, capture_output=True, check=False)


def commit(folder):
    told = ask("git", "-C", folder, "log", "-1", "--format=%H of %cs")
    return told.stdout.strip() if told.returncode == 0 else "not known here"


# ---- models of DxDispatch ----------------------------------------------------------------------------------------

def without_comments(text):
    """JSON as DxDispatch reads it: comments and commas behind the last value are allowed."""
    text = re.sub(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', lambda found: found[1] or " ", text, flags=re.S)
    return re.sub(r'("(?:\\.|[^"\\])*")|,(?=\s*[\]}])', lambda found: found[1] or "", text)


def operators_of(model):
    """The name and the tensors of each operator of DirectML in a model."""
    for name, dispatchable in model.get("dispatchables", {}).items():
        kind = dispatchable.get("type", "")
        if kind not in NO_OPERATORS:
            kind = kind.removeprefix("DML_OPERATOR_").lower()
            yield name, f"dml.{kind}", dict(tensors_of(dispatchable.get("desc", {})))


def tensors_of(desc):
    for name, value in desc.items():
        several = isinstance(value, list)
        for i, tensor in enumerate(value if several else [value]):
            tensor = tensor.get("Desc", tensor) if isinstance(tensor, dict) else {}
            if "Sizes" in tensor and "DataType" in tensor:
                yield (f"{name}[{i}]" if several else name,
                       [tensor["DataType"].removeprefix("DML_TENSOR_DATA_TYPE_"), *map(str, tensor["Sizes"])])


def rows_of(text):
    """The tensors that the checker prints for each operator: by the name of the dispatchable."""
    rows = collections.defaultdict(dict)
    name = None
    for line in text.splitlines():
        heading = re.match(r"\S.*?:[0-9]+:[0-9]+: (.*): dml\.[a-z0-9_]+: ", line)
        name = heading[1] if heading else name
        row = line.split()
        if name and line.startswith("    ") and len(row) > 1 and not heading:
            rows[name][row[0]] = row[1:]
    return rows


def check_models(touchstone, files, report):
    for file in files:
        with open(file, encoding="utf-8-sig") as opened:
            model = json.loads(without_comments(opened.read()))
        told = ask(touchstone, "check", "--json", file)
        rows = rows_of(ask(touchstone, "check", file).stdout)
        results = {result.get("name"): result for result in json.loads(told.stdout or "[]")}
        wanted = list(operators_of(model))
        report.counts["files"] += 1
        # 4: an implementation refuses it; 5: something is beyond what is judged, such as a shader.
        report.require(told.returncode in (0, 4, 5), file, f"check ends with {told.returncode}")
        for result in results.values():
            status = result.get("status")
            report.require(status not in ("invalid", "unsupported", "unreadable"), file, f"{result['name']}: {status}")
        for name, operator, tensors in wanted:
            result = results.get(name, {})
            report.counts["operators judged"] += 1
            report.require(result.get("operator") == operator, file,
                           f"{name}: read as {result.get('operator')}, expected {operator}")
            for tensor, row in tensors.items():
                report.counts["tensors read"] += 1
                report.require(rows[name].get(tensor) == row, file,
                               f"{name}.{tensor}: read as {rows[name].get(tensor)}, expected {row}")
        others = len(model.get("dispatchables", {})) - len(wanted)
        report.counts["dispatchables of other kinds"] += others


# ---- tests of WebNN ----------------------------------------------------------------------------------------------

def graphs_of(text):
    """How many graphs a file of tests has: members of this name."""
    text = re.sub(r"('(?:\\.|[^'\\\n])*')|//[^\n]*|/\*.*?\*/", lambda found: found[1] or " ", text, flags=re.S)
    return len(re.findall(r"""(?<![\w.$])['"]?graph['"]?\s*:\s*\{""", text))


def check_tests(touchstone, files, report):
    for file in files:
        with open(file, encoding="utf-8") as opened:
            graphs = graphs_of(opened.read())
        told = ask(touchstone, "import", file)
        report.counts["files"] += 1
        if graphs == 0:
            report.counts["files without tests"] += 1
            report.require(told.returncode == 64 and "no test of WebNN" in told.stderr, file,
                           f"import ends with {told.returncode}: {told.stderr}")
            continue
        counts = {what.strip(): int(number) for number, what in
                  re.findall(r"^ +([0-9]+)  (tests|in agreement|in disagreement|with an illegal|open|left out)",
                             told.stdout, flags=re.M)}
        unread = re.findall(r"^ +([0-9]+)    cannot be read", told.stdout, flags=re.M)
        report.require(told.returncode in (0, 2), file, f"import ends with {told.returncode}: {told.stderr}")
        report.require(not unread and not told.stderr, file, told.stderr.strip())
        report.require(counts.get("tests") == graphs, file, f"{counts.get('tests')} tests are read, expected {graphs}")
        for what in ("in disagreement", "with an illegal"):
            report.require(what not in counts, file, told.stdout)
        for what, number in counts.items():
            report.counts[what] += number


# ---- folders -----------------------------------------------------------------------------------------------------

def files_of(folder, below, pattern):
    for where in (folder, os.path.join(folder, below)):
        found = sorted(glob.glob(os.path.join(glob.escape(where), pattern)))
        if found:
            return [file for file in found if not os.path.basename(file).startswith("_")]  # _schema.json is no model
    return []


def main():
    if len(sys.argv) == 2 and not sys.argv[1].startswith("-"):
        print("no folder with a copy of files of others is given")
        return 77
    if len(sys.argv) < 2 or any(argument.startswith("-") for argument in sys.argv[1:]):
        print(__doc__)
        return 64
    wrong = 0
    for folder in sys.argv[2:]:
        for title, below, pattern, check in (
                ("models of DxDispatch", "DxDispatch/models", "*.json", check_models),
                ("tests of WebNN", "webnn/conformance_tests", "*.https.any.js", check_tests)):
            files = files_of(folder, below, pattern)
            if not files:
                continue
            report = Report()
            check(sys.argv[1], files, report)
            print(f"{title}, commit {commit(folder)}")
            for what, number in report.counts.items():
                print(f"{number:8} {what}")
            report.require(report.counts["files"] >= 20, folder, f"expected at least 20 {title}")
            wrong += report.wrong
            break
        else:
            print(f"{folder}: no models of DxDispatch and no tests of WebNN are there")
            return 77
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
