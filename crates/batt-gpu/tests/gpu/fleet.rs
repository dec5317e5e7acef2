//! Evolution with devices is evolution without, bit for bit, whatever happens to the devices.

use batt_core::Task;
use batt_engine::Limits;
use batt_evolve::{AcceleratorReport, Evolution, EvolveOptions, GenerationReport};
use batt_gpu::emulator::{DeviceCall, Emulator, Faulty};
use batt_gpu::{Device, DeviceError, Fleet, Open};
use batt_program::{Program, parse_file};
use batt_run::Pairing;

const LIMITS: Limits = Limits { fuel: 100_000, grid_area: 1 << 16, set_len: 1 << 20, tuple_len: 1 << 16, call_depth: 16 };
const GENERATIONS: usize = 4;

fn inputs() -> (Vec<Task>, Vec<Program>) {
    let tasks: Vec<Task> = batt_starter::pack().into_iter().step_by(5).collect();
    (tasks, parse_file(batt_starter::LIBRARY).programs)
}

fn options(threads: usize) -> EvolveOptions {
    EvolveOptions { seed: 7, population: 120, limits: LIMITS, pairing: Pairing::All, threads, ..EvolveOptions::default() }
}

/// The results of a generation that may not depend on devices, threads or time.
fn trace(report: &GenerationReport) -> String {
    let entries: Vec<String> =
        report.entries.iter().map(|entry| format!("{} {} {:?} {:?}", entry.task, entry.hash, entry.fitness, entry.source)).collect();
    format!("{} {} {} {:?} {:?} {}", report.tried, report.duplicates, report.evaluations, report.changed, report.fits, entries.join("; "))
}

fn without_devices() -> Vec<String> {
    let (tasks, programs) = inputs();
    let (mut evolution, _) = Evolution::new(&tasks, &programs, options(2)).unwrap();
    (0..GENERATIONS).map(|_| trace(&evolution.step())).collect()
}

fn with_devices<D: Device + Send + 'static>(count: usize, open: Open<D>) -> (Vec<String>, AcceleratorReport) {
    let (tasks, programs) = inputs();
    let (mut evolution, _) = Evolution::new(&tasks, &programs, options(3)).unwrap();
    evolution.accelerate(Box::new(Fleet::new(&(0..count).collect::<Vec<_>>(), open, &tasks, LIMITS)));
    let traces = (0..GENERATIONS).map(|_| trace(&evolution.step())).collect();
    (traces, evolution.accelerator_report().unwrap().clone())
}

#[test]
fn one_two_and_three_devices_change_nothing() {
    let expected = without_devices();
    for count in [1, 2, 3] {
        let (found, report) = with_devices(count, Box::new(|place| Ok(Emulator::new(place % 2 == 1))));
        assert_eq!(found, expected, "{count} devices");
        assert!(report.judged > 200 && report.faults.is_empty(), "{report:?}");
        // A batch there, and a judgement of each program back.
        let usage = report.usage;
        assert!(usage.transfers >= 2 * GENERATIONS as u64 && usage.transfers <= 2 * (GENERATIONS * count) as u64, "{usage:?}");
        assert!(usage.bytes > 32 * report.judged && usage.kernel > std::time::Duration::ZERO, "{usage:?}");
    }
}

#[test]
fn devices_that_cannot_be_opened_are_left_out() {
    let expected = without_devices();
    for error in [
        DeviceError::NoDriver,
        DeviceError::NoCompiler,
        DeviceError::NoDevice(1),
        DeviceError::OldDriver("it knows CUDA 10".into()),
        DeviceError::OldDevice("GeForce 8800".into()),
        DeviceError::Compile("an error".into()),
    ] {
        // The second of two devices is there.
        let fault = error.clone();
        let open: Open<Emulator> = Box::new(move |place| if place == 0 { Err(fault.clone()) } else { Ok(Emulator::new(false)) });
        let (found, report) = with_devices(2, open);
        assert_eq!(found, expected, "{error}");
        assert!(report.judged > 200, "{report:?}");
        assert_eq!(report.faults, [format!("device 0 was not opened: {error}")]);
        // None is there.
        let fault = error.clone();
        let open: Open<Emulator> = Box::new(move |_| Err(fault.clone()));
        let (found, report) = with_devices(1, open);
        assert_eq!(found, expected, "{error}");
        assert_eq!((report.judged, report.faults.len()), (0, 1));
    }
}

#[test]
fn a_device_that_fails_in_mid_run_is_opened_again_or_replaced_by_the_processor() {
    let expected = without_devices();
    let errors = [DeviceError::Kernel("an illegal memory access".into()), DeviceError::Lost, DeviceError::Driver("unknown".into())];
    for error in errors {
        for (asked, after) in [(DeviceCall::Launch, 1), (DeviceCall::Read, 2), (DeviceCall::Write, 3), (DeviceCall::Allocate, 4)] {
            // Once: it is opened again, and goes on.
            let mut opened = 0;
            let fault = error.clone();
            let open: Open<Faulty<Emulator>> = Box::new(move |_| {
                opened += 1;
                let after = if opened == 1 { after } else { u32::MAX };
                Ok(Faulty::new(Emulator::new(false), asked, after, fault.clone()))
            });
            let (found, report) = with_devices(1, open);
            assert_eq!(found, expected, "{error} when asked to {asked:?}");
            assert!(report.faults.len() == 1 && report.faults[0].contains("opened again"), "{report:?}");
            assert!(report.judged > 100, "{report:?}");
            // Every time: the processor goes on.
            let fault = error.clone();
            let open: Open<Faulty<Emulator>> = Box::new(move |_| Ok(Faulty::new(Emulator::new(false), asked, after, fault.clone())));
            let (found, report) = with_devices(1, open);
            assert_eq!(found, expected, "{error} whenever asked to {asked:?}");
            assert!((1..=2).contains(&report.faults.len()), "{report:?}");
        }
    }
}

#[test]
fn too_little_memory_makes_batches_smaller_or_leaves_them_to_the_processor() {
    let expected = without_devices();
    // Enough for the tasks and an arena, not for the batches.
    for most in [300 << 10, 512 << 10] {
        let open: Open<Faulty<Emulator>> = Box::new(move |_| Ok(Faulty::with_little_memory(Emulator::new(false), most)));
        let (found, report) = with_devices(1, open);
        assert_eq!(found, expected, "pieces of {most} bytes");
        assert!(report.faults.iter().all(|fault| fault.contains("bytes left")), "{report:?}");
    }
}
