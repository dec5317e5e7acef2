//! Logging to stderr: `-v`, `RUST_LOG` and `--log-json`.
//!
//! Nothing is set up unless it is asked for; then an event costs one comparison of a number, and there are none in hot loops.

use std::io::{self, Write};

use batt_core::shown::inert;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt;

use crate::args::Cli;
use crate::commands::UsageError;

/// Turns diagnostics on as far as the command line and the environment ask for them.
pub(crate) fn start(cli: &Cli, colours: bool) -> anyhow::Result<()> {
    let wanted = std::env::var("RUST_LOG").unwrap_or_default();
    if wanted.is_empty() && cli.verbose == 0 && !cli.log_json {
        return Ok(());
    }
    let level = match cli.verbose {
        0 | 1 => LevelFilter::INFO,
        2 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    let filter = if wanted.is_empty() { EnvFilter::new(level.to_string()) } else { parsed(&wanted)? };
    let subscriber = fmt().with_env_filter(filter).with_writer(move || Log { colours }).with_ansi(colours);
    // Nobody else sets one up, so that this cannot fail; and it would be no reason not to work.
    if cli.log_json {
        let _ = subscriber.json().try_init();
    } else {
        let _ = subscriber.try_init();
    }
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "batt begins");
    Ok(())
}

/// Stderr, without anything from a file that a terminal would act upon. Colours come from whoever writes the lines, which writes out escapes in
/// what it is given.
struct Log {
    colours: bool,
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let mut shown = String::with_capacity(text.len());
        let mut rest = &*text;
        while let Some((before, after)) = rest.split_once('\x1b').filter(|_| self.colours) {
            shown.push_str(&inert(before));
            let end = after.find(|c: char| !matches!(c, '[' | ';' | '0'..='9')).unwrap_or(after.len());
            shown.push_str(if after[end..].starts_with('m') { "\x1b" } else { "\\u001b" });
            rest = after;
        }
        shown.push_str(&inert(rest));
        io::stderr().write_all(shown.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

fn parsed(wanted: &str) -> Result<EnvFilter, UsageError> {
    EnvFilter::builder().parse(wanted).map_err(|error| UsageError(format!("RUST_LOG is {wanted:?}: {error}")))
}
