#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""JAX (XLA on the CPU) as a backend: README.md beside this file describes it."""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

from touchstone_exec import Descriptor, run
from touchstone_exec.arrays import BFLOAT16, Arrays, register


class Jax(Arrays):
    module = jnp
    asks = True

    def ask(self, function, tensors):
        answers = []
        jax.eval_shape(lambda: answers.append(function()))  # it traces, and computes nothing
        return answers[0]

    def of(self, view, dtype):
        if isinstance(view, Descriptor):
            return jnp.zeros(view.shape, ml_dtypes.bfloat16 if dtype == BFLOAT16 else view.dtype)
        return jnp.array(view.view(ml_dtypes.bfloat16) if dtype == BFLOAT16 else view)

    def store(self, output, array, dtype):
        output[...] = np.asarray(array).view(output.dtype)

    def put(self, array, index, values):
        return array.at[index].set(values)

    def take(self, array, indices, axis):
        return jnp.take(array, indices, axis)

    def put_along_axis(self, array, indices, values, axis):
        return jnp.put_along_axis(array, indices, values, axis, inplace=False)


if __name__ == "__main__":
    jax.config.update("jax_enable_x64", True)
    register(Jax())
    run(name="jax", vendor="Google", version=jax.__version__, device="XLA, CPU")
