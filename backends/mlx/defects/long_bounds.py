# SPDX-License-Identifier: Apache-2.0
"""MLX-2: a slice to a bound beyond 32 bits is refused, where Python clamps it."""
import mlx.core as mx

array = mx.array([5, 6, 7])
try:
    print("expected: [5, 6, 7]; got:", array[:2147483648])
except ValueError as error:
    print("expected: [5, 6, 7]; got:", error)
