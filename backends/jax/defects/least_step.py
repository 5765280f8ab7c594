# SPDX-License-Identifier: Apache-2.0
"""JAX-1: a slice with the step -2^63 is refused, where Python gives the last element."""
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
array = jnp.array([5, 6, 7])
print("the step -2^63 + 1:", array[:: -(2**63) + 1])
try:
    print("expected: [7]; got:", array[:: -(2**63)])
except TypeError as error:
    print("expected: [7]; got:", str(error).splitlines()[0])
