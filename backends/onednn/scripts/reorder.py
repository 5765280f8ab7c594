# SPDX-License-Identifier: Apache-2.0
# oneDNN's reorder between two tensors of one type changes bits (DNN-1, DNN-2). Argument: libdnnl.so, version 3.
import ctypes as c
import sys

dnnl = c.CDLL(sys.argv[1])
engine, stream, pd, primitive = (c.c_void_p() for _ in range(4))
dnnl.dnnl_engine_create(c.byref(engine), 1, c.c_size_t(0))
dnnl.dnnl_stream_create(c.byref(stream), engine, 1)
Argument = type("Argument", (c.Structure,), {"_fields_": [("arg", c.c_int), ("memory", c.c_void_p)]})


def reorder(what, kind, element, values, sizes, strides):
    buffers = [(element * len(values))(*numbers) for numbers in (values, [0] * len(values))]
    descs, memories, list_of = (c.c_void_p * 2)(), (c.c_void_p * 2)(), c.c_int64 * len(sizes)
    for i, steps in enumerate(strides):
        desc, memory = c.byref(descs, i * 8), c.byref(memories, i * 8)
        dnnl.dnnl_memory_desc_create_with_strides(desc, len(sizes), list_of(*sizes), kind, list_of(*steps))
        dnnl.dnnl_memory_create(memory, c.c_void_p(descs[i]), engine, buffers[i])
    two = c.c_void_p(descs[0]), engine, c.c_void_p(descs[1]), engine
    dnnl.dnnl_reorder_primitive_desc_create(c.byref(pd), *two, None)
    dnnl.dnnl_primitive_create(c.byref(primitive), pd)
    dnnl.dnnl_primitive_execute(primitive, stream, 2, (Argument * 2)((1, memories[0]), (17, memories[1])))
    dnnl.dnnl_stream_wait(stream)
    print(what, [hex(x) for x in buffers[0]], "->", [hex(x) for x in buffers[1]])


reorder("FLOAT16", 1, c.c_uint16, [0x3C00, 0x8000, 0x7C01], [3], [[1], [1]])
for what, stride in ("INT32, a stride of 2^31", 2**31), ("INT32, packed, after it", 1):
    reorder(what, 4, c.c_uint32, [0x5E75DA5E, 1, 2, 3], [2, 2, 1], [[2, 1, stride], [2, 1, 1]])
