//! What a device is to the rest: memory, and kernels that are launched on it.

use std::time::Duration;

use bytemuck::{Pod, Zeroable};

use crate::compile::Compiled;
use crate::values::DeviceValue;

/// Memory of a device.
#[derive(Debug, PartialEq, Eq)]
pub struct Memory {
    address: u64,
    len: usize,
}

impl Memory {
    /// Memory at an address. A device makes it.
    pub fn new(address: u64, len: usize) -> Self {
        Self { address, len }
    }

    /// Where it is, as the kernels see it.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// How many bytes it has.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// The kernels that are launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// Makes the places of values, calls and programs empty.
    Clear,
    /// Marks the nodes that a phase needs, for programs that are still in question.
    MarkNodes,
    /// Runs nodes on samples.
    RunNodes,
    /// Says how good each program is by what its nodes gave.
    JudgeCards,
    /// Judges programs that only turn grids into grids: see `straight.cuh`.
    JudgeStraight,
    /// Finds the first of programs that do the same.
    FindFirsts,
    /// Lists the programs that the host may keep.
    ListKept,
    /// Runs programs on single samples, and keeps what they gave.
    RunItems,
}

/// What a kernel works on. `main.cu` has the same.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
#[expect(missing_docs, reason = "addresses by the names that main.cu documents")]
pub struct Work {
    pub code: u64,
    pub programs: u64,
    pub literals: u64,
    pub tasks: u64,
    pub samples: u64,
    pub items: u64,
    pub arenas: u64,
    pub judged: u64,
    pub ran: u64,
    pub fuel: u64,
    pub slice: u64,
    pub rows: u64,
    pub cards: u64,
    pub nodes: u64,
    pub words: u64,
    pub order: u64,
    pub steps: u64,
    pub slots: u64,
    pub needed: u64,
    pub control: u64,
    pub calls: u64,
    pub heap: u64,
    pub heap_size: u64,
    pub firsts: u64,
    pub sizes: u64,
    pub briefs: u64,
    pub kept: u64,
    pub arena_size: u32,
    pub chunk_size: u32,
    pub count: u32,
    pub node_count: u32,
    pub slot_count: u32,
    pub warps: u32,
    pub phase: u32,
    pub first_demo: u32,
    pub last_demo: u32,
    pub with_tests: u32,
    pub groups: u32,
    pub calls_mask: u32,
    pub steps_each: u32,
    pub stragglers: u32,
    pub all_programs: u32,
    pub firsts_mask: u32,
    pub lists_all: u32,
    pub unused: u32,
}

/// A sample as the device has it.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct SampleEntry {
    pub(crate) input: DeviceValue,
    pub(crate) expected: DeviceValue,
}

/// A task as the device has it.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct TaskEntry {
    pub(crate) first_sample: u32,
    pub(crate) demos: u32,
    pub(crate) tests: u32,
    pub(crate) bar_right: u32,
    pub(crate) bar_score: u64,
    pub(crate) side: u32,
    pub(crate) fuel: u32,
}

/// A program as the device has it.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct ProgramEntry {
    pub(crate) code: u32,
    pub(crate) task: u32,
    pub(crate) literals: u32,
    pub(crate) length: u16,
    pub(crate) constants: u16,
}

/// A program that shares its calls with others, as the device has it.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct CardProgramEntry {
    pub(crate) first_step: u32,
    pub(crate) task: u32,
    pub(crate) output: u32,
    pub(crate) last_fuel: u32,
    pub(crate) steps: u16,
    pub(crate) fails: u16,
}

/// A node as the device has it.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct NodeEntry {
    pub(crate) code: u32,
    pub(crate) words: u32,
    pub(crate) slot: u32,
    pub(crate) task: u32,
    pub(crate) literals: u32,
    pub(crate) inputs: u8,
    pub(crate) constants: u8,
    pub(crate) flags: u16,
}

/// A step of a program as the device has it.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct StepEntry {
    pub(crate) slot: u32,
    pub(crate) fuel: u32,
}

/// Counters of a batch, as the device has them.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct ControlEntry {
    pub(crate) tickets: u32,
    pub(crate) chunks: u32,
    pub(crate) full: u32,
    pub(crate) kept: u32,
}

/// What a node gave on a sample, as the device has it.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct SlotEntry {
    pub(crate) value: DeviceValue,
    pub(crate) hash: [u64; 2],
    pub(crate) call: [u64; 2],
    pub(crate) behaviour: u64,
    pub(crate) power: u32,
    pub(crate) score: u32,
    pub(crate) fuel: u32,
    pub(crate) state: u32,
    pub(crate) ticks: u32,
    pub(crate) same: u32,
}

