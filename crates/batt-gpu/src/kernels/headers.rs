//! The generated headers: the table of primitives and the shared structures as the kernels see them. They are committed beside the other
//! files of the kernels, so that nothing generates them in a build; a test compares them.

use std::fmt::Write;

use batt_dsl::{Cost, Device, Primitive};

use super::layout::structures_header;
use super::opcodes::{Control, rows};
use super::source::FILES;

/// The generated headers, by their names in `kernels/`.
pub fn headers() -> [(&'static str, String); 4] {
    let headers = [
        ("structures.h", structures_header()),
        ("opcodes.h", opcodes_header()),
        ("dispatch.h", dispatch_header()),
        ("grid_steps.h", grid_steps_header()),
    ];
    headers.map(|(name, text)| (name, format!("// Generated: `UPDATE_EXPECT=1 cargo test -p batt-gpu` writes it.\n{text}")))
}

/// `opcodes.h`: the table as the kernels see it.
fn opcodes_header() -> String {
    let mut text = String::from(
        "#pragma once\n#include \"platform.cuh\"\n\n#ifdef __CUDACC_RTC__\n#define TABLE __constant__ const u8\n#else\n#define TABLE static const u8\n#endif\n\n",
    );
    let rows: Vec<&Primitive> = rows().map(|(_, row)| row).collect();
    let _ = writeln!(text, "const u32 PRIMITIVES = {};\n", rows.len());
    text.push_str("enum Op : u32 {\n");
    for row in &rows {
        let _ = writeln!(text, "    OP_{},", row.name);
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

/// `grid_steps.h`: the rows that the kernel of grid pipelines has, as arguments of a macro.
fn grid_steps_header() -> String {
    let steps: Vec<String> = rows().filter(|(_, row)| row.grid_step).map(|(_, row)| format!("STEP({})", row.name)).collect();
    format!("#pragma once\n#define GRID_STEPS(STEP) {}\n", steps.join(" "))
}

/// A list of functions: its type and name, the prefix of its functions, what it is, and what has one.
type List = (&'static str, &'static str, &'static str, fn(Device) -> bool);

/// `dispatch.h`: the functions of primitives that the kernels have, by number.
fn dispatch_header() -> String {
    let mut text = String::from("#pragma once\n");
    for (name, _) in FILES.iter().filter(|(name, _)| name.starts_with("ops_") || name.starts_with("lanes_")) {
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
    use batt_dsl::primitives;

    use super::*;

    #[test]
    fn the_committed_headers_are_those_of_the_table_and_of_the_structures() {
        for (name, text) in headers() {
            let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels").join(name);
            expect_test::expect_file![path].assert_eq(&text);
        }
    }

    /// A row that names a function that is not there does not compile; this is for functions that no row names.
    #[test]
    fn the_kernel_files_define_what_the_rows_say() {
        let defined = |what: &str, name: &str| {
            let text = format!("\n{what}({name}) {{");
            FILES.iter().any(|(_, file)| file.contains(&text))
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
