# SPDX-License-Identifier: Apache-2.0
# Slice of [0,1,2] with the WebGPU provider. Arguments: starts, ends and steps as lists. Without them: the cases of
# What the page leaves open (once WG-2), WG-3 and WG-4, each in a process of its own.
import subprocess
import sys

import numpy as np
import onnxruntime as ort
from onnx import helper

cases = {
    "open: nothing is selected; gives an element": ([0], [2**63 - 1], [-1]),
    "WG-3: a step of 0 is an error; gives nothing": ([0], [2], [0]),
    "WG-4: there is no second axis; ends the process": ([0, 0], [1, 1], [1, 1]),
}
if len(sys.argv) == 1:
    for what, lists in cases.items():
        done = subprocess.run([sys.executable, __file__] + [str(one) for one in lists], capture_output=True, text=True)
        print(f"{what}: status {done.returncode}, {done.stdout.strip() or done.stderr.strip().splitlines()[-1][-90:]}")
    sys.exit()
names = ["data", "starts", "ends", "", "steps"]
kinds = [helper.make_tensor_value_info(n, 1 if n in ("data", "out") else 7, None) for n in names + ["out"] if n]
graph = helper.make_graph([helper.make_node("Slice", names, ["out"])], "g", kinds[:-1], kinds[-1:])
options = ort.SessionOptions()
options.add_provider("WebGpuExecutionProvider", {})
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8).SerializeToString()
lists = {name: np.array(eval(text), np.int64) for name, text in zip(("starts", "ends", "steps"), sys.argv[1:])}
print(ort.InferenceSession(model, options).run(None, {"data": np.arange(3, dtype=np.float32), **lists})[0])
