# SPDX-License-Identifier: Apache-2.0
"""The operators in terms of arrays that are indexed as NumPy's: for libraries whose arrays follow NumPy.

A library is a subclass of Arrays that overrides what it has of its own. Arrays itself is NumPy.
"""

from __future__ import annotations

import functools
from typing import Any, Callable, List, Optional, Sequence, Tuple

import numpy as np

from touchstone_exec._operators import DTYPES, Descriptor, Rejected, Unsupported, operator

BFLOAT16 = DTYPES["BFLOAT16"][0]  # the data type that NumPy has not got
DML = "dml."
OPENVINO = "openvino."
COMPLETE = 7  # TS_GIVEN_ALL: no pointer of the descriptor is null
# Of these a library decides by shapes and attributes: there are no indices, which are data. IDENTITY asks it nothing.
DECIDED_BY_SHAPES = {"dml.slice1", "dml.join", "dml.space_to_depth", "dml.space_to_depth1", "dml.depth_to_space",
                     "dml.depth_to_space1", "openvino.strided_slice"}


class Arrays:
    """NumPy. What a method returns and takes is an array of the library, but indices, which are arrays of NumPy."""

    #: The module that has take_along_axis, concatenate, moveaxis and transpose, and argwhere if the library has it.
    module: Any = np
    #: The names of the data types (touchstone_exec.DTYPES) that the library has.
    dtypes: Optional[Sequence[str]] = None
    #: Has it arrays of BFLOAT16? Else `of` makes one of 16-bit integers, which have its bits.
    has_bfloat16 = False
    #: Can it be asked without data? `of` then makes an array that has none of a Descriptor.
    asks = False
    #: The exceptions by which it refuses a call.
    errors: Tuple[Any, ...] = (ValueError, IndexError, TypeError, OverflowError, RuntimeError, MemoryError)

    def of(self, view: Any, dtype: int) -> Any:
        """The array of a NumPy view; dtype is that of the tensor (backend.h), since NumPy has no BFLOAT16."""
        return view

    def ask(self, function: Callable[[], Any], tensors: Sequence[Descriptor]) -> Any:
        """Call a function of arrays that `of` made of Descriptors, if `asks`: nothing of them is computed.

        tensors: all that the call has.
        """
        return function()

    def store(self, output: Any, array: Any, dtype: int) -> None:
        """Copy an array of the shape of `output`, a NumPy view, to it."""
        output[...] = array

    def take(self, array: Any, indices: Any, axis: int) -> Any:
        return array[(slice(None),) * axis + (indices,)]  # np.take copies all of an array with strides first

    def take_along_axis(self, array: Any, indices: Any, axis: int) -> Any:
        return self.module.take_along_axis(array, indices, axis)

    def put_along_axis(self, array: Any, indices: Any, values: Any, axis: int) -> Any:
        """A copy of the array with other elements."""
        changed = array.copy()
        np.put_along_axis(changed, indices, values, axis)
        return changed

    def put(self, array: Any, index: Tuple[Any, ...], values: Any) -> Any:
        """A copy of the array with array[index] = values."""
        changed = array.copy()
        changed[index] = values
        return changed

    def get(self, array: Any, index: Tuple[Any, ...]) -> Any:
        return array[index]

    def concatenate(self, arrays: List[Any], axis: int) -> Any:
        return self.module.concatenate(arrays, axis)

    def moveaxis(self, array: Any, source: int, destination: int) -> Any:
        return self.module.moveaxis(array, source, destination)

    def reshape(self, array: Any, shape: Tuple[int, ...]) -> Any:
        return array.reshape(shape)

    def transpose(self, array: Any, axes: Tuple[int, ...]) -> Any:
        return self.module.transpose(array, axes)

    def space_to_depth(self, array: Any, block: int, columns_first: bool) -> Any:
        """Blocks of height and width as channels: row, column, channel, or (`columns_first`) channel, row, column."""
        batches, channels, height, width = array.shape
        rows, columns = height // block, width // block
        blocks = self.reshape(array, (batches, channels, rows, block, columns, block))
        moved = self.transpose(blocks, (0, 1, 3, 5, 2, 4) if columns_first else (0, 3, 5, 1, 2, 4))
        return self.reshape(moved, (batches, channels * block * block, rows, columns))

    def depth_to_space(self, array: Any, block: int, columns_first: bool) -> Any:
        """The inverse of space_to_depth."""
        batches, depth, rows, columns = array.shape
        channels = depth // (block * block)
        parts = (channels, block, block) if columns_first else (block, block, channels)
        blocks = self.reshape(array, (batches, *parts, rows, columns))
        moved = self.transpose(blocks, (0, 1, 4, 2, 5, 3) if columns_first else (0, 3, 4, 1, 5, 2))
        return self.reshape(moved, (batches, channels, rows * block, columns * block))


