#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of interoperability.sh, from the JSON reports of its runs.

interoperability.py ROOT RUNS      write ROOT/docs/interoperability.md and .html
interoperability.py ROOT RUNS OPERATOR
                                   replace in them what is said of this operator, of which alone the runs are, and
                                   the defects
interoperability.py --check ROOT   hold the defects of the page against the vendors' pages
"""

import html
import json
import pathlib
import re
import sys

PAGE = "docs/interoperability.md"
FAILURES = (
    "mismatch rejected-valid accepted-invalid wrote-outside read-outside modified-input nondeterministic crash hang lost"
).split()
DEFECT = re.compile(r"^\| *([A-Z]+-[0-9]+) *\|(.*)\|$")
NO_TYPE = "no such type"
VENDORS = (
    "onnxruntime/README.md onnxruntime/webgpu.md onnxruntime/openvino.md openvino/README.md litert/README.md "
    "onednn/README.md mlx/README.md jax/README.md pytorch/README.md webnn/README.md directml/README.md"
).split()


class Cell:
    """What came of the cases of an operator and a data type."""

    def __init__(self):
        self.passed = self.failed = self.unjudged = 0

    def add(self, verdict, cases):
        self.unjudged += cases if verdict == "not-judged" else 0
        self.passed += cases if verdict == "pass" else 0
        self.failed += cases if verdict in FAILURES else 0

    @property
    def judged(self):
        return self.passed + self.failed

    def state(self):
        return "bad" if self.failed else "none" if self.unjudged or not self.judged else "good"

    def text(self):
        if self.unjudged and not self.failed:  # that illegal descriptors are refused says nothing about values
            return "not judged"
        if not self.judged:
            return "–"
        return f"{self.failed:,} of {self.judged:,} fail" if self.failed else f"✓ {self.passed:,}"


def defects(root):
    """The known failures of the vendors' pages: (page, id, what, smallest case)."""
    found = []
    for vendor in VENDORS:
        for line in (root / "backends" / vendor).read_text(encoding="utf-8").splitlines():
            match = DEFECT.match(line)
            if match:
                parts = [part.strip() for part in match.group(2).split("|")]
                case = re.search(r"`([^`]*)`", parts[-1])
                if len(parts) == 4 and case:
                    # OpenVINO's page leaves out the name of the operator that it has most lines of.
                    named = "." in case.group(1).split(":")[0]
                    whole = case.group(1) if named else f"openvino.strided_slice:{case.group(1)}"
                    found.append((vendor, match.group(1), parts[0], whole))
    return found


def answer(behaviour):
    """A behaviour of a report in few words."""
    accepted = "accepted: "
    if behaviour.startswith(accepted):
        return accepted + answer(behaviour[len(accepted):])
    match = re.match(r"(our decision|another known interpretation|other than our decision)(?: \((.*)\))?$", behaviour)
    if not match:
        return behaviour
    kind, what = match.groups()
    if kind == "our decision":
        return f"{what}, as decided" if what else "as decided"
    return what if kind.startswith("another") else f"other: {what}"


def read(runs):
    """The columns: name, page, report, and a cell for each operator and data type."""
    columns = []
    for line in (runs / "columns").read_text(encoding="utf-8").splitlines():
        name, page = line.split("\t")
        report = json.loads((runs / f"{name}.json").read_text(encoding="utf-8"))
        cells = {}
        for tally in report["tallies"]:
            place = (tally["test"].split(":")[0], tally["dtype"])
            cells.setdefault(place, Cell()).add(tally["verdict"], tally["cases"])
        columns.append((name, page, report, cells))
    return columns


def rows(columns):
    """The rows of the table: a title, and a cell for each column. An operator comes before its data types."""
    places = sorted({place for *_, cells in columns for place in cells})
    table = []
    for operator in sorted({operator for operator, _ in places}):
        dtypes = [dtype for one, dtype in places if one == operator]
        sums = []
        for *_, cells in columns:
            total = Cell()
            for dtype in dtypes:
                cell = cells.get((operator, dtype), Cell())
                total.passed += cell.passed
                total.failed += cell.failed
            sums.append(total)
        table.append((operator, True, sums))
        for dtype in dtypes:
            title = NO_TYPE if dtype == "?" else dtype
            table.append((title, False, [cells.get((operator, dtype), Cell()) for *_, cells in columns]))
    return table


def everywhere(names, found):
    """For each operator: the data types in which none of two or more fails, and which implementations fail somewhere."""
    summary = []
    for title, whole, cells in found:
        if whole:
            of = {state: [name for name, cell in zip(names, cells) if cell.state() == state] for state in ("good", "bad")}
            summary.append((title, [], of))
        elif title != NO_TYPE and sum(cell.state() == "good" for cell in cells) > 1 and not any(cell.failed for cell in cells):
            summary[-1][1].append(title)
    return [[title, ", ".join(types), ", ".join(of["good"]), ", ".join(of["bad"])] for title, types, of in summary]


