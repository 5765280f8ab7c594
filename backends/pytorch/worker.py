#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""PyTorch on the CPU as a backend: README.md beside this file describes it."""

import numpy as np
import torch

from touchstone_exec import Descriptor, run
from touchstone_exec.arrays import Arrays, register

SIGNED = {np.dtype(f"uint{bits}"): np.dtype(f"int{bits}") for bits in (16, 32, 64)}


def shared(view):
    """A tensor on the memory of a NumPy view, with its strides. PyTorch has signed integers of these sizes only."""
    return torch.from_numpy(view.view(SIGNED.get(view.dtype, view.dtype)))


def from_zero(indices, count):
    """Indices of 64 bits that count from the first element: these functions take no others."""
    wide = np.asarray(indices).astype(np.int64)
    return torch.from_numpy(np.where(wide < 0, wide + count, wide))


def forward(index, shape):
    """The index with positive steps, and the dimensions of the result that have to be reversed."""
    parts, reversed_dims, source, result = [], [], 0, 0
    consumed = sum(1 for one in index if one is not None and one is not Ellipsis)
    for one in index:
        if isinstance(one, slice):
            if one.step is not None and one.step < 0:
                places = range(*one.indices(shape[source]))
                one = slice(places[-1], places[0] + 1, min(-one.step, shape[source])) if len(places) else slice(0, 0)
                reversed_dims.append(result)
            source, result = source + 1, result + 1
        elif one is Ellipsis:
            source, result = source + len(shape) - consumed, result + len(shape) - consumed
        elif one is None:
            result += 1
        elif isinstance(one, (np.ndarray, np.integer)):
            one = torch.from_numpy(np.asarray(one).astype(np.int64))
            source += 1
        else:
            source += 1
        parts.append(one)
    return tuple(parts), reversed_dims


class PyTorch(Arrays):
    module = torch
    asks = True  # by tensors of the device "meta", which have a shape and no data

    def of(self, view, dtype):
        if isinstance(view, Descriptor):
            number = SIGNED.get(view.dtype, view.dtype)
            return torch.empty_strided(view.shape, view.strides, dtype=getattr(torch, number.name), device="meta")
        return shared(view)

    def store(self, output, array, dtype):
        shared(output).copy_(array)

    def get(self, array, index):
        parts, reversed_dims = forward(index, array.shape)
        part = array[parts]
        return torch.flip(part, reversed_dims) if reversed_dims else part

    def put(self, array, index, values):
        changed = array.clone()
        changed[forward(index, array.shape)[0]] = values
        return changed

    def take(self, array, indices, axis):
        if np.ndim(indices) == 1:
            return torch.index_select(array, axis, from_zero(indices, array.shape[axis]))
        return array[(slice(None),) * axis + (torch.from_numpy(np.asarray(indices).astype(np.int64)),)]

    def take_along_axis(self, array, indices, axis):
        return torch.gather(array, axis, from_zero(indices, array.shape[axis]))

    def put_along_axis(self, array, indices, values, axis):
        return torch.scatter(array, axis, from_zero(indices, array.shape[axis]), values)

    def concatenate(self, arrays, axis):
        return torch.cat(arrays, axis)

    def moveaxis(self, array, source, destination):
        return torch.movedim(array, source, destination)

    def transpose(self, array, axes):
        return torch.permute(array, axes)

    def space_to_depth(self, array, block, columns_first):
        if columns_first:
            return torch.pixel_unshuffle(array, block)
        return super().space_to_depth(array, block, columns_first)

    def depth_to_space(self, array, block, columns_first):
        if columns_first:
            return torch.pixel_shuffle(array, block)
        return super().depth_to_space(array, block, columns_first)


if __name__ == "__main__":
    torch.set_num_threads(1)
    register(PyTorch())
    run(name="pytorch", vendor="PyTorch", version=torch.__version__, device="CPU")
