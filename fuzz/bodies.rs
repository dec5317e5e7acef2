//! What the fuzz targets do with bytes. The tests of batt-engine do the same on the committed corpus and on changed copies of it.

use batt_engine::Limits;
use batt_program::random::Generator;
use batt_program::{Program, check, infer, parse_bytes, print_program};

use crate::common::compare::Both;
use crate::common::inputs::Sample;
use crate::common::rng::Rng;

/// Bytes are read as a file of programs. Whatever can be read has types, and is printed as text that reads as the same program; what is
/// wrong can be shown.
///
/// # Panics
///
/// If that is not so.
pub(crate) fn parse(bytes: &[u8]) {
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

/// Bytes are a text of programs, or where that has none the numbers that a random program is drawn with. Both executors give the same.
///
/// # Panics
///
/// If they do not.
pub(crate) fn execute(bytes: &[u8]) {
    let file = parse_bytes(bytes);
    let mut rng = Rng::new(bytes.len() as u64);
    let programs = if file.programs.is_empty() { drawn(bytes) } else { file.programs };
    let samples: Vec<Sample> = (0..3).map(|_| Sample::random(&mut rng, 8)).collect();
    let samples: Vec<&Sample> = samples.iter().collect();
    let plenty = Limits { fuel: 20_000, ..Limits::default() };
    for limits in [plenty, Limits { fuel: 300, ..plenty }] {
        let mut both = Both::new(limits);
        for program in &programs {
            if let Err(difference) = both.run(program, &samples) {
                assert!(difference.text.is_empty(), "{}", difference.text);
            }
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
    let mut rest = Rng::new(0);
    let program = Generator::new().program(&mut || numbers.next().unwrap_or_else(|| rest.next()), 16);
    vec![program]
}
