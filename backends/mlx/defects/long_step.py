# SPDX-License-Identifier: Apache-2.0
"""MLX-1: a slice with a step of about 2^31 has no element, or its size is an error."""
import mlx.core as mx
import numpy as np

array = mx.array([5, 6, 7, 8, 9])
print("expected: [5]; got:", np.array(array[::2147483647]))
try:
    print("expected: [5]; got:", array[::2147483647])
except RuntimeError as error:
    print("expected: [5]; got:", error)
