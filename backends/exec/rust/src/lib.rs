// SPDX-License-Identifier: Apache-2.0
//! Test kernels that are written in Rust with Touchstone: the worker's end of the protocol of docs/exec.md.
//!
//! Implement [`Backend`] and call [`run`] from `main`; `touchstone run -b exec:./worker` starts the program.
//! `examples/slice1.rs` is a worker.

mod memory;

use memory::Memory;
pub use memory::{Tensor, MAX_DIMS};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::FromRawFd;

/// Why a call was not executed.
pub enum Failure {
    /// The implementation refuses the descriptor.
    Rejected,
    /// The descriptor is legal, but the implementation cannot express it.
    Unsupported,
    /// Any other failure, with its reason.
    Error(String),
}

/// What reports say about the implementation under test.
pub struct Info {
    pub name: String,
    pub vendor: String,
    pub version: String,
    pub driver: String,
    pub device: String,
    /// The highest feature level that it implements, as 0x6400 for 6.4.
    pub highest_level: u32,
    pub preferred_batch: u32,
}

/// One call of an operator, with the members of `ts_call`.
pub struct Call {
    pub op: String,
    /// What [`Backend::query`] returned for the class of this call.
    pub token: u64,
    pub attrs_given: u32,
    pub tensor_count: u32,
    pub profile: u32,
    pub feature_level: u32,
    /// There are no data: [`Backend::accepts`] is asked.
    descriptor_only: bool,
    pub tensors: Vec<Tensor>,
    attrs: Vec<u8>,
}

impl Call {
    fn read(memory: &Memory, at: u64, with_name: bool) -> Call {
        let (attrs, size): (u64, u32) = (memory.read(at + 24), memory.read(at + 32));
        let (tensors, tensor_count): (u64, u32) = (memory.read(at + 56), memory.read(at + 40));
        Call {
            op: if with_name { memory.text(memory.read(at + 8)) } else { String::new() },
            token: memory.read(at + 16),
            attrs_given: memory.read(at + 36),
            tensor_count,
            profile: memory.read(at + 48),
            feature_level: memory.read(at + 52),
            descriptor_only: memory.read::<u32>(at + 44) & 1 != 0,
            tensors: (0..u64::from(tensor_count))
                .map(|i| Tensor::read(memory, tensors + i * memory::TENSOR_SIZE as u64))
                .collect(),
            attrs: (0..u64::from(size)).map(|i| memory.read(attrs + i)).collect(),
        }
    }

    /// The u32 at a byte of the attributes, whose structure is in reference/ (and in the text of a query).
    pub fn attr_u32(&self, offset: usize) -> u32 {
        u32::from_ne_bytes(self.attrs[offset..offset + 4].try_into().unwrap())
    }

    /// The i64 at a byte of the attributes.
    pub fn attr_i64(&self, offset: usize) -> i64 {
        i64::from_ne_bytes(self.attrs[offset..offset + 8].try_into().unwrap())
    }
}

/// An implementation under test.
pub trait Backend {
    fn info(&self) -> Info;

    /// Take the options of the command line; an error refuses them.
    fn options(&mut self, options: &[(String, String)]) -> Result<(), String> {
        match options.first() {
            None => Ok(()),
            Some((key, _)) => Err(format!("there is no option '{key}'")),
        }
    }

    /// Can the backend express this class of calls? Returns a token for its calls, or None. `description` has the names
    /// of tensors and attributes (docs/exec.md).
    fn query(&mut self, shape: &Call, description: &str) -> Option<u64>;

    /// Can it be shown a descriptor that violates this clause of the operator?
    fn shows_clause(&self, _op: &str, _clause: &str) -> bool {
        true
    }

    /// Does the implementation accept this descriptor? It may be illegal; the tensors have no data, and nothing is to be
    /// executed. An implementation that cannot be asked without data leaves this out: the calls are unsupported.
    fn accepts(&mut self, _call: &Call) -> Result<(), Failure> {
        Err(Failure::Unsupported)
    }

    /// Execute a call, which has data. `op` of the call is empty: the token says which operator it is.
    fn execute(&mut self, call: &Call) -> Result<(), Failure>;
}

fn u32_at(body: &[u8], at: usize) -> u32 {
    u32::from_ne_bytes(body[at..at + 4].try_into().unwrap())
}

fn u64_at(body: &[u8], at: usize) -> u64 {
    u64::from_ne_bytes(body[at..at + 8].try_into().unwrap())
}

fn texts(body: &[u8]) -> Vec<String> {
    body.split(|byte| *byte == 0).map(|text| String::from_utf8_lossy(text).into_owned()).collect()
}

