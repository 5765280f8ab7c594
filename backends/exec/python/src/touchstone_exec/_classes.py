# SPDX-License-Identifier: Apache-2.0
"""Classes of calls: what is the same in all calls of a class is worked out once, when Touchstone asks about it."""

from __future__ import annotations

import inspect
import struct
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from touchstone_exec._operators import NUMPY_TYPES, Call, Descriptor, Registered, Rejected, Unsupported

CALL = struct.Struct("=IIQQQIIIIIIQ")  # a ts_call
TENSOR_SIZE = 304  # bytes of a ts_tensor
TENSOR_HEAD = struct.Struct("=6IQ")  # dtype, rank, given, flags, alignment, data_dependent, total_bytes
MAX_DIMS = 16
SHAPE = struct.Struct("=II16Q")  # a ts_shape

GIVEN_TENSOR = 1
CODES = {"u32": "I", "i32": "i", "i64": "q", "u8": "B", "f32": "f", "u64": "Q"}

# What a function gets for one parameter: from the memory, the offset of the tensors, that of the attributes, and the
# bits of the attributes that are given.
Source = Callable[[Any, int, int, int], Any]


class Description:
    """What Touchstone says about an operator: its tensors and attributes, a line each."""

    def __init__(self, text: str) -> None:
        self.tensors: List[Tuple[str, bool]] = []  # name, is it an output
        # name, code ("" of what is no number), count, offset, count's
        self.attributes: List[Tuple[str, str, int, int, Optional[int]]] = []
        for line in text.splitlines():
            word = line.split()
            if word[0] in ("input", "output"):
                self.tensors.append((word[1], word[0] == "output"))
            elif word[0] == "attribute":
                counted = int(word[5]) if len(word) > 5 else None
                self.attributes.append((word[1], CODES.get(word[2], ""), int(word[3]), int(word[4]), counted))


# By rank: total_bytes, data, reported, sizes, strides.
TENSORS = [
    struct.Struct(f"=24xQQQ{rank}Q{8 * (MAX_DIMS - rank)}x{rank}Q").unpack_from for rank in range(MAX_DIMS + 1)
]
RANK = struct.Struct("=I").unpack_from


def descriptor_source(index: int) -> Source:
    """The descriptor of a tensor of a call without data; None of an absent one. Calls that are only checked differ in
    types and ranks from their class."""
    at = TENSOR_SIZE * index

    def describe(memory: Any, tensors: int, attributes: int, given: int) -> Any:
        number, rank, parts, flags, alignment, _, total_bytes = TENSOR_HEAD.unpack_from(memory, tensors + at)
        if not parts & GIVEN_TENSOR:
            return None
        held = min(rank, MAX_DIMS)
        fields = TENSORS[held](memory, tensors + at)
        return Descriptor(
            ndim=rank, shape=fields[3 : 3 + held], strides=fields[3 + held :], dtype=NUMPY_TYPES.get(number),
            number=number, given=parts, flags=flags, alignment=alignment, total_bytes=total_bytes,
        )

    return describe


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
    """The tensors of a list, without absent ones behind the last that a call has."""

    def tensors(*place: Any) -> Any:
        given = [member(*place) for member in members]
        while given and given[-1] is None:
            given.pop()
        return given

    return tensors


