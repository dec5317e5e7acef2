//! How soon the list of neighbours comes to what mends a program.
//!
//! ```console
//! $ bench/scramble.py solvers.py --changes 1 --seed 1 > scrambled.py
//! $ cargo run --release -p batt-evolve --example repairs -- arc1.whl:arc1:training solvers.py scrambled.py
//! ```
//!
//! For each program of the scrambled library: at which position of its neighbourhood the program stands that it was before. A program whose
//! hash is unchanged is counted apart.

use std::collections::HashMap;
use std::error::Error;

use batt_core::Task;
use batt_data::{Context, Source, load};
use batt_evolve::mutate::{Neighbourhood, TaskFacts, TypedProgram, canonical_hash};
use batt_program::{Program, parse_file};
use batt_run::task_in_name;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [source, library, scrambled @ ..] = &args[..] else {
        return Err("usage: repairs TASKS LIBRARY SCRAMBLED...".into());
    };
    let starter = batt_starter::pack;
    let tasks = load(&Source::parse(source), &Context::new(None, &starter))?.tasks;
    let tasks: HashMap<&str, &Task> = tasks.iter().map(|task| (task.id.as_str(), task)).collect();
    let originals = parse_file(&std::fs::read_to_string(library)?).programs;
    let originals: HashMap<&str, &Program> = originals.iter().map(|program| (program.name(), program)).collect();
    for path in scrambled {
        let (mut positions, mut sizes) = (Vec::new(), Vec::new());
        let (mut unchanged, mut beyond) = (0, 0);
        let programs = parse_file(&std::fs::read_to_string(path)?).programs;
        for program in &programs {
            let name = program.name();
            let task = task_in_name(name, |id| tasks.get(id)).ok_or_else(|| format!("{name}: no such task"))?;
            let original =
                originals.get(name).and_then(|original| canonical_hash(original)).ok_or_else(|| format!("{name}: no original"))?;
            let parent = TypedProgram::new(program)?;
            if parent.hash() == original {
                unchanged += 1;
                continue;
            }
            let mut neighbours = Neighbourhood::new(&parent, &TaskFacts::new(&task.demos));
            sizes.push(neighbours.at_most());
            match neighbours.position(|neighbour| neighbour.hash == original) {
                Some(position) => positions.push(position + 1),
                None => beyond += 1,
            }
        }
        println!("{} programs, {unchanged} unchanged, {beyond} more than one change away", programs.len());
        println!("  position of the repair:   {}", quantiles(&mut positions));
        println!("  size of the neighbourhood: {}", quantiles(&mut sizes));
    }
    Ok(())
}

fn quantiles(numbers: &mut [usize]) -> String {
    numbers.sort_unstable();
    let at = |percent: usize| numbers.get(numbers.len().saturating_sub(1) * percent / 100).copied().unwrap_or(0);
    format!("median {}, 90% {}, most {}", at(50), at(90), at(100))
}
