//! Compiles the kernels' text for this machine.

fn main() {
    println!("cargo::rerun-if-changed=cpp");
    println!("cargo::rerun-if-changed=../batt-gpu/kernels");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .opt_level(2)
        .include("cpp")
        .include("../batt-gpu/kernels")
        .file("cpp/emulator.cpp")
        .flag_if_supported("-Wno-unknown-pragmas")
        .flag_if_supported("-fno-strict-aliasing")
        .warnings(false)
        .compile("batt_gpu_emulator");
}
