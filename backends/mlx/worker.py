#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""MLX on the CPU as a backend: README.md beside this file describes it."""

import mlx.core as mx
import numpy as np

from touchstone_exec import Descriptor, Unsupported, run
from touchstone_exec.arrays import BFLOAT16, Arrays, register


class Mlx(Arrays):
    module = mx
    asks = True

    def ask(self, function, tensors):
        for one in tensors:
            self._fits(one.shape)
        return function()  # an array is not computed before it is read

    @staticmethod
    def _fits(shape):
        if any(size > 2**31 - 1 for size in shape):
            raise Unsupported  # a size has 32 bits

    def of(self, view, dtype):
        """An array with the strides of the view."""
        self._fits(view.shape)
        if isinstance(view, Descriptor):
            array = mx.zeros(view.shape, getattr(mx, view.dtype.name))
        elif view.size == 0:
            array = mx.zeros(view.shape, getattr(mx, view.dtype.name))
        else:
            strides = [s // view.itemsize for s in view.strides]
            count = 1 + sum((n - 1) * s for n, s in zip(view.shape, strides))
            flat = np.lib.stride_tricks.as_strided(view, (count,), (view.itemsize,))
            array = mx.array(flat.view(np.uint64)).view(mx.float64) if view.dtype == np.float64 else mx.array(flat)
            array = mx.as_strided(array, view.shape, strides)
        return array.view(mx.bfloat16) if dtype == BFLOAT16 else array

    def store(self, output, array, dtype):
        output[...] = np.array(array.view(mx.uint16) if dtype == BFLOAT16 else array)

    def _index(self, index):
        return tuple(mx.array(one) if isinstance(one, np.ndarray) else one for one in index)

    def get(self, array, index):
        return array[self._index(index)]

    def put(self, array, index, values):
        changed = mx.array(array)
        changed[self._index(index)] = values
        return changed

    def take(self, array, indices, axis):
        return mx.take(array, mx.array(indices), axis)

    def take_along_axis(self, array, indices, axis):
        return mx.take_along_axis(array, mx.array(indices), axis)

    def put_along_axis(self, array, indices, values, axis):
        return mx.put_along_axis(array, mx.array(indices), values, axis)


if __name__ == "__main__":
    mx.set_default_device(mx.cpu)
    register(Mlx())
    run(name="mlx", vendor="Apple", version=mx.__version__, device="CPU")