impl ProgramEntry {
    /// The entry of a program whose code is laid at a place.
    pub(crate) fn new(compiled: &Compiled, place: usize, task: u32) -> Self {
        let length = compiled.code.len() as u32 - compiled.start;
        Self { code: place as u32 + compiled.start, task, literals: 0, length: length as u16, constants: compiled.constants }
    }
}

/// How good a program is, as the device says it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct JudgedEntry {
    pub(crate) behaviour: u64,
    pub(crate) score: u32,
    pub(crate) fuel: u32,
    pub(crate) demos_right: u16,
    pub(crate) evaluations: u16,
    pub(crate) state: u16,
    pub(crate) refused_by: u16,
}

/// A program that the host may keep, as the device says it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct KeptEntry {
    pub(crate) behaviour: u64,
    pub(crate) program: u32,
    pub(crate) score: u32,
    pub(crate) fuel: u32,
    pub(crate) demos_right: u32,
}

/// A program and a sample to run it on.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct ItemEntry {
    pub(crate) program: u32,
    pub(crate) sample: u32,
}

/// What came of an item.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct RanEntry {
    pub(crate) value: DeviceValue,
    pub(crate) fuel: u64,
    pub(crate) step: u32,
    pub(crate) op: u32,
}

/// Why a device did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// There is no driver.
    #[error("no CUDA driver was found")]
    NoDriver,
    /// The driver does not know a device of this number.
    #[error("there is no CUDA device {0}")]
    NoDevice(usize),
    /// The compiler of kernels is not there.
    #[error("NVRTC, which compiles the kernels, was not found")]
    NoCompiler,
    /// The device is older than the kernels need.
    #[error("{0} is too old: compute capability 7.5 is needed")]
    OldDevice(String),
    /// The driver is older than the kernels' code.
    #[error("the CUDA driver is too old: {0}")]
    OldDriver(String),
    /// The kernels were not compiled.
    #[error("the kernels were not compiled: {0}")]
    Compile(String),
    /// There is not so much memory.
    #[error("the device has no {wanted} bytes left")]
    OutOfMemory {
        /// How many bytes were asked for.
        wanted: usize,
    },
    /// A kernel faulted or ran too long; what it was to give is not there.
    #[error("a kernel failed: {0}")]
    Kernel(String),
    /// The device does not answer any more.
    #[error("the device was lost")]
    Lost,
    /// Anything else that the driver says.
    #[error("the CUDA driver says: {0}")]
    Driver(String),
}

/// One of the two that copies and launches of a device are in. What is in one happens in order; what is in the other, at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// The first.
    First,
    /// The second.
    Second,
}

impl Stream {
    /// Both.
    pub const ALL: [Self; 2] = [Self::First, Self::Second];
}

/// A moment of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The kernels of a batch can begin.
    Begun,
    /// They are done.
    Done,
}

/// A device.
pub trait Device {
    /// What it is called.
    fn name(&self) -> String;
    /// How many warps it runs at a time.
    fn warps(&self) -> u32;
    /// How many of them start together.
    fn warps_of_a_block(&self) -> u32;
    /// Takes memory.
    fn allocate(&mut self, bytes: usize) -> Result<Memory, DeviceError>;
    /// Gives memory back.
    fn release(&mut self, memory: Memory);
    /// Copies to the device, and waits for it.
    fn write(&mut self, memory: &Memory, offset: usize, bytes: &[u8]) -> Result<(), DeviceError>;
    /// Memory of the host that is copied from quickly, at least so many bytes; what was in it is lost. What was copied from it before
    /// has arrived when this returns.
    fn stage(&mut self, stream: Stream, bytes: usize) -> Result<&mut [u8], DeviceError>;
    /// Copies so many bytes from the start of what was staged to the device, without waiting.
    fn write_staged(&mut self, stream: Stream, memory: &Memory, bytes: usize) -> Result<(), DeviceError>;
    /// Waits for what was asked for before, and copies so many bytes from the device to memory of the host that is copied to quickly.
    fn read(&mut self, stream: Stream, memory: &Memory, offset: usize, bytes: usize) -> Result<&[u8], DeviceError>;
    /// Launches a kernel.
    fn launch(&mut self, stream: Stream, kernel: Kernel, work: &Work) -> Result<(), DeviceError>;
    /// Notes when a stream comes to here.
    fn mark(&mut self, stream: Stream, moment: Moment) -> Result<(), DeviceError>;
    /// How much later one moment was than another, nothing if it was not. Both have come.
    fn between(&mut self, from: (Stream, Moment), to: (Stream, Moment)) -> Result<Duration, DeviceError>;
    /// Waits until everything is done.
    fn wait(&mut self, stream: Stream) -> Result<(), DeviceError>;
}
