# SPDX-License-Identifier: Apache-2.0
"""JAX-5: jax.numpy.take of bfloat16, in its default mode "fill", replaces NaNs by 7fc0 and ffc0; mode "clip" keeps
them. It copies, so the payload of a NaN should stay."""
import jax.numpy as jnp
import ml_dtypes
import numpy as np

x = np.array([0x7FC1, 0xFFD5, 0x3F80, 0x7F81], np.uint16).view(ml_dtypes.bfloat16)
at = jnp.arange(4)
for mode in ("fill", "clip"):
    print(mode, *(f"{bits:04x}" for bits in np.asarray(jnp.take(jnp.asarray(x), at, mode=mode)).view(np.uint16)))
