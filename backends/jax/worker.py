#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""JAX (XLA on the CPU) as a backend: README.md beside this file describes it.
"""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

from touchstone_exec import run
from touchstone_exec.arrays import Arrays, register

BFLOAT16 = 14


class Jax(Arrays):
    def of(self, view, dtype):
        return jnp.array(view.view(ml_dtypes.bfloat16) if dtype == BFLOAT16 else view)

    def store(self, output, array, dtype):
        output[...] = np.asarray(array).view(output.dtype)

    def get(self, array, index):
        return jnp.asarray(array)[index]

    def put(self, array, index, values):
        return array.at[index].set(values)

    def take(self, array, indices, axis):
        return jnp.take(array, indices, axis)

    def take_along_axis(self, array, indices, axis):
        return jnp.take_along_axis(array, indices, axis)

    def put_along_axis(self, array, indices, values, axis):
        return jnp.put_along_axis(array, indices, values, axis, inplace=False)

    def concatenate(self, arrays, axis):
        return jnp.concatenate(arrays, axis)

    def moveaxis(self, array, source, destination):
        return jnp.moveaxis(array, source, destination)

    def reshape(self, array, shape):
        return jnp.reshape(array, shape)


if __name__ == "__main__":
    jax.config.update("jax_enable_x64", True)
    register(Jax())
    run(name="jax", vendor="Google", version=jax.__version__, device="XLA, CPU")
