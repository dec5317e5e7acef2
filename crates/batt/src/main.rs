//! The program `batt`.

use std::process::ExitCode;

/// Programs make and drop many small values: with this allocator arc-dsl's programs take a fifth less time (`bench/runs/`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(batt::main(std::env::args_os()))
}
