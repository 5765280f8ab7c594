# SPDX-License-Identifier: Apache-2.0
"""JAX-4: a scatter of bfloat16 replaces a NaN by another."""
import jax.numpy as jnp
import ml_dtypes
import numpy as np

nan = jnp.array(np.array([0x7FD4], np.uint16).view(ml_dtypes.bfloat16))
result = jnp.put_along_axis(jnp.zeros(1, jnp.bfloat16), jnp.array([0]), nan, 0, inplace=False)
print(f"expected 7fd4; got {np.asarray(result).view(np.uint16)[0]:x}")
