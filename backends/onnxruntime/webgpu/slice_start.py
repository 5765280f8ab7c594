# SPDX-License-Identifier: Apache-2.0
# WG-1: with a negative step, the WebGPU provider's Slice ignores its start. Compares it with NumPy in a small space.
import itertools

import numpy as np
import onnxruntime as ort
from onnx import helper

names = ["data", "starts", "ends", "axes", "steps"]
inputs = [helper.make_tensor_value_info(n, 1 if n == "data" else 7, None) for n in names]
output = helper.make_tensor_value_info("output", 1, None)
graph = helper.make_graph([helper.make_node("Slice", names, ["output"])], "slice", inputs, [output])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
options = ort.SessionOptions()
options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
options.add_provider("WebGpuExecutionProvider", {})
session = ort.InferenceSession(model.SerializeToString(), options)

for sign in (1, -1):
    calls = wrong = 0
    for size, start, end, step in itertools.product(range(1, 7), range(6), range(6), (1, 2, 3)):
        data = np.arange(size, dtype=np.float32)
        lists = [np.array([value], np.int64) for value in (start, end, 0, sign * step)]
        found = session.run(None, dict(zip(names, [data] + lists)))[0]
        calls += 1
        wrong += not np.array_equal(found, data[start : end : sign * step])
    print(f"step {'> 0' if sign > 0 else '< 0'}: {wrong} of {calls} calls are wrong")
feeds = [np.arange(5, dtype=np.float32)] + [np.array([value]) for value in (3, 0, 0, -1)]
print("[0,1,2,3,4][3:0:-1] gives", session.run(None, dict(zip(names, feeds)))[0])
