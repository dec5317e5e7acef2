//! Runs reference calls from stdin, one JSON object a line, and prints for each what the primitive gives: `=` if the line has that value,
//! else the value, or the reason why it is undefined. `bench/differences.py` compares batt with arc-dsl through it.

use std::io::{BufRead, BufReader, Write};

use batt_dsl::conformance::{Verdict, read_call, verify, write_value};
use batt_dsl::{Limits, Machine};

fn main() -> std::io::Result<()> {
    let mut machine = Machine::fast(Limits::default());
    // Flushed after each line, since the caller waits for it.
    let mut out = std::io::stdout().lock();
    for line in BufReader::new(std::io::stdin().lock()).lines() {
        let line = line?;
        match read_call(&line, &mut machine).map(|call| verify(&call, &mut machine)) {
            Ok(Verdict::Holds) => writeln!(out, "=")?,
            Ok(Verdict::Differs { found: Ok(value) }) => writeln!(out, "{}", write_value(&value))?,
            Ok(Verdict::Differs { found: Err(reason) }) => writeln!(out, "undefined: {reason}")?,
            Err(error) => writeln!(out, "unreadable: {error}")?,
        }
    }
    Ok(())
}
