#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""onnx-corpus.py DIR [--every N]

Checks a corpus that `touchstone export --format onnx` wrote, with the Python packages onnx and (if it is installed)
onnxruntime: every file has the SHA-256 of the manifest, every model of a case with outputs passes onnx.checker, and of
every Nth case (default 1), each runtime gives the expected bits, or refuses what has to be refused: onnx.checker with
its shape inference, onnx.reference, or ONNX Runtime. Prints each disagreement, and the counts.

Exit status: 0 no disagreement; 1 there are some, or a file is not that of the manifest; 64 wrong usage; 77 onnx is not
installed.
"""
import argparse
import os
import sys

from corpus import Corpus, same

try:
    import onnx
    from onnx import numpy_helper
    from onnx.reference import ReferenceEvaluator
except ImportError as missing:
    print(f"{missing}")
    sys.exit(77)
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
try:
    import onnxruntime
    onnxruntime.set_default_logger_severity(4)
except ImportError:
    onnxruntime = None


def tensor_of(path):
    tensor = onnx.TensorProto()
    with open(path, "rb") as file:
        tensor.ParseFromString(file.read())
    return tensor


def case_of(folder, files):
    """The model, its inputs by name, and the expected output or None."""
    model = onnx.load(os.path.join(folder, "model.onnx"))
    inputs = [name for name in files if "/input_" in name]
    given = {}
    for value, number in zip(model.graph.input, range(len(inputs))):
        tensor = tensor_of(os.path.join(folder, f"test_data_set_0/input_{number}.pb"))
        assert tensor.name == value.name, f"input {number} is {tensor.name}, not {value.name}"
        given[value.name] = numpy_helper.to_array(tensor)
    output = "test_data_set_0/output_0.pb"
    return model, given, numpy_helper.to_array(tensor_of(os.path.join(folder, output))) if output in files else None


def by_reference(model, given):
    return ReferenceEvaluator(model).run(None, given)[0]


def by_runtime(model, given):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    if any(array.dtype.name == "bfloat16" for array in given.values()):
        raise NotImplementedError("Python's interface has no bfloat16")
    return session.run(None, given)[0]


def judge(case, model, given, expected, runtimes):
    """What each runtime says: None, or in words what is wrong."""
    said = {}
    if expected is None:
        refusals = []
        for name, run in [("checker", lambda m, g: onnx.checker.check_model(m, full_check=True))] + runtimes:
            try:
                run(model, given)
            except Exception:  # whatever a library raises is a refusal
                refusals.append(name)
        said["refusals"] = None if refusals else "is accepted by all"
        return said, refusals
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception as problem:
        said["checker"] = f"refuses it: {str(problem).splitlines()[0]}"
    for name, run in runtimes:
        try:
            got = run(model, given)
        except NotImplementedError:
            said[name] = "skipped"
            continue
        except Exception as problem:
            said[name] = f"fails: {str(problem).splitlines()[0]}"
            continue
        said[name] = None if same(got, expected) else f"gives {got.dtype}{list(got.shape)}, other than expected"
    return said, []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--every", type=int, default=1)
    chosen = parser.parse_args()
    corpus = Corpus(chosen.folder)
    runtimes = [("reference", by_reference)] + ([("runtime", by_runtime)] if onnxruntime else [])
    for case, folder in corpus.cases(chosen.every):
        model, given, expected = case_of(folder, case["files"])
        assert (expected is None) == (case["expect"] == "refuse"), case["id"]
        said, refusals = judge(case, model, given, expected, runtimes)
        for name in refusals:
            corpus.count(name, "refuses")
        corpus.judge(case, said)
    return corpus.end()


if __name__ == "__main__":
    sys.exit(main())
