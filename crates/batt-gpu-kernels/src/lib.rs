//! The text of the kernels, and what they share with the host: structures, instructions, opcodes.
//!
//! The text is CUDA C++ in `kernels/` and four generated headers. The structures come from [`layout`](crate::TaskEntry), the opcodes,
//! dispatch tables and grid steps from the table of primitives. NVRTC compiles it for a device, a C++ compiler for the emulator.

mod format;
mod layout;
mod opcodes;
mod source;

pub use format::{MAX_LITERALS, REGISTERS, Word};
pub use layout::{
    Address, ControlEntry, DeviceValue, GraphProgramEntry, HashEntry, Instruction, ItemEntry, ItemResultEntry, NodeEntry, ProgramEntry,
    SampleEntry, ScoreEntry, SlotEntry, StepEntry, TaskEntry, Work,
};
pub use opcodes::{Control, grid_step, is_covered, is_for_lanes, operation, refused_at};
pub use source::kernel_source;
