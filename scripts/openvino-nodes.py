#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""openvino-nodes.py TOUCHSTONE [nodes|types]

Asks `TOUCHSTONE check` about OpenVINO IR that OpenVINO itself saves: ONNX's own node tests, which the Python package
onnx makes (onnx.backend.test.case.node) and the package openvino reads, and models of gathers and scatters with
indices of every integer type, which openvino makes. Such IR is legal. So no layer may be called invalid, unsupported
or unreadable; each layer that the checker knows has to be judged, with the types and shapes that the file has; and all
others have to be named as not judged. Prints what is wrong, and the counts. With `nodes`, only the node tests are made;
with `types`, only the other models.

Exit status: 0 nothing is wrong; 1 something is, or there are fewer than 20 files; 64 wrong usage; 77 onnx or openvino
is not installed.
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings
import xml.etree.ElementTree

warnings.filterwarnings("ignore")  # of onnx, which divides by zero on purpose
try:
    import numpy
    import openvino
    from onnx.backend.test.case.node import collect_testcases
    from openvino import opset1, opset3, opset5, opset6, opset7, opset8
except ImportError as missing:
    print(f"{missing}")
    sys.exit(77)

NODES = re.compile("test_(add|compress|concat|cumsum|expand|gather|identity|if|loop|maxunpool|nonzero|onehot|pad|relu|reshape|"
                   "reversesequence|scatter|slice|spacetodepth|split|squeeze|tile|topk|transpose|unsqueeze|where)")

# The layers that are judged: type and opset, the operator, and the names of its tensors, inputs first.
JUDGED = {("Gather", "opset1"): ("gather_1", "data indices output"),
          ("Gather", "opset7"): ("gather_7", "data indices output"),
          ("Gather", "opset8"): ("gather_8", "data indices output"),
          ("GatherElements", "opset6"): ("gather_elements", "data indices output"),
          ("GatherND", "opset5"): ("gather_nd_5", "data indices output"),
          ("GatherND", "opset8"): ("gather_nd_8", "data indices output"),
          ("NonZero", "opset3"): ("non_zero_3", "data output"),
          ("ScatterElementsUpdate", "opset3"): ("scatter_elements_update_3", "data indices updates output"),
          ("ScatterNDUpdate", "opset4"): ("scatter_nd_update_3", "data indices updates output"),
          ("ScatterUpdate", "opset3"): ("scatter_update", "data indices updates output"),
          ("StridedSlice", "opset1"): ("strided_slice", "data output")}
NO_LAYERS = ("Parameter", "Const", "Result")
TYPES = {"FP64": "f64", "FP32": "f32", "FP16": "f16", "BF16": "bf16", "BOOL": "boolean"}


# ---- files -------------------------------------------------------------------------------------------------------

def save(model, folder, name):
    path = os.path.join(folder, name + ".xml")
    openvino.save_model(model, path, compress_to_fp16=False)
    return path


def node_tests(folder):
    """The IR of each node test that OpenVINO can read."""
    core = openvino.Core()
    for test in collect_testcases(None):
        if NODES.match(test.name):
            try:
                yield save(core.read_model(test.model.SerializeToString()), folder, test.name)
            except RuntimeError:  # no frontend has this operator, or this type
                pass


def index_types(folder):
    """A model of each layer that has indices, with each integer type."""
    float32 = numpy.float32
    for kind in ("u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"):
        data, block = opset1.parameter([5, 4], float32), opset1.parameter([3, 4], float32)
        index, tuples, same = (opset1.parameter(shape, getattr(openvino.Type, kind)) for shape in ([3], [3, 1], [3, 4]))
        axis = opset1.constant(0, dtype=numpy.int64)
        layers = {"gather_1": opset1.gather(data, index, axis), "gather_7": opset7.gather(data, index, axis),
                  "gather_8": opset8.gather(data, index, axis), "gather_nd_5": opset5.gather_nd(data, tuples),
                  "gather_nd_8": opset8.gather_nd(data, tuples)}
        if kind in ("i32", "i64"):  # what the specification of these has
            layers["gather_elements"] = opset6.gather_elements(data, same, 0)
        layers["scatter_update"] = opset3.scatter_update(data, index, block, axis)
        for name, layer in layers.items():
            parameters = [node.get_node() for node in layer.input_values()]
            parameters = [node for node in parameters if node.get_type_name() == "Parameter"]
            yield save(openvino.Model([layer], parameters, name), folder, f"{name}-{kind}")


