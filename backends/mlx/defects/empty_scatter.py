# SPDX-License-Identifier: Apache-2.0
"""MLX-3: an update without elements ends the process with SIGFPE."""
import mlx.core as mx

array = mx.zeros((7, 0, 2))
array[mx.array([[0, 1, 2]])] = mx.zeros((1, 3, 0, 2))
mx.eval(array)
print("expected: an array of shape (7, 0, 2); got:", array.shape)
