//! With the feature `emulator`: compiles the kernels, the files that NVRTC gets, for this machine.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "emulator")]
    compile_emulator();
}

#[cfg(feature = "emulator")]
fn compile_emulator() {
    println!("cargo::rerun-if-changed=kernels");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .opt_level(2)
        .include("kernels")
        .file("kernels/emulator.cpp")
        .flag_if_supported("-Wno-unknown-pragmas")
        .flag_if_supported("-fno-strict-aliasing")
        .warnings(false)
        .compile("batt_gpu_emulator");
}
