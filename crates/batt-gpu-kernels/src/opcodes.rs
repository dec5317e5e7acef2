//! Which primitives the device has, and the headers that tell the kernels of the table of primitives.

use std::fmt::Write;
use std::sync::LazyLock;

use batt_core::PrimId;
use batt_dsl::{Cells, Cost, Device, Prim, Primitive, cells_of, primitive, primitive_bound, primitives};

use crate::source::KERNEL_FILES;

/// Instructions that are no primitives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum Control {
    /// Begins a primitive that calls a function on items.
    Loop = 4000,
    /// Takes what the function gave.
    Next,
    /// Whether two values are equal, at no cost.
    Match,
    /// Takes fuel.
    Charge,
    /// Has no answer.
    Fail,
    /// Ends the program with a value.
    Return,
    /// Goes on elsewhere unless a value is true, at no cost.
    Unless,
    /// Gives a value as it is and goes on elsewhere, at no cost.
    Move,
}

/// Whether the kernels have a primitive, or a loop for it. They know cells as arc-dsl has them.
pub fn is_covered(id: PrimId) -> bool {
    cells_of(id) == Cells::Cij && primitive(id).device != Device::None
}

/// The primitives that the kernels have, by name: an operation is a place in this list. So a row that they do not have changes none.
static OPERATIONS: LazyLock<Vec<PrimId>> = LazyLock::new(|| rows().map(|(id, _)| id).collect());

fn rows() -> impl Iterator<Item = (PrimId, &'static Primitive)> {
    primitives().filter(|(_, row)| row.alias.is_none() && row.device != Device::None)
}

/// The operation of a row that the kernels have; one that no kernel has for others.
pub fn operation(id: PrimId) -> u16 {
    static PLACES: LazyLock<Vec<u16>> = LazyLock::new(|| {
        let mut places = vec![Control::Fail as u16; primitive_bound()];
        for (place, id) in OPERATIONS.iter().enumerate() {
            places[usize::from(id.0)] = place as u16;
        }
        places
    });
    PLACES[usize::from(id.0)]
}

/// The row of an operation.
pub(crate) fn primitive_of(operation: u16) -> Option<PrimId> {
    OPERATIONS.get(usize::from(operation)).copied()
}

/// The primitive at which the device left a program to the host. What a loop does between its calls counts as `apply`.
pub fn refused_at(operation: u16) -> PrimId {
    primitive_of(operation).unwrap_or(Prim::apply.into())
}

fn c_name(row: &Primitive) -> String {
    format!("OP_{}", row.name)
}

/// `opcodes.h`: the table as the kernels see it.
pub(crate) fn opcodes_header() -> String {
    let mut text = String::from(
        "#pragma once\n#include \"platform.cuh\"\n\n#ifdef __CUDACC_RTC__\n#define TABLE __constant__ const u8\n#else\n#define TABLE static const u8\n#endif\n\n",
    );
    let rows: Vec<&Primitive> = rows().map(|(_, row)| row).collect();
    let _ = writeln!(text, "const u32 PRIMITIVES = {};\n", rows.len());
    text.push_str("enum Op : u32 {\n");
    for (place, row) in rows.iter().enumerate() {
        let _ = writeln!(text, "    {} = {place},", c_name(row));
    }
    for (name, op) in [
        ("OP_LOOP", Control::Loop),
        ("OP_NEXT", Control::Next),
        ("OP_MATCH", Control::Match),
        ("OP_CHARGE", Control::Charge),
        ("OP_FAIL", Control::Fail),
        ("OP_RETURN", Control::Return),
        ("OP_UNLESS", Control::Unless),
        ("OP_MOVE", Control::Move),
    ] {
        let _ = writeln!(text, "    {name} = {},", op as u16);
    }
    text.push_str("};\n\nenum Cost : u32 { COST_UNIT, COST_LINEAR, COST_PRODUCT };\n\n");
    table(
        &mut text,
        "COSTS",
        "What a call costs.",
        rows.iter().map(|row| match row.cost {
            Cost::Unit => 0,
            Cost::Linear => 1,
            Cost::Product => 2,
        }),
    );
    table(&mut text, "ARITIES", "The number of arguments.", rows.iter().map(|row| row.params.len()));
    text
}