def attribute_source(bit: int, code: str, count: int, offset: int, counted: Optional[int]) -> Source:
    """An attribute: a number, a tuple of numbers, or None where it is absent."""
    if counted is None and count > 1:  # a record of so many
        unpack_all = struct.Struct(f"={count}{code}").unpack_from
        return lambda memory, tensors, attributes, given: (
            unpack_all(memory, attributes + offset) if given >> bit & 1 else None
        )
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
    """A class of calls of one operator, with the sources of the parameters of its functions."""

    def __init__(self, chosen: Registered, call: Call, description: Description) -> None:
        self.op = call.op
        self.description = description
        self.output = -1  # the first output
        for index, (_, is_output) in enumerate(description.tensors):
            if is_output and self.output < 0 and call.dtypes[index] != 0:
                self.output = index
                self.output_source = tensor_source(index, NUMPY_TYPES[call.dtypes[index]])

        def array(index: int) -> Optional[Source]:
            return tensor_source(index, NUMPY_TYPES[call.dtypes[index]]) if call.dtypes[index] else None

        self.function = chosen.function
        self.sources = self._sources(chosen.function, call, array)
        self.accepts = chosen.accepts
        if chosen.accepts is not None:
            self.described = self._sources(chosen.accepts, call, descriptor_source)

    def _sources(
        self, function: Callable[..., Any], call: Call, tensor: Callable[[int], Optional[Source]]
    ) -> List[Source]:
        """What a function gets for its parameters; tensor: the source of a tensor, None where the class has none."""
        named: Dict[str, Source] = {"call": lambda *unused: call}
        for bit, attribute in enumerate(self.description.attributes):
            if attribute[1]:
                named[attribute[0]] = attribute_source(bit, *attribute[1:])
        lists: Dict[str, List[Source]] = {}
        for index, (name, _) in enumerate(self.description.tensors):
            source = tensor(index)
            if "[" in name:
                listed = lists.setdefault(name[: name.index("[")], [])
                if source is not None:
                    listed.append(source)
            else:
                named[name] = source if source is not None else lambda *unused: None
        for name, members in lists.items():
            named[name] = list_source(members)
        parameters = inspect.signature(function).parameters
        unknown = [name for name in parameters if name not in named]
        if unknown:
            raise TypeError(f"{self.op} has no {', '.join(unknown)}; it has {', '.join(named)}")
        return [named[name] for name in parameters]

    def execute(self, memory: Any, tensors: int, attributes: int, given: int) -> Any:
        """Execute a call: what the function returned, for `finish`."""
        return self.function(*[source(memory, tensors, attributes, given) for source in self.sources])

    def ask(self, memory: Any, tensors: int, attributes: int, given: int) -> Any:
        """Ask `accepts` about a call without data: what it returned, for `answer`. No one else may answer it."""
        if self.accepts is None:
            raise Unsupported(f"@operator('{self.op}') has no accepts, which answers calls without data")
        return self.accepts(*[source(memory, tensors, attributes, given) for source in self.described])

    def answer(self, result: Any, memory: Any, tensors: int, attributes: int, given: int) -> bool:
        """Is the call accepted by what `accepts` returned? A shape is reported; the output has to have it."""
        if isinstance(result, (bool, np.bool_)):
            return bool(result)
        if not isinstance(result, tuple):
            raise TypeError(f"accepts returned {result!r}; expected True, False or the shape of the output, a tuple")
        if len(result) > MAX_DIMS:
            raise Rejected(f"the shape inferred is {result}")
        if self.output < 0:
            return True
        self._report(result, memory, tensors)
        _, rank, _, _, _, dependent, _ = TENSOR_HEAD.unpack_from(memory, tensors + TENSOR_SIZE * self.output)
        if rank > MAX_DIMS:
            return False
        return fits(result, TENSORS[rank](memory, tensors + TENSOR_SIZE * self.output)[3 : 3 + rank], dependent)

    def _report(self, shape: Tuple[int, ...], memory: Any, tensors: int) -> None:
        """Report the shape of the output, where the call has a place for it."""
        offset = struct.unpack_from("=Q", memory, tensors + TENSOR_SIZE * self.output + 40)[0]
        if offset:
            SHAPE.pack_into(memory, offset, len(shape), 0, *shape, *[0] * (MAX_DIMS - len(shape)))

    def finish(self, result: Any, memory: Any, tensors: int, attributes: int, given: int) -> bool:
        """Store what the function returned. False where it is an array of another shape than the output's, unless that
        depends on data: then the array lies packed at the start of the memory."""
        if result is None:
            return True
        output = self.output_source(memory, tensors, attributes, given)
        self._report(tuple(result.shape), memory, tensors)
        if result.shape != output.shape:
            if not fits(result.shape, output.shape, RANK(memory, tensors + TENSOR_SIZE * self.output + 20)[0]):
                return False
            data = struct.unpack_from("=Q", memory, tensors + TENSOR_SIZE * self.output + 32)[0]
            output = np.ndarray(result.shape, output.dtype, memory, data)
        output[...] = result
        return True
