# SPDX-License-Identifier: Apache-2.0
# oneDNN's reorder between two tensors of one type changes bits (DNN-1 to DNN-3). Argument: libdnnl.so, version 3.
import ctypes as c
import sys

dnnl = c.CDLL(sys.argv[1])
engine, stream, pd, primitive = (c.c_void_p() for _ in range(4))
dnnl.dnnl_engine_create(c.byref(engine), 1, c.c_size_t(0))
dnnl.dnnl_stream_create(c.byref(stream), engine, 1)
Argument = type("Argument", (c.Structure,), {"_fields_": [("arg", c.c_int), ("memory", c.c_void_p)]})


def reorder(what, kind, element, values, sizes, strides):
    buffers = [(element * len(values))(*numbers) for numbers in (values, [0] * len(values))]
    descs, memories = (c.c_void_p * 2)(), (c.c_void_p * 2)()
    for i, steps in enumerate(strides):
        lists = (c.c_int64 * len(sizes))(*sizes), kind, (c.c_int64 * len(sizes))(*steps)
        dnnl.dnnl_memory_desc_create_with_strides(c.byref(descs, i * 8), len(sizes), *lists)
        dnnl.dnnl_memory_create(c.byref(memories, i * 8), c.c_void_p(descs[i]), engine, buffers[i])
    ends = c.c_void_p(descs[0]), engine, c.c_void_p(descs[1]), engine
    dnnl.dnnl_reorder_primitive_desc_create(c.byref(pd), *ends, None)
    dnnl.dnnl_primitive_create(c.byref(primitive), pd)
    dnnl.dnnl_primitive_execute(primitive, stream, 2, (Argument * 2)((1, memories[0]), (17, memories[1])))
    print(what, [hex(x) for x in buffers[0]], "->", [hex(x) for x in buffers[1]])


reorder("FLOAT16", 1, c.c_uint16, [0x3C00, 0x8000, 0x7C01], [3], [[1], [1]])
reorder("FLOAT32, a stride of 2^31", 3, c.c_uint32, [2**31, 0x7F800001], [2, 1], [[1, 2**31], [1, 1]])
reorder("INT32, a stride of 2^31", 4, c.c_uint32, [0x5E75DA5E, 1], [2, 1], [[1, 2**31], [1, 1]])
reorder("INT32, packed, after it", 4, c.c_uint32, [0x5E75DA5E, 1], [2, 1], [[1, 1], [1, 1]])
