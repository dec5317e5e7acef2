//! Prints the kernels as one text, as it is given to NVRTC: to look at it, or to compile it by hand.

fn main() {
    print!("{}", batt_gpu_kernels::kernel_source());
}
