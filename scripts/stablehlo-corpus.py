#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""stablehlo-corpus.py DIR [--every N]

Checks a corpus that `touchstone export --format stablehlo` wrote, with the Python package jaxlib: every file has the
SHA-256 of the manifest, and of every Nth case (default 1), MLIR parses and verifies the module, and StableHLO's
reference interpreter and XLA on the CPU give the expected bits. Prints each disagreement, and the counts.

Neither of them knows check.expect_eq: they execute the module with a @main that returns the two tensors instead.

Exit status: 0 no disagreement; 1 there are some, or a file is not that of the manifest; 64 wrong usage; 77 jaxlib is
not installed.
"""
import argparse
import os
import re
import sys

from corpus import Corpus, same

try:
    import numpy
    from jaxlib import xla_client
    from jaxlib.mlir import ir
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext
    from jaxlib.mlir.dialects import stablehlo
except ImportError as missing:
    print(f"{missing}")
    sys.exit(77)

CHECK = re.compile(r'^ *"check.expect_eq"\((.*)\) : \((.*)\) -> \(\)\n *return$', re.MULTILINE)
MAIN = "func.func @main() {"


def parse(text):
    module = ir.Module.parse(text)
    module.operation.verify()
    return module


def returning(text):
    """The module whose @main returns what it compares; of bfloat16, which numpy does not have, the bits."""
    [(values, types)] = CHECK.findall(text)
    assert MAIN in text
    bits = types.replace("bf16", "i16")
    lines = []
    if bits != types:
        for value, type_, to in zip(values.split(", "), types.split(", "), bits.split(", ")):
            lines.append(f"    {value}_bits = stablehlo.bitcast_convert {value} : ({type_}) -> {to}")
        values = values.replace(",", "_bits,") + "_bits"
    lines.append(f"    return {values} : {bits}")
    return CHECK.sub("\n".join(lines), text).replace(MAIN, f"func.func @main() -> ({bits}) {{")


def by_interpreter(module):
    return [numpy.array(value) for value in stablehlo.eval_module(module, [])]


def by_xla(module, client=[]):
    client = client or client.append(xla_client.make_cpu_client()) or client
    devices = xla_client.DeviceList(tuple(client[0].local_devices()[:1]))
    program = client[0].compile_and_load(str(module).encode(), devices, xla_client.CompileOptions())
    return [numpy.asarray(value[0]) for value in program.execute_sharded([]).disassemble_into_single_device_arrays()]


def judge(text):
    """What MLIR and each runtime say: None, or in words what is wrong."""
    said = {"parser": None}
    try:
        parse(text)
        module = parse(returning(text))
    except ir.MLIRError as problem:
        return {"parser": f"refuses it: {str(problem).splitlines()[0:2]}"}
    for name, run in [("interpreter", by_interpreter), ("xla", by_xla)]:
        try:
            got, expected = run(module)
        except Exception as problem:  # whatever a library raises
            said[name] = f"fails: {str(problem).splitlines()[0]}"
            continue
        said[name] = None if same(got, expected) else f"gives {got.tolist()}, expected {expected.tolist()}"
    return said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--every", type=int, default=1)
    chosen = parser.parse_args()
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    corpus = Corpus(chosen.folder)
    with ir.Context() as context:
        context.append_dialect_registry(registry)
        stablehlo.register_dialect(context)
        context.allow_unregistered_dialects = True
        with ir.Location.unknown():
            for case, folder in corpus.cases(chosen.every):
                [name] = case["files"]
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    corpus.judge(case, judge(file.read()))
    return corpus.end()


if __name__ == "__main__":
    sys.exit(main())