def inside(indices: Any, count: int) -> Any:
    """Which indices (a NumPy array) lie in a dimension of `count` elements; negative ones count from its end."""
    return (indices >= -count) & (indices < count)


def bounded(indices: Any, count: int) -> Any:
    """The indices, of the same type, with those outside replaced by 0: a library may read anywhere for them."""
    within = inside(indices, count)
    if count == 0 and indices.size > 0:
        raise Rejected("an index into a dimension without elements")
    return indices if within.all() else np.where(within, indices, np.zeros((), indices.dtype))


def strided_slice_index(rank: int, shape: Sequence[int], attributes: Sequence[Any], numpy: bool) -> Tuple[Any, ...]:
    """The index of StridedSlice: begin, end, stride, and the masks of begin, end, new axis, shrink axis and ellipsis."""
    begin, end, stride = attributes[:3]
    count = len(begin)

    def bits(mask: Any) -> List[bool]:  # what a shorter mask does not have is 0
        return [bool(mask[i]) if mask is not None and i < len(mask) else False for i in range(count)]

    begins, ends, news, shrinks, ellipses = (bits(mask) for mask in attributes[3:8])
    consumed = sum(1 for i in range(count) if not ellipses[i] and not news[i])
    index: List[Any] = []
    axis = 0
    for i in range(count):
        if ellipses[i]:
            index.append(Ellipsis)
            axis += rank - consumed
        elif news[i]:
            index.append(None)
        elif shrinks[i]:
            index.append(begin[i])
            axis += 1
        else:
            step = 1 if stride is None else stride[i]
            first = None if begins[i] else begin[i]
            if first is not None and step < 0 and first < -shape[axis] and not numpy:
                first = 0  # OpenVINO clamps the begin of a negative stride into the dimension
            index.append(slice(first, None if ends[i] else end[i], step))
            axis += 1
    return tuple(index)


def counted(tensor: Any, count: int) -> Tuple[int, ...]:
    """The last `count` sizes of a tensor, where the others are 1."""
    first = tensor.ndim - count
    if any(size != 1 for size in tensor.shape[:first]):
        raise Rejected("sizes that do not count are not 1")
    return tensor.shape[first:]


def _positions(indices: Any, batch: int, rest: int) -> List[Any]:
    """For each of `batch` dimensions its positions. The indices have `rest` dimensions more.

    The positions have the type of the indices, if it holds them.
    """
    dtype = indices.dtype if indices.dtype.itemsize >= 4 else np.dtype(np.int32)
    return [
        np.arange(n, dtype=dtype).reshape((n,) + (1,) * (batch - 1 - i + rest))
        for i, n in enumerate(indices.shape[:batch])
    ]


