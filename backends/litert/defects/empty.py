# SPDX-License-Identifier: Apache-2.0
"""LRT-1: LiteRT's CompiledModel refuses buffers of tensors with a size of 0; the interpreter takes them."""
import ctypes
import pathlib

import ai_edge_litert


class Type(ctypes.Structure):
    """LiteRtRankedTensorType."""

    _fields_ = [("element", ctypes.c_int), ("rank", ctypes.c_uint), ("sizes", ctypes.c_int32 * 8),
                ("strides", ctypes.c_uint32 * 8)]


library = ctypes.CDLL(str(pathlib.Path(ai_edge_litert.__file__).parent / "libLiteRt.so"))
memory = ctypes.create_string_buffer(256)
aligned = ctypes.c_void_p((ctypes.addressof(memory) + 63) // 64 * 64)
buffer = ctypes.c_void_p()
for sizes in [3, 2], [0], [3, 0]:
    kind = Type(1, len(sizes), (ctypes.c_int32 * 8)(*sizes))
    arguments = ctypes.byref(kind), aligned, ctypes.c_size_t(64), None, ctypes.byref(buffer)
    print(f"a buffer of {sizes}: expected status 0; got", library.LiteRtCreateTensorBufferFromHostMemory(*arguments))
