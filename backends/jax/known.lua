-- SPDX-License-Identifier: Apache-2.0
-- Known failures of JAX 0.10.2; README.md beside this file describes each.
return {
  {
    query = "openvino.strided_slice:* where any(stride < -9223372036854775807)",
    reason = "JAX-1: a slice with the step -2^63 is refused",
    owner = "JAX",
    link = "https://github.com/jax-ml/jax",
    expires = "2999-12-31",
  },
  {
    query = "openvino.non_zero_3:* where dtype in {f32, f64, bf16} and fill ~= injective",
    reason = "JAX-2: a denormal counts as zero",
    owner = "JAX",
    link = "https://github.com/jax-ml/jax",
    expires = "2999-12-31",
  },
  {
    query = "openvino.gather_nd_*:* where index_dtype in {i8, u8} and any(size > 127)",
    reason = "JAX-3: an index of a narrow type does not select from a longer dimension",
    owner = "JAX",
    link = "https://github.com/jax-ml/jax",
    expires = "2999-12-31",
  },
  {
    query = "openvino.scatter_elements_update_3:* where dtype == bf16 and updates_fill ~= injective",
    reason = "JAX-4: a scatter of bf16 replaces NaNs by 7fc0",
    owner = "JAX",
    link = "https://github.com/jax-ml/jax",
    expires = "2999-12-31",
  },
  {
    query = "openvino.gather_1:* where dtype == bf16 and fill ~= injective",
    reason = "JAX-5: a gather of bf16 replaces NaNs by 7fc0 and ffc0",
    owner = "JAX",
    link = "https://github.com/jax-ml/jax",
    expires = "2999-12-31",
  },
  {
    query = "openvino.gather_7:* where dtype == bf16 and fill ~= injective",
    reason = "JAX-5: a gather of bf16 replaces NaNs by 7fc0 and ffc0",
    owner = "JAX",
    link = "https://github.com/jax-ml/jax",
    expires = "2999-12-31",
  },
  {
    query = "openvino.gather_8:* where dtype == bf16 and fill ~= injective",
    reason = "JAX-5: a gather of bf16 replaces NaNs by 7fc0 and ffc0",
    owner = "JAX",
    link = "https://github.com/jax-ml/jax",
    expires = "2999-12-31",
  },
  {
    query = "openvino.gather_elements:* where dtype == bf16 and fill ~= injective",
    reason = "JAX-5: a gather of bf16 replaces NaNs by 7fc0 and ffc0",
    owner = "JAX",
    link = "https://github.com/jax-ml/jax",
    expires = "2999-12-31",
  },
}
