# SPDX-License-Identifier: Apache-2.0
# WG-7: two sessions of the same options: the release of the second one ends the process.
import onnxruntime as ort
from onnx import TensorProto, helper

tensors = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("data", "output")]
graph = helper.make_graph([helper.make_node("Identity", ["data"], ["output"])], "g", tensors[:1], tensors[1:])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8).SerializeToString()
options = ort.SessionOptions()
options.add_provider("WebGpuExecutionProvider", {})
first = ort.InferenceSession(model, options)
second = ort.InferenceSession(model, options)
del first
print("the first session is released", flush=True)
del second
print("the second session is released", flush=True)
