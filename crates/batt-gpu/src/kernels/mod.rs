//! The text of the kernels, and what they share with the host: structures, instructions, opcodes.
//!
//! The text is CUDA C++ in `kernels/`. Four of its headers are generated (`headers.rs`): the structures from `layout.rs`; the opcodes,
//! dispatch tables and grid steps from the table of primitives. NVRTC compiles it for a device, a C++ compiler for the emulator.

mod format;
mod headers;
mod layout;
mod opcodes;
mod source;

pub use format::{MAX_LITERALS, REGISTERS, Word};
pub use headers::headers;
pub use layout::{
    Address, ControlEntry, DeviceValue, GraphProgramEntry, HashEntry, Instruction, ItemEntry, ItemResultEntry, NodeEntry, ProgramEntry,
    SampleEntry, ScoreEntry, SlotEntry, StepEntry, TaskEntry, Work,
};
pub use opcodes::{Control, grid_step, is_covered, is_for_lanes, operation, refused_at};
pub use source::{FILES, kernel_source};
