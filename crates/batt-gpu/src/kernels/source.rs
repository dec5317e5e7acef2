//! The kernels' text. It is compiled on the machine that runs it.

macro_rules! kernel_files {
    ($($name:literal),* $(,)?) => { &[$(($name, include_str!(concat!("../../kernels/", $name)))),*] };
}

/// The files of the kernels, by the names that others include them by.
pub const FILES: &[(&str, &str)] = kernel_files![
    "structures.h",
    "opcodes.h",
    "dispatch.h",
    "grid_steps.h",
    "platform.cuh",
    "value.cuh",
    "order.cuh",
    "sort.cuh",
    "build.cuh",
    "ops.cuh",
    "ops_collections.cuh",
    "ops_colours.cuh",
    "ops_containers.cuh",
    "ops_cutting.cuh",
    "ops_drawing.cuh",
    "ops_grids.cuh",
    "ops_lines.cuh",
    "ops_numbers.cuh",
    "ops_objects.cuh",
    "ops_patches.cuh",
    "ops_positions.cuh",
    "ops_ranks.cuh",
    "lanes.cuh",
    "lanes_build.cuh",
    "lanes_containers.cuh",
    "lanes_lines.cuh",
    "lanes_patches.cuh",
    "lanes_values.cuh",
    "loops.cuh",
    "program.cuh",
    "vector.cuh",
    "interpreter.cuh",
    "score.cuh",
    "graph.cuh",
    "grid_pipeline.cuh",
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
    if seen.iter().any(|other| other == name) {
        return;
    }
    seen.push(name.to_owned());
    let file = FILES.iter().find(|(other, _)| *other == name).map_or("", |(_, text)| text);
    let mut unrolls = false;
    for line in file.lines() {
        // Instruction caches limit the kernels: loops are not unrolled, unless they say so.
        if line.trim_start().starts_with("for (") && !unrolls {
            text.push_str("#pragma unroll 1\n");
        }
        unrolls = line == "#pragma unroll";
        match line.strip_prefix("#include \"").and_then(|rest| rest.strip_suffix('"')) {
            Some(included) => append(included, seen, text),
            None if line == "#pragma once" => {}
            None => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
}