class Operators:
    """The operators of a library."""

    def __init__(self, library: Arrays) -> None:
        self.library = library

    def _store(self, output: Any, array: Any, dtype: int) -> Any:
        """Store what the library computed. An array of another shape is reported: only its shape is read. Of an output
        that is a Descriptor, nothing but the shape is asked for."""
        if isinstance(output, Descriptor):
            return tuple(array.shape)
        if tuple(array.shape) != output.shape:
            return np.broadcast_to(np.zeros((), output.dtype), tuple(array.shape))
        self.library.store(output, array, dtype)
        return None

    def _batched(self, data: Any, indices: Any, axis: int, batch: int) -> Any:
        """Gather along an axis behind `batch` dimensions that data and indices have in common; data is an array."""
        library = self.library
        if batch == 0:
            return library.take(data, indices, axis)
        # Dimensions: batch, axis, outer, inner; index arrays for the first ones stand side by side.
        front = library.moveaxis(data, axis, batch)
        rest = indices.ndim - batch
        index = _positions(indices, batch, rest)
        gathered = library.get(front, tuple(index) + (indices,))
        for i in range(axis - batch):  # the outer dimensions back to their place
            gathered = library.moveaxis(gathered, batch + rest + i, batch + i)
        return gathered

    def _tuples(self, shape: Sequence[int], indices: Any, batch: int) -> Tuple[Any, ...]:
        """The index arrays of tuples of indices, the last dimension of a NumPy array, behind `batch` dimensions."""
        rest = indices.ndim - 1 - batch
        index = _positions(indices, batch, rest)
        return tuple(index) + tuple(bounded(indices[..., k], shape[batch + k]) for k in range(indices.shape[-1]))

    def identity(self, InputTensor, OutputTensor, call):
        return self._store(OutputTensor, self.library.of(InputTensor, call.dtypes[0]), call.dtypes[0])

    def slice1(self, InputTensor, InputWindowOffsets, InputWindowSizes, InputWindowStrides, OutputTensor, call):
        library = self.library
        window = tuple([slice(o, o + s) for o, s in zip(InputWindowOffsets, InputWindowSizes)])
        steps = tuple([slice(None, None, s) for s in InputWindowStrides])
        sampled = library.get(library.get(library.of(InputTensor, call.dtypes[0]), window), steps)
        if tuple(sampled.shape) != OutputTensor.shape:  # an output may have less than all samples
            sampled = library.get(sampled, tuple([slice(n) for n in OutputTensor.shape]))
        return self._store(OutputTensor, sampled, call.dtypes[0])

    def join(self, InputTensors, Axis, OutputTensor, call):
        library = self.library
        arrays = [library.of(one, call.dtypes[0]) for one in InputTensors]
        return self._store(OutputTensor, library.concatenate(arrays, Axis), call.dtypes[0])

    # Order: DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH is 1, and the operators without it have the other one.
    def space_to_depth(self, InputTensor, BlockSize, OutputTensor, call):
        return self.space_to_depth1(InputTensor, BlockSize, 0, OutputTensor, call)

    def space_to_depth1(self, InputTensor, BlockSize, Order, OutputTensor, call):
        data = self.library.of(InputTensor, call.dtypes[0])
        return self._store(OutputTensor, self.library.space_to_depth(data, BlockSize, Order == 1), call.dtypes[0])

    def depth_to_space(self, InputTensor, BlockSize, OutputTensor, call):
        return self.depth_to_space1(InputTensor, BlockSize, 0, OutputTensor, call)

    def depth_to_space1(self, InputTensor, BlockSize, Order, OutputTensor, call):
        data = self.library.of(InputTensor, call.dtypes[0])
        return self._store(OutputTensor, self.library.depth_to_space(data, BlockSize, Order == 1), call.dtypes[0])

    def gather(self, InputTensor, IndicesTensor, Axis, IndexDimensions, OutputTensor, call):
        library = self.library
        indices = bounded(IndicesTensor[(0,) * (InputTensor.ndim - IndexDimensions)], InputTensor.shape[Axis])
        gathered = library.take(library.of(InputTensor, call.dtypes[0]), indices, Axis)
        # The output has the dimensions of the input: the first ones are dropped, and have to be 1.
        return self._store(OutputTensor, library.reshape(gathered, OutputTensor.shape), call.dtypes[0])

    @staticmethod
    def _part(tensor: Any, like: Any, axis: int) -> Any:
        """The part of the tensor whose other dimensions are as large as those of `like`."""
        return tensor[tuple([slice(None) if i == axis else slice(n) for i, n in enumerate(like.shape)])]

    def gather_elements(self, InputTensor, IndicesTensor, Axis, OutputTensor, call):
        library = self.library
        data = library.of(self._part(InputTensor, IndicesTensor, Axis), call.dtypes[0])
        indices = bounded(IndicesTensor, InputTensor.shape[Axis])
        return self._store(OutputTensor, library.take_along_axis(data, indices, Axis), call.dtypes[0])

    def scatter_elements(self, InputTensor, IndicesTensor, UpdatesTensor, Axis, OutputTensor, call):
        library = self.library
        dtype = call.dtypes[0]
        OutputTensor[...] = InputTensor
        part = self._part(OutputTensor, IndicesTensor, Axis)
        indices = bounded(IndicesTensor, OutputTensor.shape[Axis])
        changed = library.put_along_axis(library.of(part, dtype), indices, library.of(UpdatesTensor, dtype), Axis)
        self.library.store(part, changed, dtype)

    def gather_nd1(
        self, InputTensor, IndicesTensor, InputDimensionCount, IndicesDimensionCount, BatchDimensionCount, OutputTensor,
        call,
    ):
        library = self.library
        data = library.of(InputTensor, call.dtypes[0])
        data = library.reshape(data, counted(InputTensor, InputDimensionCount))
        indices = IndicesTensor.reshape(counted(IndicesTensor, IndicesDimensionCount))
        index = self._tuples(tuple(data.shape), indices, BatchDimensionCount)
        return self._store(OutputTensor, library.reshape(library.get(data, index), OutputTensor.shape), call.dtypes[0])

    def gather_nd(self, InputTensor, IndicesTensor, InputDimensionCount, IndicesDimensionCount, OutputTensor, call):
        return self.gather_nd1(
            InputTensor, IndicesTensor, InputDimensionCount, IndicesDimensionCount, 0, OutputTensor, call
        )

    def scatter_nd(
        self, InputTensor, IndicesTensor, UpdatesTensor, InputDimensionCount, IndicesDimensionCount, OutputTensor, call
    ):
        shape = counted(InputTensor, InputDimensionCount)
        indices = IndicesTensor.reshape(counted(IndicesTensor, IndicesDimensionCount))
        return self._scatter_tuples(InputTensor, shape, indices, UpdatesTensor, OutputTensor, call)

    def _scatter_tuples(self, data, shape, indices, updates, output, call):
        library = self.library
        dtype = call.dtypes[0]
        index = self._tuples(shape, indices, 0)
        before = library.reshape(library.of(data, dtype), shape)
        values = library.reshape(library.of(updates, dtype), indices.shape[:-1] + shape[indices.shape[-1] :])
        if index:
            changed = library.put(before, index, values)
        elif 0 in indices.shape[:-1]:  # no update
            changed = before
        else:  # every update is a whole tensor
            changed = library.put(before, (Ellipsis,), library.get(values, (-1,) * (indices.ndim - 1)))
        return self._store(output, library.reshape(changed, output.shape), dtype)

    def openvino_gather(self, data, indices, axis, batch_dims, output, call):
        library = self.library
        axis += data.ndim if axis < 0 else 0
        batch = batch_dims or 0
        batch += indices.ndim if batch < 0 else 0
        n = data.shape[axis]
        if n == 0 or output.size == 0:
            output[...] = 0
            return None
        gathered = self._batched(library.of(data, call.dtypes[0]), bounded(indices, n), axis, batch)
        if tuple(gathered.shape) != output.shape:
            return self._store(output, gathered, call.dtypes[0])
        library.store(output, gathered, call.dtypes[0])
        within = inside(indices, n)
        if not within.all():  # an index out of range gives 0, which these libraries do not say
            shape = indices.shape[:batch] + (1,) * (axis - batch) + indices.shape[batch:]
            outside = np.broadcast_to(~within.reshape(shape + (1,) * (data.ndim - axis - 1)), output.shape)
            output[outside] = 0
        return None

    def gather_1(self, data, indices, axis, output, call):
        return self.openvino_gather(data, indices, axis, 0, output, call)

    def openvino_gather_elements(self, data, indices, axis, output, call):
        axis += data.ndim if axis < 0 else 0
        return self.gather_elements(data, indices, axis, output, call)

    def openvino_gather_nd(self, data, indices, batch_dims, output, call):
        library = self.library
        batch = batch_dims or 0
        if data.shape[:batch] != indices.shape[:batch]:  # a single batch is that of all in the other array
            batches = np.broadcast(np.empty(data.shape[:batch], bool), np.empty(indices.shape[:batch], bool)).shape
            data = np.broadcast_to(data, batches + data.shape[batch:])
            indices = np.broadcast_to(indices, batches + indices.shape[batch:])
        array = library.of(data, call.dtypes[0])
        index = self._tuples(data.shape, indices, batch)
        return self._store(output, library.reshape(library.get(array, index), output.shape), call.dtypes[0])

    def scatter_nd_update(self, data, indices, updates, output, call):
        return self._scatter_tuples(data, data.shape, indices, updates, output, call)

    def scatter_elements_update(self, data, indices, updates, axis, output, call):
        axis += data.ndim if axis < 0 else 0
        return self.scatter_elements(data, indices, updates, axis, output, call)

    def scatter_update(self, data, indices, updates, axis, output, call):
        library = self.library
        axis += data.ndim if axis < 0 else 0
        index = (slice(None),) * axis + (bounded(indices, data.shape[axis]),)
        changed = library.put(library.of(data, call.dtypes[0]), index, library.of(updates, call.dtypes[0]))
        return self._store(output, changed, call.dtypes[0])

    def strided_slice(
        self, data, begin, end, stride, begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask, output,
        call,
    ):
        library = self.library
        attributes = (begin, end, stride, begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask)
        index = strided_slice_index(data.ndim, data.shape, attributes, call.profile == 1)
        sliced = library.get(library.of(data, call.dtypes[0]), index)
        return self._store(output, sliced, call.dtypes[0])


    def non_zero(self, data, output_type, output, call):
        # The shape of the output depends on data: the array is stored and reported as it is.
        if output_type not in (None, 0, 1) or output.dtype != (np.int32 if output_type == 1 else np.int64):
            raise Rejected("output_type is neither i64 nor i32, or not the type of the output")
        array = self.library.of(data, call.dtypes[0])
        if call.dtypes[0] == BFLOAT16 and not self.library.has_bfloat16:  # the sign of a zero does not count
            array = array & 0x7FFF
        found = self.library.module.argwhere(array)
        return np.asarray(found).T.astype(output.dtype)


