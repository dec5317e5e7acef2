//! Evolution with devices is evolution without, bit for bit, whatever happens to the devices.
#![expect(clippy::unwrap_used, reason = "tests")]

use batt_core::Task;
use batt_engine::Limits;
use batt_gpu::{Choice, DeviceError, Fleet, FleetReport, Open};
use batt_gpu_emulator::{Asked, Emulator, Faulty};
use batt_program::{Program, parse_file};
use batt_search::Pairing;
use batt_search::evolve::{Accelerator, Evolution, EvolveOptions, GenerationReport, Job, Judgement};

const LIMITS: Limits = Limits { fuel: 100_000, grid_area: 1 << 16, set_len: 1 << 20, tuple_len: 1 << 16, call_depth: 16 };
const GENERATIONS: usize = 4;

fn inputs() -> (Vec<Task>, Vec<Program>) {
    let tasks: Vec<Task> = batt_starter::pack().into_iter().step_by(5).collect();
    (tasks, parse_file(batt_starter::LIBRARY).programs)
}

fn options(threads: usize) -> EvolveOptions {
    EvolveOptions { seed: 7, population: 120, limits: LIMITS, pairing: Pairing::All, threads, ..EvolveOptions::default() }
}

/// What a generation left behind, as far as it may not depend on devices, threads or time.
fn trace(report: &GenerationReport) -> String {
    let entries: Vec<String> =
        report.entries.iter().map(|entry| format!("{} {} {:?} {:?}", entry.task, entry.hash, entry.fitness, entry.source)).collect();
    format!("{} {} {} {:?} {:?} {}", report.tried, report.duplicates, report.evaluations, report.changed, report.solved, entries.join("; "))
}

fn without_devices() -> Vec<String> {
    let (tasks, programs) = inputs();
    let (mut evolution, _) = Evolution::new(&tasks, &programs, options(2)).unwrap();
    (0..GENERATIONS).map(|_| trace(&evolution.step())).collect()
}

/// A fleet whose report can be looked at when the evolution is over.
struct Shared<D: batt_gpu::Device + Send>(std::sync::Arc<std::sync::Mutex<Fleet<D>>>);

impl<D: batt_gpu::Device + Send> Accelerator for Shared<D> {
    fn wants(&mut self, programs: usize) -> bool {
        self.0.lock().unwrap().wants(programs)
    }

    fn start(&mut self, jobs: &[Job<'_>]) -> Vec<Vec<bool>> {
        self.0.lock().unwrap().start(jobs)
    }

    fn finish(&mut self, jobs: &[Job<'_>]) -> Vec<Vec<Option<Judgement>>> {
        self.0.lock().unwrap().finish(jobs)
    }

    fn took(&mut self, programs: usize, given: bool, time: std::time::Duration) {
        self.0.lock().unwrap().took(programs, given, time);
    }
}

fn with_devices<D: batt_gpu::Device + Send + 'static>(count: usize, open: Open<D>, choice: Choice) -> (Vec<String>, FleetReport) {
    let (tasks, programs) = inputs();
    let (mut evolution, _) = Evolution::new(&tasks, &programs, options(3)).unwrap();
    let fleet = std::sync::Arc::new(std::sync::Mutex::new(Fleet::new(count, open, &tasks, LIMITS, choice)));
    evolution.accelerate(Box::new(Shared(std::sync::Arc::clone(&fleet))));
    let traces = (0..GENERATIONS).map(|_| trace(&evolution.step())).collect();
    let report = fleet.lock().unwrap().report().clone();
    (traces, report)
}

#[test]
fn one_two_and_three_devices_change_nothing() {
    let expected = without_devices();
    for count in [1, 2, 3] {
        let (found, report) = with_devices(count, Box::new(|place| Ok(Emulator::new(place % 2 == 1))), Choice::Always);
        assert_eq!(found, expected, "{count} devices");
        assert!(report.judged > 200 && report.faults.is_empty(), "{report:?}");
        // A batch there, a word about each program back, and more about those that may be kept.
        let usage = report.usage;
        assert!(usage.transfers >= 3 * GENERATIONS as u64 && usage.transfers <= 3 * (GENERATIONS * count) as u64, "{usage:?}");
        assert!(usage.bytes > 4 * report.judged && usage.kernel > std::time::Duration::ZERO, "{usage:?}");
    }
}

#[test]
fn what_pays_changes_nothing_either() {
    let (found, report) = with_devices(1, Box::new(|_| Ok(Emulator::new(false))), Choice::WhatPays);
    assert_eq!(found, without_devices());
    // An emulator is slower than the processor that it runs on: it is tried once.
    assert_eq!(report.generations, (1, GENERATIONS as u64 - 1), "{report:?}");
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
        let (found, report) = with_devices(2, open, Choice::Always);
        assert_eq!(found, expected, "{error}");
        assert!(report.judged > 200, "{report:?}");
        assert_eq!(report.faults, [format!("device 0 was not opened: {error}")]);
        // None is there.
        let fault = error.clone();
        let open: Open<Emulator> = Box::new(move |_| Err(fault.clone()));
        let (found, report) = with_devices(1, open, Choice::Always);
        assert_eq!(found, expected, "{error}");
        assert_eq!((report.judged, report.faults.len()), (0, 1));
    }
}

#[test]
fn a_device_that_fails_in_mid_run_is_opened_again_or_replaced_by_the_processor() {
    let expected = without_devices();
    let errors = [DeviceError::Kernel("an illegal memory access".into()), DeviceError::Lost, DeviceError::Driver("unknown".into())];
    for error in errors {
        for (asked, after) in [(Asked::Launch, 1), (Asked::Read, 2), (Asked::Write, 3), (Asked::Allocate, 4)] {
            // Once: it is opened again, and goes on.
            let mut opened = 0;
            let fault = error.clone();
            let open: Open<Faulty<Emulator>> = Box::new(move |_| {
                opened += 1;
                let after = if opened == 1 { after } else { u32::MAX };
                Ok(Faulty::new(Emulator::new(false), asked, after, fault.clone()))
            });
            let (found, report) = with_devices(1, open, Choice::Always);
            assert_eq!(found, expected, "{error} when asked to {asked:?}");
            assert!(report.faults.len() == 1 && report.faults[0].contains("opened again"), "{report:?}");
            assert!(report.judged > 100, "{report:?}");
            // Every time: the processor goes on.
            let fault = error.clone();
            let open: Open<Faulty<Emulator>> = Box::new(move |_| Ok(Faulty::new(Emulator::new(false), asked, after, fault.clone())));
            let (found, report) = with_devices(1, open, Choice::Always);
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
        let (found, report) = with_devices(1, open, Choice::Always);
        assert_eq!(found, expected, "pieces of {most} bytes");
        assert!(report.faults.iter().all(|fault| fault.contains("bytes left")), "{report:?}");
    }
}
