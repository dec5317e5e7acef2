//! The text of the kernels, and what they share with the host: structures, instructions, opcodes.
//!
//! The text is CUDA C++ in `kernels/` and three headers that are generated here: the structures from [`layout`](crate::TaskEntry), the
//! opcodes from the table of primitives, the dispatch tables from both. NVRTC compiles it for a device, a C++ compiler for the emulator.

mod format;
mod layout;
mod opcodes;
mod source;

pub use format::{MAX_LITERALS, REGISTERS, Word};
pub use layout::{
    Address, ControlEntry, DeviceValue, GraphProgramEntry, HashEntry, Instruction, ItemEntry, ItemResultEntry, NodeEntry, ProgramEntry,
    SampleEntry, ScoreEntry, SlotEntry, StepEntry, TaskEntry, Work,
};
pub use opcodes::{Control, is_covered, is_for_lanes, operation, refused_at};
pub use source::kernel_source;
