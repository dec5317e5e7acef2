//! `batt gpu` and `--device` on a machine without a GPU, or with one that is hidden.

use crate::cli::support::{Ran, Sandbox};

/// Runs batt so that it sees no CUDA device.
fn without_devices(sandbox: &Sandbox, args: &[&str]) -> Ran {
    Ran::of(&sandbox.command(args).env("CUDA_VISIBLE_DEVICES", "").output().unwrap())
}

#[test]
#[cfg(feature = "gpu")]
fn what_there_is_is_said_also_where_there_is_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("library.py", batt_starter::LIBRARY);
    let ran = without_devices(&sandbox, &["gpu", "info", "--programs", "library.py"]).ends_with(0);
    assert!(ran.stdout.starts_with("no CUDA device"), "{}", ran.stdout);
    assert!(ran.stdout.contains("48 of 48 programs compile whole for the device"), "{}", ran.stdout);
}

#[test]
#[cfg(feature = "gpu")]
fn a_device_that_is_asked_for_must_be_there() {
    let sandbox = Sandbox::new();
    for args in [&["gpu", "check"][..], &["gpu", "bench"], &["evolve", "--store", "my.store", "--generations", "1", "--device", "cuda:3"]] {
        let ran = without_devices(&sandbox, args).ends_with(1);
        assert!(ran.stderr.contains("no CUDA"), "{}", ran.stderr);
    }
    // Nothing was begun.
    let ran = sandbox.batt(&["lib", "list", "my.store"]).ends_with(0);
    assert!(ran.stdout.contains("0 programs, 0 scores on 0 tasks (fits 0), 0 runs"), "{}", ran.stdout);
    let ran = sandbox.batt(&["evolve", "--store", "my.store", "--device", "gpu"]).ends_with(2);
    assert!(ran.stderr.contains("none of cpu, cuda"), "{}", ran.stderr);
}

#[test]
#[cfg(not(feature = "gpu"))]
fn a_build_without_devices_says_so() {
    let sandbox = Sandbox::new();
    for args in [&["gpu", "info"][..], &["gpu", "check"], &["evolve", "--store", "my.store", "--generations", "1", "--device", "cuda"]] {
        let ran = without_devices(&sandbox, args).ends_with(1);
        assert!(ran.stderr.contains("--features gpu"), "{}", ran.stderr);
    }
}
