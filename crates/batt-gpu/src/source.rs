//! The kernels' text. It is compiled on the machine that runs it.

/// A file of the kernels by the name that others include it by.
pub(crate) type KernelFile = (&'static str, &'static str);

macro_rules! kernel_files {
    ($($name:literal),* $(,)?) => { &[$(($name, include_str!(concat!("../kernels/", $name)))),*] };
}

/// All files that the kernels are made of, headers that are generated included.
pub const KERNEL_FILES: &[KernelFile] = kernel_files![
    "platform.cuh",
    "value.cuh",
    "hash.cuh",
    "order.cuh",
    "sort.cuh",
    "build.cuh",
    "ops.cuh",
    "ops_colours.cuh",
    "ops_containers.cuh",
    "ops_cutting.cuh",
    "ops_containers_more.cuh",
    "ops_drawing.cuh",
    "ops_grids.cuh",
    "ops_lines.cuh",
    "ops_numbers.cuh",
    "ops_objects.cuh",
    "ops_patches.cuh",
    "ops_positions.cuh",
    "ops_ranks.cuh",
    "opcodes.h",
    "dispatch.h",
    "lanes.cuh",
    "lanes_build.cuh",
    "lanes_colours.cuh",
    "lanes_grids.cuh",
    "lanes_grids_more.cuh",
    "lanes_chosen.cuh",
    "lanes_containers.cuh",
    "lanes_lines.cuh",
    "lanes_patches.cuh",
    "lanes_pieces.cuh",
    "lanes_values.cuh",
    "loops.cuh",
    "program.cuh",
    "vector.cuh",
    "interpreter.cuh",
    "score.cuh",
    "card.cuh",
    "dedupe.cuh",
    "straight.cuh",
    "work.cuh",
    "main.cu",
];

/// The kernels as one text: each file once, in place of the lines that include it.
pub fn kernel_source() -> String {
    let mut text = String::new();
    let mut seen = Vec::new();
    append("main.cu", &mut seen, &mut text);
    text
}

fn append(name: &str, seen: &mut Vec<String>, text: &mut String) {
    let Some((_, file)) = KERNEL_FILES.iter().find(|(other, _)| *other == name) else { return };
    if seen.iter().any(|other| other == name) {
        return;
    }
    seen.push(name.to_owned());
    let mut unrolls = false;
    for line in file.lines() {
        // What warps wait for is the text of the kernels: loops are not unrolled, unless they say so.
        if line.trim_start().starts_with("for (") && !unrolls {
            text.push_str("#pragma unroll 1\n");
        }
        unrolls = line == "#pragma unroll";
        match line.strip_prefix("#include \"").and_then(|rest| rest.strip_suffix('"')) {
            Some("emulator.h") => text.push_str("#error \"the emulator is built by a C++ compiler\"\n"),
            Some(included) => append(included, seen, text),
            None if line == "#pragma once" => {}
            None => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
}
