# SPDX-License-Identifier: Apache-2.0
"""Classes of calls: what is the same in all calls of a class is worked out once, when Touchstone asks about it."""

from __future__ import annotations

import struct
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from touchstone_exec._operators import NUMPY_TYPES, Call, Registered, Unsupported

CALL = struct.Struct("=IIQQQIIIIIIQ")  # a ts_call
TENSOR_SIZE = 304  # bytes of a ts_tensor
TENSOR_HEAD = struct.Struct("=6IQ")  # dtype, rank, given, flags, alignment, data_dependent, total_bytes
MAX_DIMS = 16
SHAPE = struct.Struct("=II16Q")  # a ts_shape

GIVEN_TENSOR = 1
CODES = {"u32": "I", "i32": "i", "i64": "q", "u8": "B"}

# What a function gets for one parameter: from the memory, the offset of the tensors, that of the attributes, and the
# bits of the attributes that are given.
Source = Callable[[Any, int, int, int], Any]


class Description:
    """What Touchstone says about an operator: its tensors and attributes, a line each."""

    def __init__(self, text: str) -> None:
        self.tensors: List[Tuple[str, bool]] = []  # name, is it an output
        self.attributes: List[Tuple[str, str, int, int, Optional[int]]] = []  # name, code, count, offset, count's
        for line in text.splitlines():
            word = line.split()
            if word[0] in ("input", "output"):
                self.tensors.append((word[1], word[0] == "output"))
            elif word[0] == "attribute":
                counted = int(word[5]) if len(word) > 5 else None
                self.attributes.append((word[1], CODES[word[2]], int(word[3]), int(word[4]), counted))


# By rank: total_bytes, data, reported, sizes, strides.
TENSORS = [
    struct.Struct(f"=24xQQQ{rank}Q{8 * (MAX_DIMS - rank)}x{rank}Q").unpack_from for rank in range(MAX_DIMS + 1)
]
RANK = struct.Struct("=I").unpack_from


def tensor_source(index: int, dtype: Any) -> Source:
    """The view of a tensor of this type. It needs no copy, whatever the strides are."""
    at = TENSOR_SIZE * index
    size = dtype.itemsize
    ndarray = np.ndarray

    def view(memory: Any, tensors: int, attributes: int, given: int) -> Any:
        at_tensor = tensors + at
        rank = RANK(memory, at_tensor + 4)[0]
        fields = TENSORS[rank](memory, at_tensor)
        strides = tuple([stride * size for stride in fields[3 + rank :]])
        try:
            return ndarray(fields[3 : 3 + rank], dtype, memory, fields[1], strides)
        except ValueError as error:  # NumPy refuses sizes whose product is too large, even if one of them is 0
            raise Unsupported from error

    return view


def list_source(members: List[Source]) -> Source:
    """The views of the tensors of a list that a call has."""
    return lambda *place: [member(*place) for member in members]


def attribute_source(bit: int, code: str, count: int, offset: int, counted: Optional[int]) -> Source:
    """An attribute: a number, a tuple of numbers, or None where it is absent."""
    if counted is None:
        unpack_one = struct.Struct("=" + code).unpack_from

        def scalar(memory: Any, tensors: int, attributes: int, given: int) -> Any:
            return unpack_one(memory, attributes + offset)[0] if given >> bit & 1 else None

        return scalar
    unpack_count = struct.Struct("=I").unpack_from
    unpacks = [struct.Struct(f"={n}{code}").unpack_from for n in range(count + 1)]

    def array(memory: Any, tensors: int, attributes: int, given: int) -> Any:
        if not given >> bit & 1:
            return None
        n = unpack_count(memory, attributes + counted)[0]
        return unpacks[n if n < count else count](memory, attributes + offset)

    return array


def fits(shape: Tuple[int, ...], largest: Tuple[int, ...], dependent: int) -> bool:
    """Does a shape differ from the largest one in dimensions alone whose size depends on data, a bit each?"""
    return len(shape) == len(largest) and all(
        size == most or (size < most and dependent >> k & 1) for k, (size, most) in enumerate(zip(shape, largest))
    )


class CallClass:
    """A class of calls of one operator, with the sources of the parameters of its function."""

    def __init__(self, chosen: Registered, call: Call, description: Description) -> None:
        named: Dict[str, Source] = {"call": lambda *unused: call}
        for bit, attribute in enumerate(description.attributes):
            named[attribute[0]] = attribute_source(bit, *attribute[1:])
        self.output = -1  # the first output
        lists: Dict[str, List[Source]] = {}
        for index, (name, is_output) in enumerate(description.tensors):
            listed = lists.setdefault(name[: name.index("[")], []) if "[" in name else None
            if call.dtypes[index] == 0:
                if listed is None:
                    named[name] = lambda *unused: None
                continue
            source = tensor_source(index, NUMPY_TYPES[call.dtypes[index]])
            if listed is None:
                named[name] = source
            else:
                listed.append(source)
            if is_output and self.output < 0:
                self.output = index
                self.output_source = source
        for name, members in lists.items():
            named[name] = list_source(members)
        unknown = [name for name in chosen.parameters if name not in named]
        if unknown:
            raise TypeError(f"{call.op} has no {', '.join(unknown)}; it has {', '.join(named)}")
        self.function = chosen.function
        self.sources = [named[name] for name in chosen.parameters]

    def execute(self, memory: Any, tensors: int, attributes: int, given: int) -> Any:
        """Execute a call: what the function returned, for `finish`."""
        return self.function(*[source(memory, tensors, attributes, given) for source in self.sources])

    def finish(self, result: Any, memory: Any, tensors: int, attributes: int, given: int) -> bool:
        """Store what the function returned. False where it is an array of another shape than the output's, unless that
        depends on data: then the array lies packed at the start of the memory."""
        if result is None:
            return True
        output = self.output_source(memory, tensors, attributes, given)
        reported = TENSOR_SIZE * self.output + 40
        offset = struct.unpack_from("=Q", memory, tensors + reported)[0]
        if offset:
            shape = tuple(result.shape) + (0,) * (MAX_DIMS - result.ndim)
            SHAPE.pack_into(memory, offset, result.ndim, 0, *shape)
        if result.shape != output.shape:
            if not fits(result.shape, output.shape, RANK(memory, tensors + TENSOR_SIZE * self.output + 20)[0]):
                return False
            data = struct.unpack_from("=Q", memory, tensors + TENSOR_SIZE * self.output + 32)[0]
            output = np.ndarray(result.shape, output.dtype, memory, data)
        output[...] = result
        return True
