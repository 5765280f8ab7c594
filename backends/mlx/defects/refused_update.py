# SPDX-License-Identifier: Apache-2.0
"""MLX-3: updates of an array without elements are refused."""
import mlx.core as mx

array = mx.zeros((0, 3))
try:
    array[:, mx.array([0, 1, 2])] = mx.zeros((0, 3))
    print("expected: an array of shape (0, 3); got:", array.shape)
except ValueError as error:
    print("expected: an array of shape (0, 3); got:", error)
