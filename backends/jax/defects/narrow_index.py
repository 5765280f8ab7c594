# SPDX-License-Identifier: Apache-2.0
"""JAX-3: an index of int8 does not select from a dimension of more than 127 elements."""
import jax.numpy as jnp

print("expected [3]; got", end=" ")
try:
    print(jnp.arange(156)[jnp.array([3], jnp.int8)])
except OverflowError as error:
    print(f"an error: {error}")