fn table(text: &mut String, name: &str, about: &str, numbers: impl Iterator<Item = usize>) {
    let numbers: Vec<String> = numbers.map(|n| n.to_string()).collect();
    let _ = writeln!(text, "// {about}\nTABLE {name}[PRIMITIVES] = {{");
    for line in numbers.chunks(32) {
        let _ = writeln!(text, "    {},", line.join(", "));
    }
    text.push_str("};\n\n");
}

/// The row of an operation that the kernel of grid pipelines has.
pub fn grid_step(operation: u16) -> Option<&'static Primitive> {
    primitive_of(operation).map(primitive).filter(|row| row.grid_step)
}

/// `grid_steps.h`: the rows that the kernel of grid pipelines has, as arguments of a macro.
pub(crate) fn grid_steps_header() -> String {
    let steps: Vec<String> = rows().filter(|(_, row)| row.grid_step).map(|(_, row)| format!("STEP({})", row.name)).collect();
    format!("#pragma once\n#define GRID_STEPS(STEP) {}\n", steps.join(" "))
}

/// Whether single lanes can do an operation.
pub fn is_for_lanes(operation: u16) -> bool {
    primitive_of(operation).is_some_and(|id| matches!(primitive(id).device, Device::Lanes | Device::LanesInRoom))
}

/// A list of functions: its type and name, the prefix of its functions, what it is, and what has one.
type List = (&'static str, &'static str, &'static str, fn(Device) -> bool);

/// `dispatch.h`: the functions of primitives that the kernels have, by number.
pub(crate) fn dispatch_header() -> String {
    let mut text = String::from("#pragma once\n");
    for (name, _) in KERNEL_FILES.iter().filter(|(name, _)| name.starts_with("ops_") || name.starts_with("lanes_")) {
        let _ = writeln!(text, "#include \"{name}\"");
    }
    text.push_str("#include \"opcodes.h\"\n\n#ifdef __CUDACC_RTC__\n#define FUNCTIONS __device__ const\n#else\n#define FUNCTIONS static const\n#endif\n");
    let lists: [List; 3] = [
        ("WarpOp OPS", "op_", "By a warp together.", |device| device != Device::Loop),
        ("LaneOp LANE_OPS", "lane_", "By single lanes.", |device| matches!(device, Device::Lanes | Device::LanesInRoom)),
        ("LaneRoom LANE_ROOMS", "room_", "The memory that single lanes need.", |device| device == Device::LanesInRoom),
    ];
    for (list, prefix, about, has) in lists {
        let _ = writeln!(text, "\n// {about}\nFUNCTIONS {list}[PRIMITIVES] = {{");
        for (_, row) in rows() {
            let function = if has(row.device) { format!("{prefix}{}", row.name) } else { "nullptr".to_owned() };
            let _ = writeln!(text, "    {function},");
        }
        text.push_str("};\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row that names a function that is not there does not compile; this is for functions that no row names.
    #[test]
    fn the_kernel_files_define_what_the_rows_say() {
        let defined = |what: &str, name: &str| {
            let text = format!("\n{what}({name}) {{");
            KERNEL_FILES.iter().any(|(_, file)| file.contains(&text))
        };
        for (_, row) in primitives().filter(|(_, row)| row.alias.is_none()) {
            let found = [defined(&format!("OP{}", row.params.len()), row.name), defined("LANE", row.name), defined("ROOM", row.name)];
            let expected = match row.device {
                Device::None | Device::Loop => [false, false, false],
                Device::Warp => [true, false, false],
                Device::Lanes => [true, true, false],
                Device::LanesInRoom => [true, true, true],
            };
            assert_eq!(found, expected, "{}", row.name);
            assert_eq!(defined("    GRID_STEP", row.name), row.grid_step, "{}", row.name);
        }
    }
}
