// SPDX-License-Identifier: Apache-2.0
//! The shared memory, and the structures of `backends/backend.h` in it.

use std::ffi::c_void;
use std::os::raw::c_int;

pub const MAX_DIMS: usize = 16;
pub const CALL_SIZE: usize = 64;
pub const TENSOR_SIZE: usize = 304;

extern "C" {
    fn mmap(at: *mut c_void, size: usize, access: c_int, flags: c_int, file: c_int, offset: i64) -> *mut c_void;
    fn munmap(at: *mut c_void, size: usize) -> c_int;
}

/// The memory that Touchstone shares with this program, mapped.
pub(crate) struct Memory {
    base: *mut u8,
    size: usize,
}

impl Memory {
    pub(crate) fn new() -> Memory {
        Memory { base: std::ptr::null_mut(), size: 0 }
    }

    /// Map `size` bytes of descriptor 4, unless that many are mapped.
    pub(crate) fn map(&mut self, size: usize) -> bool {
        const READ_WRITE: c_int = 3;
        const SHARED: c_int = 1;
        if self.size == size {
            return true;
        }
        // Safety: nothing refers to the old mapping, because a Call lives only while it is executed.
        unsafe {
            if self.size > 0 {
                munmap(self.base.cast(), self.size);
            }
            let base = mmap(std::ptr::null_mut(), size, READ_WRITE, SHARED, 4, 0);
            self.size = if base as isize == -1 { 0 } else { size };
            self.base = base.cast();
        }
        self.size == size
    }

    /// The address of `size` bytes at an offset; they are in the memory, or this panics.
    pub(crate) fn at(&self, offset: u64, size: usize) -> *mut u8 {
        let offset = offset as usize;
        assert!(offset <= self.size && size <= self.size - offset, "an offset beyond the shared memory");
        // Safety: the range was checked.
        unsafe { self.base.add(offset) }
    }

    pub(crate) fn read<T: Copy>(&self, offset: u64) -> T {
        // Safety: the bytes are mapped, and T is a number or an array of numbers.
        unsafe { std::ptr::read_unaligned(self.at(offset, std::mem::size_of::<T>()).cast()) }
    }

    pub(crate) fn write<T: Copy>(&self, offset: u64, value: T) {
        // Safety: as for `read`.
        unsafe { std::ptr::write_unaligned(self.at(offset, std::mem::size_of::<T>()).cast(), value) }
    }

    /// The text at an offset, up to a zero byte.
    pub(crate) fn text(&self, offset: u64) -> String {
        let mut bytes = Vec::new();
        let mut at = offset;
        loop {
            match self.read::<u8>(at) {
                0 => return String::from_utf8_lossy(&bytes).into_owned(),
                byte => bytes.push(byte),
            }
            at += 1;
        }
    }
}

/// A tensor of a call. Sizes and strides count elements; a negative case may have anything in any member.
pub struct Tensor {
    pub dtype: u32,
    pub rank: usize,
    pub given: u32,
    pub flags: u32,
    pub alignment: u32,
    /// Bit k: the size of dimension k of this output depends on the values of inputs. `sizes` is then the largest shape;
    /// an accepted call with data reports the shape that it finds, and writes the elements packed in it.
    pub data_dependent: u32,
    pub total_bytes: u64,
    pub sizes: [u64; MAX_DIMS],
    pub strides: [u64; MAX_DIMS],
    data: *mut u8,
    reported: *mut u8,
}

impl Tensor {
    pub(crate) fn read(memory: &Memory, at: u64) -> Tensor {
        let (data, reported, total_bytes): (u64, u64, u64) =
            (memory.read(at + 32), memory.read(at + 40), memory.read(at + 24));
        Tensor {
            dtype: memory.read(at),
            rank: memory.read::<u32>(at + 4) as usize,
            given: memory.read(at + 8),
            flags: memory.read(at + 12),
            alignment: memory.read(at + 16),
            data_dependent: memory.read(at + 20),
            total_bytes,
            sizes: memory.read(at + 48),
            strides: memory.read(at + 176),
            data: if data == 0 { std::ptr::null_mut() } else { memory.at(data, total_bytes as usize) },
            reported: if reported == 0 { std::ptr::null_mut() } else { memory.at(reported, 136) },
        }
    }

    /// The bytes of the tensor: `total_bytes`, or none in a call without data. They are in memory that another process
    /// may access, so that there is no reference to them.
    pub fn data(&self) -> (*mut u8, usize) {
        (self.data, if self.data.is_null() { 0 } else { self.total_bytes as usize })
    }

    /// Copy the element of `size` bytes at index `from` of another tensor to index `to` of this one. Both indices count
    /// elements; this panics where one is outside of its tensor.
    pub fn copy_element(&self, to: u64, from_tensor: &Tensor, from: u64, size: usize) {
        let ((out, out_size), (input, in_size)) = (self.data(), from_tensor.data());
        let (to, from) = (to as usize * size, from as usize * size);
        assert!(to + size <= out_size && from + size <= in_size, "an element outside of its tensor");
        // Safety: both elements were checked to be in their tensors.
        unsafe { std::ptr::copy(input.add(from), out.add(to), size) }
    }

    /// Report the shape that the implementation inferred or found for this output.
    pub fn report(&self, sizes: &[u64]) {
        if self.reported.is_null() || sizes.len() > MAX_DIMS {
            return;
        }
        // Safety: `reported` is a ts_shape: a u32, four bytes, and MAX_DIMS u64.
        unsafe {
            std::ptr::write_unaligned(self.reported.cast(), sizes.len() as u32);
            for (i, size) in sizes.iter().enumerate() {
                std::ptr::write_unaligned(self.reported.add(8 + 8 * i).cast(), *size);
            }
        }
    }

    /// Bytes of an element; 0 for 4-bit and unknown types.
    pub fn element_bytes(&self) -> usize {
        const BYTES: [usize; 16] = [0, 4, 2, 4, 2, 1, 4, 2, 1, 8, 8, 8, 0, 0, 2, 1];
        BYTES.get(self.dtype as usize).copied().unwrap_or(0)
    }
}
