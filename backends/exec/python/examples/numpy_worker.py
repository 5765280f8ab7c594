#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""NumPy as a backend: each operator that it expresses, by the function that is made for it.

touchstone run -b 'exec:python3 numpy_worker.py'
"""

import numpy as np

from touchstone_exec import operator, run


@operator("dml.element_wise_identity")
def identity(InputTensor, OutputTensor):
    OutputTensor[...] = InputTensor


@operator("dml.slice1")
def slice1(InputTensor, InputWindowOffsets, InputWindowSizes, InputWindowStrides, OutputTensor):
    window = tuple([slice(o, o + s) for o, s in zip(InputWindowOffsets, InputWindowSizes)])
    steps = tuple([slice(None, None, s) for s in InputWindowStrides])
    sampled = InputTensor[window][steps]
    if sampled.shape != OutputTensor.shape:  # an output may have less than all samples
        sampled = sampled[tuple([slice(n) for n in OutputTensor.shape])]
    OutputTensor[...] = sampled


def select(data, indices, axis):
    """What np.take(data, indices, axis, mode="wrap") returns. np.take copies all of a tensor with strides first."""
    return data[(slice(None),) * axis + (np.remainder(indices.astype(np.int64, copy=False), data.shape[axis]),)]


@operator("dml.gather")
def gather(InputTensor, IndicesTensor, Axis, IndexDimensions, OutputTensor):
    gathered = select(InputTensor, IndicesTensor[(0,) * (InputTensor.ndim - IndexDimensions)], Axis)
    # The output has the dimensions of the input: the first ones are dropped, and have to be 1.
    OutputTensor[...] = gathered[None] if IndexDimensions == 0 else gathered[(0,) * (IndexDimensions - 1)]


def part_of(tensor, like, axis):
    """The part of the tensor whose other dimensions are as large as those of `like`."""
    return tensor[tuple([slice(None) if i == axis else slice(n) for i, n in enumerate(like.shape)])]


@operator("dml.gather_elements")
def gather_elements(InputTensor, IndicesTensor, Axis, OutputTensor):
    indices = np.remainder(IndicesTensor.astype(np.int64, copy=False), InputTensor.shape[Axis])
    OutputTensor[...] = np.take_along_axis(part_of(InputTensor, IndicesTensor, Axis), indices, Axis)


@operator("dml.scatter_elements")
def scatter_elements(InputTensor, IndicesTensor, UpdatesTensor, Axis, OutputTensor):
    indices = np.remainder(IndicesTensor.astype(np.int64, copy=False), OutputTensor.shape[Axis])
    OutputTensor[...] = InputTensor
    np.put_along_axis(part_of(OutputTensor, IndicesTensor, Axis), indices, UpdatesTensor, Axis)


@operator("dml.join")
def join(InputTensors, Axis, OutputTensor):
    np.concatenate(InputTensors, Axis, out=OutputTensor)


def openvino_gather(data, indices, axis, batch, output):
    axis += data.ndim if axis < 0 else 0
    batch += indices.ndim if batch < 0 else 0
    n = data.shape[axis]
    inside = (indices >= -n) & (indices < n)
    if n == 0 or output.size == 0:
        output[...] = 0
        return
    for at in np.ndindex(*data.shape[:batch]):
        picked = select(data[at], indices[at], axis - batch)
        if not inside[at].all():  # an index out of range gives 0
            shape = (1,) * (axis - batch) + inside[at].shape + (1,) * (data.ndim - axis - 1)
            picked = np.where(inside[at].reshape(shape), picked, np.zeros((), data.dtype))
        output[at] = picked


@operator("openvino.gather_1")
def gather_1(data, indices, axis, output):
    openvino_gather(data, indices, axis, 0, output)


@operator("openvino.gather_7")
@operator("openvino.gather_8")
def gather_7(data, indices, axis, batch_dims, output):
    openvino_gather(data, indices, axis, batch_dims or 0, output)


def bits(mask, count):
    """A mask of `count` bits; what a shorter one does not have is 0."""
    return [bool(mask[i]) if mask is not None and i < len(mask) else False for i in range(count)]


@operator("openvino.strided_slice", profiles=(0, 1))
def strided_slice(data, begin, end, stride, begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask, call):
    count = len(begin)
    begins, ends = bits(begin_mask, count), bits(end_mask, count)
    news, shrinks, ellipses = bits(new_axis_mask, count), bits(shrink_axis_mask, count), bits(ellipsis_mask, count)
    consumed = sum(1 for i in range(count) if not ellipses[i] and not news[i])
    index, axis = [], 0
    for i in range(count):
        if ellipses[i]:
            index.append(Ellipsis)
            axis += data.ndim - consumed
        elif news[i]:
            index.append(None)
        elif shrinks[i]:
            index.append(begin[i])
            axis += 1
        else:
            step = 1 if stride is None else stride[i]
            first = None if begins[i] else begin[i]
            if first is not None and step < 0 and first < -data.shape[axis] and call.profile == 0:
                first = 0  # OpenVINO clamps the begin of a negative stride into the dimension
            index.append(slice(first, None if ends[i] else end[i], step))
            axis += 1
    return data[tuple(index)]


if __name__ == "__main__":
    run(name="numpy", vendor="NumPy", version=np.__version__)
