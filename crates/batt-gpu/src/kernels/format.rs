//! Instructions and operands as the host writes them. `program.cuh` has the other side.

use std::hash::{Hash, Hasher};

use batt_core::PrimId;
use batt_dsl::{Cost, primitive};

use super::layout::Instruction;
use super::opcodes::{Control, operation};

/// All of it at once: instructions are looked up many times.
impl Hash for Instruction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let words: [u64; 2] = bytemuck::cast(*self);
        state.write_u64(words[0]);
        state.write_u64(words[1]);
    }
}

/// Registers of a run. The first is the input.
pub const REGISTERS: u16 = 64;
/// The most literals that all programs of a batch may have together.
pub const MAX_LITERALS: usize = 1 << 14;

/// An operand in 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word(pub u16);

impl Word {
    /// A register.
    pub fn register(index: u16) -> Self {
        Self(index & 0x3FFF)
    }

    /// A literal of the batch.
    pub fn literal(index: u16) -> Self {
        Self(1 << 14 | index & 0x3FFF)
    }

    /// An integer of 14 bits, if it is one.
    pub fn integer(n: i64) -> Option<Self> {
        (-8192..8192).contains(&n).then_some(Self(2 << 14 | n as u16 & 0x3FFF))
    }

    /// A pair of integers of 7 bits, if it is one.
    pub fn pair(a: i32, b: i32) -> Option<Self> {
        let fits = |n: i32| (-64..64).contains(&n);
        (fits(a) && fits(b)).then_some(Self(3 << 14 | (a as u16 & 0x7F) << 7 | b as u16 & 0x7F))
    }

    /// The register that it is, if it is one.
    pub fn as_register(self) -> Option<u16> {
        (self.0 >> 14 == 0).then_some(self.0)
    }
}

impl Instruction {
    /// Up to eight words in the room of an instruction.
    pub fn of_words(words: &[u16]) -> Self {
        let word = |k: usize| words.get(k).copied().unwrap_or(0);
        Self { op: word(0), target: word(1), args: [word(2), word(3), word(4), word(5)], jump: word(6), step: word(7) }
    }

    /// An instruction that is no call.
    pub fn control(control: Control, step: u16) -> Self {
        Self { op: control as u16, target: 0, args: [0; 4], jump: 0, step }
    }

    /// A call; what the interpreter must know of the primitive stands in the place of a jump.
    pub fn call(id: PrimId, guard: u16, target: u16, args: [u16; 4], step: u16) -> Self {
        let row = primitive(id);
        let cost = match row.cost {
            Cost::Unit => 0,
            Cost::Linear => 1,
            Cost::Product => 2,
        };
        let containers: u16 = row.params.iter().enumerate().filter(|(_, param)| param.takes.is_container()).map(|(k, _)| 1 << k).sum();
        Self { op: operation(id) | guard << 12, target, args, jump: cost | (row.params.len() as u16) << 2 | containers << 8, step }
    }
}
