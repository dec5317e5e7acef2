//! The structures that host and kernels share, each declared once. The C++ declarations are generated, with an assertion for the offset of
//! each member.
#![expect(missing_docs, reason = "names and the sentence of the structure describe most members")]

use std::fmt::Write;
use std::marker::PhantomData;
use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};

/// Where values of a type lie in the memory of a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Address<T>(u64, PhantomData<T>);

impl<T> Address<T> {
    /// The address of this number.
    pub fn new(address: u64) -> Self {
        Self(address, PhantomData)
    }

    /// The address of the value so many places further on.
    #[must_use]
    pub fn after(self, count: usize) -> Self {
        Self::new(self.0 + (count * size_of::<T>()) as u64)
    }

    /// Its number.
    pub fn get(self) -> u64 {
        self.0
    }
}

/// A type of a member in C++: what stands before the member's name, and behind it.
trait Shared {
    fn cpp() -> (String, &'static str);
}

macro_rules! plain_types {
    ($($rust:ty => $cpp:literal $behind:literal),* $(,)?) => {
        $(impl Shared for $rust {
            fn cpp() -> (String, &'static str) {
                ($cpp.to_owned(), $behind)
            }
        })*
    };
}

plain_types! { u8 => "u8" "", u16 => "u16" "", u32 => "u32" "", u64 => "u64" "", [u16; 4] => "u16" "[4]" }

impl<T: Shared> Shared for Address<T> {
    fn cpp() -> (String, &'static str) {
        (T::cpp().0 + "*", "")
    }
}

macro_rules! shared_structures {
    ($($(#[doc = $about:literal])+ struct $rust:ident as $cpp:ident $(aligned $align:literal)? {
        $($(#[doc = $doc:literal])* $member:ident: $type:ty,)*
    })*) => {
        $(
            $(#[doc = $about])+
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
            #[repr(C)]
            pub struct $rust {
                $($(#[doc = $doc])* pub $member: $type,)*
            }

            impl Shared for $rust {
                fn cpp() -> (String, &'static str) {
                    (stringify!($cpp).to_owned(), "")
                }
            }
        )*

        /// The structures for the kernels.
        pub(crate) fn structures_header() -> String {
            let mut text = String::from("#pragma once\n#include \"platform.cuh\"\n");
            $(
                let members = [$((stringify!($member), <$type as Shared>::cpp(), offset_of!($rust, $member))),*];
                let align = concat!($("alignas(", stringify!($align), ") ",)? "");
                declare(&mut text, &format!("{align}{}", stringify!($cpp)), size_of::<$rust>(), &members);
            )*
            text
        }
    };
}

type Member = (&'static str, (String, &'static str), usize);

fn declare(text: &mut String, aligned_name: &str, size: usize, members: &[Member]) {
    let _ = writeln!(text, "\nstruct {aligned_name} {{");
    let name = aligned_name.rsplit(' ').next().unwrap_or(aligned_name);
    for (member, (type_name, behind), _) in members {
        let _ = writeln!(text, "    {type_name} {member}{behind};");
    }
    let _ = writeln!(text, "}};\nstatic_assert(sizeof({name}) == {size}, \"the host has another size\");");
    for (member, _, offset) in members {
        let _ = writeln!(text, "static_assert(OFFSET_OF({name}, {member}) == {offset}, \"the host has another place\");");
    }
}

shared_structures! {
    /// A value in a register or in a list of items.
    struct DeviceValue as Value aligned 16 {
        /// The tag, and above its 8 bits the number of items (cells, for a set of cells).
        head: u32,
        /// Of a grid: height << 16 | width. Of a general tuple or set: depth << 24 | weight.
        aux: u32,
        /// The number; of a pair the first, above it the second; of a cell the packed cell; of others, where the items are.
        bits: u64,
    }

    /// A hash of 128 bits.
    struct HashEntry as Hash {
        low: u64,
        high: u64,
    }

    /// An instruction: 16 bytes, operands of 16 bits, no names.
    struct Instruction as Instruction aligned 16 {
        /// The primitive or another instruction; above 12 bits the guard of an alias.
        op: u16,
        /// The register for the value.
        target: u16,
        args: [u16; 4],
        /// Where to continue. Of a primitive: its cost class, above 2 bits its arity, above 8 bits which arguments an alias checks.
        jump: u16,
        /// The step of the program that it belongs to.
        step: u16,
    }

    /// A sample. The expected output of a test is nothing.
    struct SampleEntry as Sample {
        input: DeviceValue,
        expected: DeviceValue,
    }

    /// A task.
    struct TaskEntry as Task {
        first_sample: u32,
        demos: u32,
        tests: u32,
        /// A program that cannot reach so many right demos, or as many and this score, is pruned.
        bar_right: u32,
        bar_score: u64,
        /// The longest side of its grids.
        side: u32,
        /// Fuel of a program on a sample.
        fuel: u32,
    }

    /// A program that runs by itself.
    struct ProgramEntry as Program {
        code: u32,
        task: u32,
        /// Where the literals of its part of the batch begin.
        literals: u32,
        /// Instructions.
        length: u16,
        /// Constants for the last registers; their words precede the instructions.
        constants: u16,
    }

    /// A program of the graph: its nodes, in its own order.
    struct GraphProgramEntry as GraphProgram {
        first_step: u32,
        task: u32,
        /// The slot of its output on the first sample of its task.
        output: u32,
        /// Fuel that it spends after its last step.
        last_fuel: u32,
        steps: u16,
        /// Whether it is undefined even if all its steps are defined.
        fails: u16,
    }

    /// A step of a program of the graph.
    struct StepEntry as Step {
        /// Where its node leaves its value on the first sample.
        slot: u32,
        /// Fuel that the program spends before it.
        fuel: u32,
    }

    /// A node: a call, or a loop with its function.
    struct NodeEntry as Node {
        code: u32,
        /// Where its words begin: the slots of its inputs, then constants, two to a word.
        words: u32,
        /// The slot of the first sample of its task; the others follow.
        slot: u32,
        task: u32,
        literals: u32,
        inputs: u8,
        constants: u8,
        /// See `NodeFlag` in `graph.cuh`.
        flags: u16,
    }

    /// The result of a node on a sample.
    struct SlotEntry as Slot {
        value: DeviceValue,
        /// The digest of the value, if it is the output of a program.
        behaviour: HashEntry,
        fuel: u32,
        /// How the node ended, see `graph.cuh`; zero before it has.
        state: u32,
        /// Its agreement with the expected output, if it is the output of a program.
        score: u32,
        unused: u32,
    }

    /// Counters that the kernels of a batch share.
    struct ControlEntry as Control {
        /// Nodes that were taken.
        tickets: u32,
        /// Pieces of the heap that were taken.
        chunks: u32,
        /// Whether more were wanted than there are.
        full: u32,
        unused: u32,
    }

    /// How good a program is.
    struct ScoreEntry as Score {
        behaviour: HashEntry,
        score: u32,
        fuel: u32,
        demos_right: u16,
        evaluations: u16,
        /// See `ProgramState` in `graph.cuh`.
        state: u16,
        refused_by: u16,
    }

    /// A program and a sample to run it on.
    struct ItemEntry as Item {
        program: u32,
        sample: u32,
    }

    /// The result of an item.
    struct ItemResultEntry as ItemResult {
        value: DeviceValue,
        fuel: u64,
        step: u32,
        op: u32,
    }

    /// The argument of all kernels.
    struct Work as Work {
        code: Address<Instruction>,
        programs: Address<ProgramEntry>,
        literals: Address<DeviceValue>,
        tasks: Address<TaskEntry>,
        samples: Address<SampleEntry>,
        items: Address<ItemEntry>,
        arenas: Address<u8>,
        scores: Address<ScoreEntry>,
        results: Address<ItemResultEntry>,
        /// Fuel of a program on a sample, unless its task has less.
        fuel: u64,
        /// Fuel of a node on a sample: programs with a node that needs more are left to the host.
        slice: u64,
        /// Samples as rows of four bits a cell, see `grid_pipeline.cuh`.
        rows: Address<u8>,
        graph_programs: Address<GraphProgramEntry>,
        nodes: Address<NodeEntry>,
        words: Address<u32>,
        /// The nodes in topological order.
        order: Address<u32>,
        steps: Address<StepEntry>,
        slots: Address<SlotEntry>,
        /// By the first slot of a node, the last phase that needs it.
        needed: Address<u32>,
        control: Address<ControlEntry>,
        heap: Address<u8>,
        heap_size: u64,
        arena_size: u32,
        chunk_size: u32,
        count: u32,
        node_count: u32,
        slot_count: u32,
        warps: u32,
        /// From 1 on.
        phase: u32,
        /// The samples of the phase: some demos, or the tests.
        first_demo: u32,
        last_demo: u32,
        with_tests: u32,
        /// Warps that share the samples of a node.
        groups: u32,
        /// Instructions that a node may execute on a sample.
        steps_each: u32,
    }
}
