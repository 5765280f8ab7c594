# SPDX-License-Identifier: Apache-2.0
"""JAX-2: a denormal counts as zero in FLOAT32, FLOAT64 and BFLOAT16."""
import jax
import jax.numpy as jnp
import numpy

jax.config.update("jax_enable_x64", True)
for name, bits in (("float16", "uint16"), ("float32", "uint32"), ("float64", "uint64")):
    least = numpy.array([1], bits).view(name)
    print(name, "expected: 1 element that is not zero; got:", len(jnp.nonzero(jnp.array(least))[0]))
least = jax.lax.bitcast_convert_type(jnp.array([1], jnp.uint16), jnp.bfloat16)
print("bfloat16 expected: 1 element that is not zero; got:", len(jnp.nonzero(least)[0]))
