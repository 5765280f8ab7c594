# SPDX-License-Identifier: Apache-2.0
"""Run one operator in LiteRT's interpreter. Needs ai-edge-litert 2.3.0 (pip)."""
import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as s
from ai_edge_litert.interpreter import Interpreter, OpResolverType

TYPES = {"float32": s.TensorType.FLOAT32, "int32": s.TensorType.INT32}


def model(code, kind, options, inputs, constants=()):
    """The bytes of a model of one operator: its inputs are arrays, its constants lists of int32."""
    m, graph, op, c = s.ModelT(), s.SubGraphT(), s.OperatorT(), s.OperatorCodeT()
    m.version, m.operatorCodes, m.subgraphs, m.buffers, graph.tensors = 3, [c], [graph], [s.BufferT()], []
    c.builtinCode = c.deprecatedBuiltinCode = code
    for array in [*inputs, *(np.array(list_, np.int32) for list_ in constants), np.zeros((), inputs[0].dtype)]:
        t = s.TensorT()
        t.name, t.shape, t.type = f"t{len(graph.tensors)}", list(array.shape), TYPES[array.dtype.name]
        if len(inputs) <= len(graph.tensors) < len(inputs) + len(constants):
            m.buffers.append(s.BufferT())
            m.buffers[-1].data, t.buffer = np.frombuffer(array.tobytes(), np.uint8), len(m.buffers) - 1
        graph.tensors.append(t)
    last = len(graph.tensors) - 1
    graph.operators, graph.inputs, graph.outputs = [op], list(range(len(inputs))), [last]
    op.inputs, op.outputs, op.builtinOptionsType, op.builtinOptions = list(range(last)), [last], kind, options
    builder = flatbuffers.Builder(1024)
    builder.Finish(m.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def run(what, expected, *arguments, delegate=True):
    """Print what the interpreter gives, or how it refuses."""
    resolver = OpResolverType.AUTO if delegate else OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
    prepared = ""
    try:
        interpreter = Interpreter(model_content=model(*arguments), experimental_op_resolver_type=resolver)
        interpreter.allocate_tensors()
        prepared = f"shape {interpreter.get_output_details()[0]['shape'].tolist()}, then "
        for detail, array in zip(interpreter.get_input_details(), arguments[3]):
            interpreter.set_tensor(detail["index"], array)
        interpreter.invoke()
        got = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
        print(f"{what}: expected {expected}; got shape {got.shape}: {got.ravel()[:8].tolist()}")
    except (RuntimeError, ValueError) as error:
        print(f"{what}: expected {expected}; got {prepared}error: {' '.join(str(error).split())[:90]}")
