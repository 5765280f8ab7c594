# SPDX-License-Identifier: Apache-2.0
# DepthToSpace with blocks of 2 x 2 of 9 channels, which they do not divide: WG-9. The CPU provider refuses them.
import numpy as np
import onnxruntime as ort
from onnx import helper

kinds = [helper.make_tensor_value_info(name, 1, ["n", "c", "h", "w"]) for name in ("data", "out")]
graph = helper.make_graph([helper.make_node("DepthToSpace", ["data"], ["out"], blocksize=2)], "g", kinds[:1], kinds[1:])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8).SerializeToString()
data = np.arange(9, dtype=np.float32).reshape(1, 9, 1, 1)
for provider in "CPUExecutionProvider", "WebGpuExecutionProvider":
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.add_provider(provider, {})
    try:
        print(provider, ort.InferenceSession(model, options).run(None, {"data": data})[0].tolist())
    except Exception as refusal:
        print(provider, "refuses:", str(refusal).splitlines()[0][-90:])