/// A ts_info, in bytes.
fn encode_info(info: &Info) -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in [476, info.preferred_batch, info.highest_level, 0] {
        bytes.extend_from_slice(&number.to_ne_bytes());
    }
    let all = [(&info.name, 64), (&info.vendor, 64), (&info.version, 64), (&info.driver, 128), (&info.device, 128)];
    for (text, size) in all {
        let mut field = vec![0u8; size];
        let used = text.len().min(size - 1);
        field[..used].copy_from_slice(&text.as_bytes()[..used]);
        bytes.extend_from_slice(&field);
    }
    bytes.extend_from_slice(&[0; 12]);
    bytes
}

fn hello(backend: &mut dyn Backend, version: u32, body: &[u8]) -> Vec<u8> {
    let words = texts(&body[24..]);
    let options: Vec<(String, String)> =
        (0..u32_at(body, 16) as usize).map(|i| (words[2 * i].clone(), words[2 * i + 1].clone())).collect();
    let sizes = [64, 304, 136, 476];
    let (status, text) = if version != 1 || (0..4).any(|i| u32_at(body, 4 * i) != sizes[i]) {
        (4u32, "the crate is of another version of touchstone".to_string())
    } else {
        match backend.options(&options) {
            Ok(()) => (0, String::new()),
            Err(why) => (1, why),
        }
    };
    let mut reply = status.to_ne_bytes().to_vec();
    if status == 0 {
        reply.extend(encode_info(&backend.info()));
    } else {
        reply.extend(text.as_bytes());
    }
    reply
}

fn submit(backend: &mut dyn Backend, memory: &mut Memory, count: u32, body: &[u8]) -> Vec<u8> {
    let (calls, statuses) = (u64_at(body, 0), u64_at(body, 16));
    let mut reply = count.to_ne_bytes().to_vec();
    let mut notes = Vec::new();
    let mut note_count = 0u32;
    assert!(memory.map(u64_at(body, 24) as usize), "the memory cannot be mapped");
    for i in 0..count {
        let call = Call::read(memory, calls + u64::from(i) * memory::CALL_SIZE as u64, false);
        let answer = if call.descriptor_only { backend.accepts(&call) } else { backend.execute(&call) };
        let status: u32 = match answer {
            Ok(()) => 0,
            Err(Failure::Rejected) => 1,
            Err(Failure::Unsupported) => 2,
            Err(Failure::Error(why)) => {
                let text = &why.as_bytes()[..why.len().min(400)];
                if note_count < 100 {
                    notes.extend_from_slice(&i.to_ne_bytes());
                    notes.extend_from_slice(&(text.len() as u32).to_ne_bytes());
                    notes.extend_from_slice(text);
                    note_count += 1;
                }
                4
            }
        };
        memory.write(statuses + 4 * u64::from(i), status);
    }
    reply.extend_from_slice(&note_count.to_ne_bytes());
    reply.extend(notes);
    reply
}

/// Serve Touchstone until it closes the connection. A panic ends the program: the case that caused it is a crash.
pub fn run(mut backend: impl Backend) {
    if std::env::var_os("TOUCHSTONE_EXEC").is_none() {
        eprintln!("this program is a backend of Touchstone: touchstone run -b exec:PROGRAM starts it");
        std::process::exit(64);
    }
    // Safety: Touchstone passes the connection as descriptor 3, and nothing else here uses it.
    let mut line = unsafe { File::from_raw_fd(3) };
    let mut memory = Memory::new();
    let mut head = [0u8; 16];
    while line.read_exact(&mut head).is_ok() {
        let (kind, number, value) = (u32_at(&head, 4), u32_at(&head, 8), u32_at(&head, 12));
        let mut body = vec![0u8; u32_at(&head, 0) as usize - head.len()];
        if line.read_exact(&mut body).is_err() {
            return;
        }
        let (value, reply) = match kind {
            1 => (1, hello(&mut backend, value, &body)),
            2 => {
                assert!(memory.map(u64_at(&body, 16) as usize), "the memory cannot be mapped");
                let shape = Call::read(&memory, u64_at(&body, 0), true);
                let token = backend.query(&shape, &String::from_utf8_lossy(&body[24..]));
                (if token.is_some() { 0 } else { 2 }, token.unwrap_or(0).to_ne_bytes().to_vec())
            }
            3 => {
                let words = texts(&body);
                (if backend.shows_clause(&words[0], &words[1]) { 0 } else { 2 }, Vec::new())
            }
            4 => (0, submit(&mut backend, &mut memory, value, &body)),
            _ => return,
        };
        let mut frame = Vec::with_capacity(head.len() + reply.len());
        for word in [(head.len() + reply.len()) as u32, kind, number, value] {
            frame.extend_from_slice(&word.to_ne_bytes());
        }
        frame.extend(reply);
        if line.write_all(&frame).is_err() {
            return;
        }
    }
}