def questions(columns):
    """What the specifications leave open, where an implementation answered: (id, problem, answers)."""
    found = {}
    for index, (_, _, report, _) in enumerate(columns):
        for entry in report["ledger"]:
            said = sorted({answer(one["behaviour"]) for one in entry.get("behaviours", [])})
            if said:
                one = found.setdefault(entry["id"], (entry["problem"], [""] * len(columns)))
                one[1][index] = "; ".join(said)
    return [(name, problem, answers) for name, (problem, answers) in found.items()]


class Table:
    """A section of the page. A cell is a text, or a Cell; the first one of a row is its title."""

    def __init__(self, heading, note, head, rows, whole=()):
        self.heading, self.note, self.head, self.rows = heading, note, head, rows
        self.whole = set(whole)  # the rows, by their number, that are sums of those behind them


def text_of(cell):
    return cell.text() if isinstance(cell, Cell) else cell or "–"


def linked(title, page):
    """A link, in both pages to the file of the repository."""
    return f"[{title}](../{page})"


def defect_rows(root):
    return [[linked(name, f"backends/{vendor}"), what, f"`{case}`"] for vendor, name, what, case in defects(root)]


def tables(root, columns):
    names = [name for name, *_ in columns]
    made = []
    for name, vendor, report, _ in columns:
        run, total = report["run"], report["total"]
        judged = total["verdicts"]["pass"] + total["failed"]
        made.append([linked(name, vendor), run["backend_version"], run["backend_device"], f"{judged:,}",
                     f"{total['failed']:,}"])
    found = rows(columns)
    return [
        Table(
            "Where all agree",
            "Of each operator: the data types that two or more implementations have, and in which no case of any fails; "
            "the implementations without a failure; and those with some. The defects say how they fail, the open "
            "questions what nobody may rely on.",
            ["operator", "right everywhere", "without a failure", "with failures"],
            everywhere(names, found),
        ),
        Table("Implementations", "", ["column", "version", "device", "cases judged", "fail"], made),
        Table(
            "Operators and data types",
            "`✓ N`: all of N judged cases are right, bit for bit, or refused where the specification demands it. `–`: the "
            "implementation, or its adapter, has nothing to judge. `not judged`: the specification does not determine the "
            "results of this type to the bit. The data types of an operator follow it; "
            "`no such type` are illegal descriptors with a number that is no data type.",
            ["", *names],
            [[title, *cells] for title, _, cells in found],
            [number for number, (_, whole, _) in enumerate(found) if whole],
        ),
        Table(
            "Defects",
            "Each with its smallest case; the page of the vendor has the rest.",
            ["", "", "smallest case"],
            defect_rows(root),
        ),
        Table(
            "Open questions",
            "What the specifications leave open, and what each implementation does. `touchstone ledger ID` has the text "
            "and the decision. Where the adapter of an array library replaces an index out of range, the answer is the "
            "adapter's. `–`: nothing was executed, because the implementation does not have the operator or refuses the "
            "call, which is a defect above.",
            ["", *names],
            [[f"{name}: {problem}", *answers] for name, problem, answers in questions(columns)],
        ),
    ]


# ---- one operator ------------------------------------------------------------------------------------------------


def cell_of(text):
    """The Cell of a text that Cell.text made."""
    cell = Cell()
    numbers = [int(number.replace(",", "")) for number in re.findall("[0-9,]*[0-9]", text)]
    if text.endswith("fail"):
        cell.failed, cell.passed = numbers[0], numbers[1] - numbers[0]
    elif numbers:
        cell.passed = numbers[0]
    return cell


def parsed(text):
    """The text before the tables of a page, and its tables."""
    first, *sections = re.split("^## ", text, flags=re.M)
    made = []
    for section in sections:
        heading, *lines = section.splitlines()
        table = [re.split(r"(?<!\\) \| ", line[2:-2]) for line in lines if line.startswith("|")]
        table = [[cell.replace("\\|", "|") for cell in row] for row in table[:1] + table[2:]]
        note = next((line for line in lines if line and not line.startswith("|")), "")
        whole = [number for number, row in enumerate(table[1:]) if row[0].startswith("**")]
        for row in table[1:] if whole else []:
            row[0] = row[0].strip("*").replace("&nbsp;", "")
            row[1:] = map(cell_of, row[1:])
        made.append(Table(heading, note, table[0], table[1:], whole))
    return first, made


def merge(root, columns, operator):
    """The page's text before its tables and these, with what the runs of one operator say of it."""
    first, made = parsed((root / PAGE).read_text(encoding="utf-8"))
    agree, _, types, known, open_ = made
    names = types.head[1:]
    place = {name: number for number, (name, *_) in enumerate(columns)}

    def spread(cells, empty):  # to the columns of the page
        return [cells[place[name]] if name in place else empty() for name in names]

    groups, new = {}, [(title, whole, spread(cells, Cell)) for title, whole, cells in rows(columns)]
    for number, (title, *cells) in enumerate(types.rows):
        current = title if number in types.whole else current
        groups.setdefault(current, []).append((title, number in types.whole, cells))
    groups[operator] = new
    found = [row for _, group in sorted(groups.items()) for row in group]
    types.rows = [[title, *cells] for title, _, cells in found]
    types.whole = {number for number, (_, whole, _) in enumerate(found) if whole}
    agree.rows = everywhere(names, found)
    known.rows = defect_rows(root)
    answers = {f"{name}: {problem}": spread(said, str) for name, problem, said in questions(columns)}
    open_.rows = [[title, *answers.pop(title, cells)] for title, *cells in open_.rows]
    open_.rows += [[title, *cells] for title, cells in answers.items()]
    return dated(first.rstrip(), operator, date_of(columns)), made


