#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""agreement.py REPORT.json...

Do the checker and DirectML agree about descriptors? Prints backends/directml/descriptors.md: for each operator and
clause, how many answers do. Each REPORT is a JSON report of a run on the backend directml (touchstone report RUN --json REPORT) of the
query `validation` or parts of it; the numbers of several reports are added up. A legal descriptor that is refused for a
known reason, BUF-22 (observed) or BUF-24 (decided), is counted by that reason.

Exit status: 0 printed; 64 wrong usage, or a file that is no such report.
"""

import json
import sys
from collections import Counter, defaultdict

BYTES = {"FLOAT64": 8, "INT64": 8, "UINT64": 8, "FLOAT32": 4, "INT32": 4, "UINT32": 4}
BYTES.update({"FLOAT16": 2, "INT16": 2, "UINT16": 2})


HEAD = """# Descriptors

What DirectML answers to descriptors of the operators that Touchstone checks and does not compute;
[README.md](README.md#descriptors) has the commands and the reasons. `scripts/bench/agreement.py` prints this page.
"""


def tensors(descriptor):
    for value in descriptor.values():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, dict) and "Sizes" in one:
                yield one


def needed_bytes(tensor):
    sizes = tensor["Sizes"]
    elements = 1
    if "Strides" in tensor:
        elements += sum((size - 1) * stride for size, stride in zip(sizes, tensor["Strides"]))
    else:
        for size in sizes:
            elements *= size
    return max(elements * BYTES.get(tensor.get("DataType"), 1), tensor.get("TotalTensorSizeInBytes") or 0)


def reason(descriptor):
    """Why DirectML refuses a legal descriptor, if that is known."""
    found = list(tensors(descriptor))
    if any(0 < t.get("GuaranteedBaseOffsetAlignment", 0) < 16 for t in found):
        return "BUF-22"
    if any(needed_bytes(t) > 2**32 - 4 for t in found):
        return "BUF-24"
    return "other"


class Operator:
    def __init__(self):
        self.legal = Counter()  # verdicts
        self.illegal = Counter()
        self.reasons = Counter()  # of legal descriptors that were refused
        self.clauses = defaultdict(Counter)  # how many descriptors break it, and how many of these were refused

    def asked(self):
        return sum(self.legal.values()) + sum(self.illegal.values())

    def agreed(self):
        return self.legal["pass"] + self.illegal["pass"]

    def ended(self):
        return sum(v[k] for v in (self.legal, self.illegal) for k in ("crash", "hang", "lost"))

    def explained(self):
        return self.reasons["BUF-22"] + self.reasons["BUF-24"]


def read(path, operators):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    for test in report["tests"]:
        op = operators[test["operator"]]
        verdicts = {k: n for k, n in test["verdicts"].items() if n and k not in ("not-run", "unsupported")}
        (op.legal if test["test"] == "legal" else op.illegal).update(verdicts)
    for clause in report["clauses"]:
        operators[clause["operator"]].clauses[clause["id"]].update(broken=clause["broken"], refused=clause["refused"])
    for finding in report["findings"]:
        if finding["verdict"] == "rejected-valid":
            record = finding["descriptor"]
            operators[record["operator"]].reasons[reason(record["descriptor"])] += 1


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


def clauses_of(op):
    """The clauses of which not all illegal descriptors were refused: "OP-09 33 of 150"."""
    broken = [(k, c["refused"], c["broken"]) for k, c in op.clauses.items() if c["refused"] != c["broken"]]
    return ", ".join(f"{k} {refused:,} of {all_:,}" for k, refused, all_ in broken)


def print_operators(operators):
    print("| operator | legal ones accepted | BUF-22, BUF-24 | other refusals | illegal ones refused | process ended "
          "| clauses of which not all were refused |")
    print("|---|---|---|---|---|---|---|")
    for name, op in sorted(operators.items()):
        print(f"| {name.removeprefix('dml.').upper()} | {op.legal['pass']:,} of {sum(op.legal.values()):,} "
              f"| {op.explained() or ''} | {op.legal['rejected-valid'] - op.explained() or ''} "
              f"| {op.illegal['pass']:,} of {sum(op.illegal.values()):,} | {op.ended() or ''} | {clauses_of(op)} |")


def print_clauses(operators):
    sums = defaultdict(Counter)
    for op in operators.values():
        for clause, counts in op.clauses.items():
            if counts["broken"]:
                sums[clause if clause <= "OP-05" else "OP-06 and above"].update(counts)
    print("| clause | illegal descriptors refused | |")
    print("|---|---|---|")
    for clause, counts in sorted(sums.items()):
        print(f"| {clause} | {counts['refused']:,} of {counts['broken']:,} "
              f"| {percent(counts['refused'], counts['broken'])} |")


def main(paths):
    if not paths or paths[0].startswith("-"):
        print(__doc__, file=sys.stderr if not paths else sys.stdout)
        return 64 if not paths or paths[0] not in ("-h", "--help") else 0
    operators = defaultdict(Operator)
    for path in paths:
        try:
            read(path, operators)
        except (OSError, ValueError, KeyError, TypeError) as e:
            print(f"agreement.py: {path} is no JSON report of a run: {e!r}", file=sys.stderr)
            return 64
    asked = sum(op.asked() for op in operators.values())
    agreed = sum(op.agreed() for op in operators.values())
    legal = sum(op.legal["rejected-valid"] for op in operators.values())
    explained = sum(op.explained() for op in operators.values())
    whole = sum(op.agreed() + op.explained() == op.asked() for op in operators.values())
    print(HEAD)
    print(f"{asked:,} descriptors of {len(operators)} operators: {agreed:,} answers agree, {percent(agreed, asked)}. "
          f"{legal:,} legal ones are refused, {explained:,} of these for BUF-22 or BUF-24; "
          f"{sum(op.illegal['accepted-invalid'] for op in operators.values()):,} illegal ones are accepted; "
          f"{sum(op.ended() for op in operators.values()):,} end the process. "
          f"Of {whole} operators, all answers agree but for BUF-22 and BUF-24.\n")
    print_clauses(operators)
    print()
    print_operators(operators)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
