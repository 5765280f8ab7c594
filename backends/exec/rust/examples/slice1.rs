// SPDX-License-Identifier: Apache-2.0
//! DML_OPERATOR_SLICE1 as a program:
//!
//!     cargo build --release --example slice1
//!     touchstone run -b exec:target/release/examples/slice1

use touchstone_exec::{run, Backend, Call, Failure, Info, Tensor, MAX_DIMS};

struct Slice1;

// Where the attributes are: `struct ts_dml_slice1`.
const OFFSETS: usize = 4;
const SIZES: usize = 68;
const STRIDES: usize = 132;

/// A tensor that is legal by the rules that this program sees: its rank, its sizes, and its bytes.
fn is_legal(tensor: &Tensor) -> bool {
    let bytes = tensor.element_bytes() as u64;
    if tensor.given & 7 != 7 || bytes == 0 || tensor.rank < 1 || tensor.rank > 8 {
        return false;
    }
    let (mut elements, mut last) = (1u64, 0u64);
    for i in 0..tensor.rank {
        let (size, stride) = (tensor.sizes[i], tensor.strides[i]);
        if size < 1 || size > u64::from(u32::MAX) || stride > u64::from(u32::MAX) {
            return false;
        }
        elements = elements.saturating_mul(size);
        last = last.saturating_add((size - 1) * stride);
    }
    elements <= u64::from(u32::MAX) && last < u64::from(u32::MAX) && tensor.total_bytes >= ((last + 1) * bytes + 3) / 4 * 4
}

/// The first element of the input, and the step in it for each dimension of the output.
fn steps(call: &Call) -> Result<(i64, [i64; MAX_DIMS]), Failure> {
    let (input, output) = (&call.tensors[0], &call.tensors[1]);
    if !is_legal(input) || !is_legal(output) || input.rank != output.rank || call.attr_u32(0) as usize != input.rank {
        return Err(Failure::Rejected);
    }
    let (mut step, mut from) = ([0i64; MAX_DIMS], 0i64);
    for i in 0..input.rank {
        let (offset, window) = (call.attr_u32(OFFSETS + 4 * i), call.attr_u32(SIZES + 4 * i));
        let stride = i64::from(call.attr_u32(STRIDES + 4 * i) as i32);
        let (offset, window) = (u64::from(offset), u64::from(window));
        if stride == 0 || window < 1 || offset + window > input.sizes[i] {
            return Err(Failure::Rejected);
        }
        if (output.sizes[i] - 1) * stride.unsigned_abs() > window - 1 {
            return Err(Failure::Rejected);
        }
        let first = if stride < 0 { offset + window - 1 } else { offset };
        from += (first * input.strides[i]) as i64;
        step[i] = if output.sizes[i] > 1 { stride * input.strides[i] as i64 } else { 0 };
    }
    Ok((from, step))
}

impl Backend for Slice1 {
    fn info(&self) -> Info {
        Info {
            name: "rust example".into(),
            vendor: "Touchstone".into(),
            version: "1".into(),
            driver: String::new(),
            device: String::new(),
            highest_level: 0x6400,
            preferred_batch: 256,
        }
    }

    fn query(&mut self, shape: &Call, _description: &str) -> Option<u64> {
        let known = shape.tensors.iter().all(|tensor| tensor.element_bytes() > 0);
        (shape.op == "dml.slice1" && known).then_some(0)
    }

    /// This program looks at the window only: no flags, alignments or overlapping outputs.
    fn shows_clause(&self, _op: &str, clause: &str) -> bool {
        ["SL-05", "SL-07", "SL-08"].contains(&clause)
    }

    fn accepts(&mut self, call: &Call) -> Result<(), Failure> {
        steps(call).map(|_| ())
    }

    fn execute(&mut self, call: &Call) -> Result<(), Failure> {
        let (input, output) = (&call.tensors[0], &call.tensors[1]);
        let (mut from, step) = steps(call)?;
        let (mut at, mut to, bytes) = ([0u64; MAX_DIMS], 0u64, output.element_bytes());
        loop {
            output.copy_element(to, input, from as u64, bytes);
            let mut d = output.rank;
            loop {
                if d == 0 {
                    return Ok(());
                }
                d -= 1;
                at[d] += 1;
                from += step[d];
                to += output.strides[d];
                if at[d] < output.sizes[d] {
                    break;
                }
                from -= step[d] * output.sizes[d] as i64;
                to -= output.strides[d] * output.sizes[d];
                at[d] = 0;
            }
        }
    }
}

fn main() {
    run(Slice1);
}