def dated(text, operator, date):
    """The introduction with the day on which the rows of this operator were made; one sentence for each day."""
    sentence = r" The rows of ([^ ,]+(?:, [^ ,]+)*) were made on ([-0-9]+)\."
    days = {day: operators.split(", ") for operators, day in re.findall(sentence, text)}
    for operators in days.values():
        if operator in operators:
            operators.remove(operator)
    days.setdefault(date, []).append(operator)
    return re.sub(sentence, "", text) + "".join(
        f" The rows of {', '.join(sorted(days[day]))} were made on {day}." for day in sorted(days) if days[day])


def date_of(columns):
    return max(report["run"]["started"] for _, _, report, _ in columns)[:10]


def introduction(columns):
    return (
        "# What may be relied on everywhere\n\n"
        f"Made on {date_of(columns)} by `scripts/interoperability.sh PREFIX`, which runs tier quick on every "
        "implementation that is set up; of OpenVINO and DirectML a twelfth and of JAX a fortieth. "
        "[interoperability.html](interoperability.html) is the same page with colours. [comparing.md](comparing.md) "
        "compares case by case."
    )


def markdown(first, made):
    lines = [first]
    for table in made:
        lines += ["", f"## {table.heading}", ""] + ([table.note, ""] if table.note else [])
        lines += ["| " + " | ".join(table.head) + " |", "|" + "---|" * len(table.head)]
        for number, row in enumerate(table.rows):
            cells = [text_of(cell).replace("|", "\\|") for cell in row]
            if table.whole:
                cells[0] = f"**{cells[0]}**" if number in table.whole else f"&nbsp;&nbsp;{cells[0]}"
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


STYLE = """body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:90rem;padding:0 1rem;color-scheme:light dark}
.scroll{overflow-x:auto}table{border-collapse:collapse;margin:1rem 0}th,td{padding:.25rem .6rem;text-align:left;
border-bottom:1px solid #8884;vertical-align:top}thead th{position:sticky;top:0;background:Canvas}
.good,.bad,.none{white-space:nowrap}.good{background:#1a7f3726}.bad{background:#cf222e33;font-weight:600}
.none{opacity:.75}.dtype th{font-weight:400;padding-left:1.5rem}code{overflow-wrap:anywhere}"""


def marked(text):
    """Markdown's links and code as HTML."""
    text = re.sub(r"\[([^]]*)\]\(([^)]*)\)", r'<a href="\2">\1</a>', html.escape(text))
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", text)


def page(first, made):
    out = [
        '<!DOCTYPE html><html lang="en"><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width"><title>What may be relied on everywhere</title>',
        f"<style>{STYLE}</style><h1>What may be relied on everywhere</h1><p>{marked(first.splitlines()[-1])}</p>",
    ]
    for table in made:
        head = "".join(f"<th>{html.escape(title)}</th>" for title in table.head)
        out.append(f"<h2>{table.heading}</h2><p>{marked(table.note)}</p>")
        out.append(f'<div class="scroll"><table><thead><tr>{head}</tr></thead>')
        for number, (title, *row) in enumerate(table.rows):
            kind = ' class="dtype"' if table.whole and number not in table.whole else ""
            cells = "".join(
                f'<td class="{cell.state()}">{cell.text()}</td>' if isinstance(cell, Cell)
                else f"<td>{marked(text_of(cell))}</td>"
                for cell in row
            )
            out.append(f"<tr{kind}><th>{marked(title)}</th>{cells}</tr>")
        out.append("</table></div>")
    return "\n".join(out) + "</html>\n"


def check(root):
    """0 if the page has each defect of the vendors' pages, and no other."""
    text = (root / PAGE).read_text(encoding="utf-8")
    stated = {tuple(one) for one in re.findall(r"^\| \[([A-Z]+-[0-9]+)\].* `([^`]*)` \|$", text, re.M)}
    known = {(name, case) for _, name, _, case in defects(root)}
    for name, case in sorted(known - stated):
        print(f"{PAGE} does not have {name} with the smallest case {case}")
    for name, case in sorted(stated - known):
        print(f"{PAGE} has {name} with the case {case}, which no vendor's page has")
    return 1 if stated != known else 0


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        return check(pathlib.Path(sys.argv[2]))
    if len(sys.argv) not in (3, 4):
        print(__doc__, file=sys.stderr)
        return 64
    root, runs = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    columns = read(runs)
    if len(sys.argv) == 4:
        first, made = merge(root, columns, sys.argv[3])
    else:
        first, made = introduction(columns), tables(root, columns)
    (root / PAGE).write_text(markdown(first, made), encoding="utf-8")
    (root / PAGE).with_suffix(".html").write_text(page(first, made), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