# ---- what a file has, and what the checker says ------------------------------------------------------------------

def tensor(port, precision):
    sizes = [dim.text for dim in port.iter("dim")]
    return [TYPES.get(precision, precision.lower())] + ["?" if size == "-1" else size for size in sizes]


def layers_of(path):
    """The layers of a file: how many there are of each type that is not judged, and the tensors of the others."""
    others, judged = collections.Counter(), collections.defaultdict(list)
    for layer in xml.etree.ElementTree.parse(path).iter("layer"):
        kind = layer.get("type"), layer.get("version")
        if kind not in JUDGED:
            others[kind] += kind[0] not in NO_LAYERS
            continue
        operator, names = JUDGED[kind]
        ports = [port for side in ("input", "output") for port in layer.iterfind(f"{side}/port")]
        names = names.split()
        chosen = ports[:len(names) - 1] + ports[-1:]  # lists of numbers are between the inputs and the output
        judged["openvino." + operator].append({name: tensor(port, port.get("precision"))
                                               for name, port in zip(names, chosen)})
    return +others, judged


class Said:
    """The same of a file as the checker says it."""

    def __init__(self):
        self.others = collections.Counter()
        self.statuses, self.tensors = collections.defaultdict(list), collections.defaultdict(list)


def ask(touchstone, paths):
    """What the checker says of each file, by its path; and its exit status."""
    told = subprocess.run([touchstone, "check", "--json", *paths], text=True, capture_output=True, check=False)
    text = subprocess.run([touchstone, "check", *paths], text=True, capture_output=True, check=False).stdout
    said = {path: Said() for path in paths}
    for result in json.loads(told.stdout):
        for layer in result.get("layers", []):
            said[result["file"]].others[layer["type"], layer["opset"]] += layer["count"]
        if "operator" in result:
            said[result["file"]].statuses[result["operator"]].append(result["status"])
    rows = None
    for line in text.splitlines():
        heading = re.match(r"(.*\.xml):[0-9]+:[0-9]+: .*: (openvino\.[a-z0-9_]+): ", line)
        row = line.split()
        if heading:
            rows = {}
            said[heading[1]].tensors[heading[2]].append(rows)
        elif rows is not None and len(row) > 1 and row[0] in ("data", "indices", "updates", "output"):
            rows[row[0]] = row[1:]
    return said, told.returncode


def problems(path, said):
    """What the checker says wrongly of a file; and how many layers it judges, and does not."""
    others, judged = layers_of(path)
    found = []
    if {kind[0].lower(): n for kind, n in others.items()} != {kind[0].lower(): n for kind, n in said.others.items()}:
        found.append(f"not judged are {dict(said.others)}, expected {dict(others)}")
    for operator in sorted(set(judged) | set(said.statuses)):
        wrong = set(said.statuses[operator]) - {"valid", "undecided"}
        if wrong:
            found.append(f"{operator}: {', '.join(sorted(wrong))}")
        if said.tensors[operator] != judged[operator]:
            found.append(f"{operator}: the checker reads {said.tensors[operator]}, the file has {judged[operator]}")
    return found, sum(map(len, judged.values())), sum(others.values())


def main():
    makers = {"nodes": node_tests, "types": index_types}
    if not 2 <= len(sys.argv) <= 3 or sys.argv[1].startswith("-") or set(sys.argv[2:]) - set(makers):
        print(__doc__)
        return 64
    wrong = 0
    counts = collections.Counter()
    for kind in sys.argv[2:] or makers:
        with tempfile.TemporaryDirectory() as folder:
            paths = list(makers[kind](folder))
            said, status = ask(sys.argv[1], paths)
            if status not in (0, 5):  # 5: there are layers beyond what is judged
                print(f"{kind}: check ends with {status}")
                wrong += 1
            for path in paths:
                found, judged, others = problems(path, said[path])
                for what in found:
                    print(f"{os.path.basename(path)}: {what}")
                wrong += len(found)
                counts[kind, "files"] += 1
                counts[kind, "layers judged"] += judged
                counts[kind, "layers not judged"] += others
                counts[kind, "files misread"] += bool(found)
            wrong += counts[kind, "files"] < 20
    for (kind, what), number in counts.items():
        print(f"{number:8} {kind}: {what}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