def _refusing(function: Any, errors: Tuple[Any, ...]) -> Any:
    """The function, with exceptions of the library as refusals."""

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except errors as error:
            raise Rejected(f"{type(error).__name__}: {error}") from error

    return call


def _asking(library: Arrays, function: Any) -> Any:
    """What answers calls without data: the function, on arrays without data."""

    @functools.wraps(function)
    def ask(*arguments: Any) -> Any:
        every = [one for given in arguments for one in (given if isinstance(given, list) else [given])]
        tensors = [one for one in every if isinstance(one, Descriptor)]
        if any(one.given & COMPLETE != COMPLETE for one in tensors):
            raise Unsupported  # there is no array without a shape
        return library.ask(lambda: function(*arguments), tensors)

    return ask


def register(library: Arrays) -> None:
    """Register every operator that arrays can express."""
    ops = Operators(library)
    functions = {
        DML + "element_wise_identity": ops.identity,
        DML + "slice1": ops.slice1,
        DML + "join": ops.join,
        DML + "space_to_depth": ops.space_to_depth,
        DML + "space_to_depth1": ops.space_to_depth1,
        DML + "depth_to_space": ops.depth_to_space,
        DML + "depth_to_space1": ops.depth_to_space1,
        DML + "gather": ops.gather,
        DML + "gather_elements": ops.gather_elements,
        DML + "scatter_elements": ops.scatter_elements,
        DML + "gather_nd": ops.gather_nd,
        DML + "gather_nd1": ops.gather_nd1,
        DML + "scatter_nd": ops.scatter_nd,
        OPENVINO + "gather_1": ops.gather_1,
        OPENVINO + "gather_7": ops.openvino_gather,
        OPENVINO + "gather_8": ops.openvino_gather,
        OPENVINO + "gather_elements": ops.openvino_gather_elements,
        OPENVINO + "gather_nd_5": ops.openvino_gather_nd,
        OPENVINO + "gather_nd_8": ops.openvino_gather_nd,
        OPENVINO + "scatter_nd_update_3": ops.scatter_nd_update,
        OPENVINO + "scatter_elements_update_3": ops.scatter_elements_update,
        OPENVINO + "scatter_update": ops.scatter_update,
        OPENVINO + "strided_slice": ops.strided_slice,
    }
    if hasattr(library.module, "argwhere"):
        functions[OPENVINO + "non_zero_3"] = ops.non_zero
    for name, function in functions.items():
        profiles = (0, 1) if name == OPENVINO + "strided_slice" else (0,)
        asked = library.asks and name in DECIDED_BY_SHAPES
        accepts = _refusing(_asking(library, function), library.errors) if asked else None
        operator(name, dtypes=library.dtypes, profiles=profiles, accepts=accepts)(_refusing(function, library.errors))
