//! The bodies of the fuzz targets. `batt-testing` runs them on the committed corpus and on changed copies of it.

#![expect(clippy::unwrap_used, reason = "tests")]

use batt_core::Random;
use batt_data::{load_bytes, write_task_json};
use batt_engine::{Card, CardProgramId, Executor, Limits};
use batt_gpu::DeviceExecutor;
use batt_gpu::emulator::Emulator;
use batt_program::random::Generator;
use batt_program::{ContentHash, Program, check, infer, parse_bytes, parse_file, print_program};

use batt_testing::compare::Comparison;
use batt_testing::executors::{Contender, HOST};
use batt_testing::inputs::Sample;

/// All executors; the first is right.
pub const ALL: [Contender; 3] = [HOST[0], HOST[1], emulator("emulator", false)];

/// The GPU's kernels on this machine, with the lanes of a warp in this order or the other.
pub const fn emulator(name: &'static str, backwards: bool) -> Contender {
    let make = if backwards { emulated::<true> } else { emulated::<false> };
    Contender { name, is_device: true, make }
}

fn emulated<const BACKWARDS: bool>(limits: Limits) -> Box<dyn Executor> {
    Box::new(DeviceExecutor::new(Emulator::new(BACKWARDS), limits))
}

/// Bytes are read as a file of programs. Whatever can be read has types, and is printed as text that reads as the same program; what is
/// wrong can be shown.
///
/// # Panics
///
/// If that is not so.
pub fn parse(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let file = parse_bytes(bytes);
    for error in &file.errors {
        let shown = error.render("fuzz.py", &text);
        assert!(shown.starts_with("fuzz.py:"), "{shown}");
    }
    for program in &file.programs {
        let _ = (check(program), infer(program));
        let printed = print_program(program);
        let again = parse_bytes(printed.as_bytes());
        assert!(again.errors.is_empty(), "{printed}\n{:?}", again.errors);
        assert!(again.programs.len() == 1 && again.programs[0] == *program, "reads differently when printed:\n{printed}");
    }
}

/// Bytes are a text of programs, or where that has none the numbers that a random program is drawn with. Every executor gives the same.
///
/// # Panics
///
/// If they do not.
pub fn execute(bytes: &[u8]) {
    let file = parse_bytes(bytes);
    let mut rng = Random::new(bytes.len() as u64);
    let programs = if file.programs.is_empty() { drawn(bytes) } else { file.programs };
    let samples: Vec<Sample> = (0..3).map(|_| Sample::random(&mut rng, 8)).collect();
    let samples: Vec<&Sample> = samples.iter().collect();
    let plenty = Limits { fuel: 20_000, ..Limits::default() };
    for limits in [plenty, Limits { fuel: 300, ..plenty }] {
        let programs: Vec<&Program> = programs.iter().collect();
        if let Err(difference) = Comparison::new(limits, &ALL).run_all(&programs, &samples) {
            assert!(difference.text.is_empty(), "{}", difference.text);
        }
    }
}

/// A program drawn with the bytes, eight for each number, and with numbers of a fixed order when they are spent.
fn drawn(bytes: &[u8]) -> Vec<Program> {
    let mut numbers = bytes.chunks(8).map(|chunk| {
        let mut number = [0; 8];
        number[..chunk.len()].copy_from_slice(chunk);
        u64::from_be_bytes(number)
    });
    let mut rest = Random::new(0);
    let program = Generator::new().program(&mut || numbers.next().unwrap_or_else(|| rest.next_u64()), 16);
    vec![program]
}

/// Bytes are a file of tasks. Whatever can be read is written as text that reads as the same task.
///
/// # Panics
///
/// If that is not so.
pub fn tasks(bytes: &[u8]) {
    let Ok(loaded) = load_bytes("fuzz.json", bytes) else { return };
    for task in &loaded.tasks {
        let text = write_task_json(task);
        let again = load_bytes(&format!("{}.json", task.id), text.as_bytes()).unwrap().tasks;
        assert!(again.len() == 1 && (&again[0].demos, &again[0].tests) == (&task.demos, &task.tests), "reads differently:\n{text}");
    }
}

/// Bytes are the payload of a card, and changes of one, three a change. Whatever reads as a card holds together.
///
/// # Panics
///
/// If it does not.
pub fn card_cache(bytes: &[u8]) {
    const HEADER: usize = 36;
    let mut card = Card::new();
    for program in parse_file(batt_starter::LIBRARY).programs.iter().take(4) {
        card.add(program);
    }
    let written = card.to_bytes();
    let mut changed = written.clone();
    for change in bytes.chunks_exact(3) {
        let place = usize::from(u16::from_be_bytes([change[0], change[1]])) % (written.len() - HEADER);
        changed[HEADER + place] = change[2];
    }
    let payload: Vec<u8> = written[..HEADER].iter().chain(bytes).copied().collect();
    let _ = Card::from_bytes(bytes);
    for mut bytes in [changed, payload] {
        let length = (bytes.len() - HEADER) as u64;
        let checksum = ContentHash::of_bytes(&bytes[HEADER..]).short();
        bytes[20..28].copy_from_slice(&length.to_le_bytes());
        bytes[28..HEADER].copy_from_slice(&checksum.to_le_bytes());
        let Ok(mut card) = Card::from_bytes(&bytes) else { continue };
        let again = Card::from_bytes(&card.to_bytes()).unwrap();
        assert_eq!(again.to_bytes(), card.to_bytes());
        let ids: Vec<CardProgramId> = card.programs().map(|(id, _)| id).collect();
        for id in ids {
            let _ = card.slice(id);
            assert!(card.remove(id));
        }
        assert!(card.is_empty());
    }
}

type Target = fn(&[u8]);

/// The targets by their names, which their corpora have too.
pub const TARGETS: [(&str, Target); 4] = [("parse", parse), ("execute", execute), ("tasks", tasks), ("card_cache", card_cache)];
