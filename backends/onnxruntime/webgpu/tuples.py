# SPDX-License-Identifier: Apache-2.0
# WG-6: the WebGPU provider's ScatterND takes updates of a shape that does not fit. What GatherND and ScatterND do with
# an index out of range, an error in ONNX's text. WG-5: GatherElements with an axis beyond the rank ends the process.
import numpy as np
import onnxruntime as ort
from onnx import helper


def run(operator, indices, updates=None, **attributes):
    feeds = {"data": np.arange(6, dtype=np.float32).reshape(2, 3), "indices": np.array(indices, np.int64)}
    if updates is not None:
        feeds["updates"] = np.array(updates, np.float32)
    inputs = [helper.make_tensor_value_info(n, 7 if n == "indices" else 1, None) for n in feeds]
    node = helper.make_node(operator, list(feeds), ["out"], **attributes)
    graph = helper.make_graph([node], "g", inputs, [helper.make_tensor_value_info("out", 1, None)])
    options = ort.SessionOptions()
    options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
    options.add_provider("WebGpuExecutionProvider", {})
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    return ort.InferenceSession(model.SerializeToString(), options).run(None, feeds)[0].tolist()


print("WG-6: updates of 2 x 2 elements for one element:", run("ScatterND", [[0, 0]], [[7, 7], [7, 7]]))
print("GatherND [0,3] of 2 x 3 elements, another element:", run("GatherND", [[0, 3]]))
print("ScatterND to [0,3] of 2 x 3 elements, another element:", run("ScatterND", [[0, 3]], [7]))
print("WG-5, which ends the process:", flush=True)
print(run("GatherElements", [[0]], axis=2))
