//! Compiles the kernels' text, the same that NVRTC gets, for this machine.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=cpp");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("kernels.cu"), batt_gpu_kernels::kernel_source())?;
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .opt_level(2)
        .include("cpp")
        .include(out)
        .file("cpp/emulator.cpp")
        .flag_if_supported("-Wno-unknown-pragmas")
        .flag_if_supported("-fno-strict-aliasing")
        .warnings(false)
        .compile("batt_gpu_emulator");
    Ok(())
}
