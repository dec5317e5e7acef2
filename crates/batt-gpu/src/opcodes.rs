//! Which primitives the device has, and the headers that tell the kernels of the table of primitives.

use std::fmt::Write;
use std::sync::OnceLock;

use batt_core::PrimId;
use batt_dsl::{Cost, Primitive, primitive, primitives};

use crate::source::KERNEL_FILES;

/// Instructions that are no primitives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(crate) enum Control {
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

/// The primitive that an alias stands for, or the primitive itself.
pub(crate) fn base_of(id: PrimId) -> PrimId {
    primitive(id).alias.map_or(id, |alias| alias.base.into())
}

/// Whether the kernels have a primitive, or a loop for it.
pub fn is_covered(id: PrimId) -> bool {
    let base = base_of(id);
    covered()[usize::from(base.0)] || LOOPS.contains(&primitive(base).name)
}

/// The primitives that call functions, which the interpreter knows. `loops.cuh` has the same names.
pub(crate) const LOOPS: [&str; 16] = [
    "apply",
    "argmax",
    "argmin",
    "extract",
    "get_arg_rank",
    "get_nth_by_key",
    "get_val_rank",
    "mapply",
    "mfilter",
    "mpapply",
    "order",
    "papply",
    "prapply",
    "sfilter",
    "valmax",
    "valmin",
];

/// By primitive, whether a kernel file has it.
fn covered() -> &'static [bool] {
    static COVERED: OnceLock<Vec<bool>> = OnceLock::new();
    COVERED.get_or_init(|| primitives().map(|(_, row)| row.alias.is_none() && arity_in_kernels(row.name).is_some()).collect())
}

/// With how many arguments the kernel files define a primitive.
fn arity_in_kernels(name: &str) -> Option<usize> {
    (1..=4).find(|arity| {
        let text = format!("\nOP{arity}({name}) {{");
        KERNEL_FILES.iter().any(|(_, file)| file.contains(&text))
    })
}

fn c_name(row: &Primitive) -> String {
    format!("OP_{}", row.name)
}

/// `opcodes.h`: the table as the kernels see it.
pub fn opcodes_header() -> String {
    let mut text = String::from(
        "// Generated from the table of primitives; `cargo test -p batt-gpu` says when it is stale, and with `UPDATE_EXPECT=1` it renews it.\n\
         #pragma once\n#include \"platform.cuh\"\n\n#ifdef __CUDACC_RTC__\n#define TABLE __constant__ const u8\n#else\n#define TABLE static const u8\n#endif\n\n",
    );
    let rows: Vec<&Primitive> = primitives().map(|(_, row)| row).collect();
    let _ = writeln!(text, "const u32 PRIMITIVES = {};\n", rows.len());
    text.push_str("enum Op : u32 {\n");
    for (id, row) in primitives().filter(|(_, row)| row.alias.is_none()) {
        let _ = writeln!(text, "    {} = {},", c_name(row), id.0);
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
    table(
        &mut text,
        "CONTAINERS",
        "Bit k for each parameter k that takes a container: those that an alias looks at.",
        rows.iter().map(|row| row.params.iter().enumerate().filter(|(_, param)| param.takes.is_container()).map(|(k, _)| 1 << k).sum()),
    );
    text.push_str("// Powers of the factor of a behaviour.\n#ifdef __CUDACC_RTC__\n__constant__ const u64 POWERS[] = {\n#else\nstatic const u64 POWERS[] = {\n#endif\n");
    for line in powers().chunks(4) {
        let _ = writeln!(text, "    {},", line.join(", "));
    }
    text.push_str("};\n");
    text
}

/// The powers of the factor of [`batt_engine::Behaviour`], from 0 to 64.
fn powers() -> Vec<String> {
    let mut power = 1u64;
    (0..=64)
        .map(|_| {
            let text = format!("{power:#018x}ull");
            power = power.wrapping_mul(batt_engine::Behaviour::FACTOR);
            text
        })
        .collect()
}

fn table(text: &mut String, name: &str, about: &str, numbers: impl Iterator<Item = usize>) {
    let numbers: Vec<String> = numbers.map(|n| n.to_string()).collect();
    let _ = writeln!(text, "// {about}\nTABLE {name}[PRIMITIVES] = {{");
    for line in numbers.chunks(32) {
        let _ = writeln!(text, "    {},", line.join(", "));
    }
    text.push_str("};\n\n");
}

/// Whether single lanes can call a primitive.
pub(crate) fn is_for_lanes(id: PrimId) -> bool {
    static FOR_LANES: OnceLock<Vec<bool>> = OnceLock::new();
    let all = FOR_LANES.get_or_init(|| primitives().map(|(_, row)| row.alias.is_none() && defines("LANE", row.name)).collect());
    all[usize::from(base_of(id).0)]
}

fn defines(what: &str, name: &str) -> bool {
    let text = format!("\n{what}({name}) {{");
    KERNEL_FILES.iter().any(|(_, file)| file.contains(&text))
}

/// A list of functions: its type and name, the prefix of its functions, what it is, and whether a primitive has one.
type List = (&'static str, &'static str, &'static str, fn(&str) -> bool);

/// `dispatch.h`: the functions of primitives that the kernels have, by number.
pub fn dispatch_header() -> String {
    let mut text = String::from(
        "// Generated from the kernel files; `cargo test -p batt-gpu` says when it is stale, and with `UPDATE_EXPECT=1` it renews it.\n#pragma once\n",
    );
    for (name, _) in KERNEL_FILES.iter().filter(|(name, _)| name.starts_with("ops_") || name.starts_with("lanes_")) {
        let _ = writeln!(text, "#include \"{name}\"");
    }
    text.push_str("#include \"opcodes.h\"\n\n#ifdef __CUDACC_RTC__\n#define FUNCTIONS __device__ const\n#else\n#define FUNCTIONS static const\n#endif\n");
    let lists: [List; 3] = [
        ("WarpOp OPS", "op_", "By a warp together.", |name| arity_in_kernels(name).is_some()),
        ("LaneOp LANE_OPS", "lane_", "By single lanes.", |name| defines("LANE", name)),
        ("LaneRoom LANE_ROOMS", "room_", "The memory that single lanes need.", |name| defines("ROOM", name)),
    ];
    for (list, prefix, about, has) in lists {
        let _ = writeln!(text, "\n// {about}\nFUNCTIONS {list}[PRIMITIVES] = {{");
        for (_, row) in primitives() {
            let function = if row.alias.is_none() && has(row.name) { format!("{prefix}{}", row.name) } else { "nullptr".to_owned() };
            let _ = writeln!(text, "    {function},");
        }
        text.push_str("};\n");
    }
    text
}
