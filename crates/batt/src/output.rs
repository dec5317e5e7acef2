//! What the user sees: results on stdout, everything else on stderr, colours only where they are wanted.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::time::Duration;

use console::{Style, Term};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tracing::level_filters::LevelFilter;

use crate::args::When;

/// How often a progress bar is drawn, also if nothing has happened.
const TICK: Duration = Duration::from_millis(120);

/// How a stream is written to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    /// Whether it takes colours.
    pub(crate) colour: bool,
    /// The width of the terminal; `None` if it is no terminal.
    pub(crate) width: Option<usize>,
}

/// The meaning of a piece of text, from which its colour follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Like the text around it.
    Plain,
    /// A heading or a name.
    Strong,
    /// Something that can be passed over.
    Faint,
    /// As it should be.
    Good,
    /// Not as it should be.
    Bad,
    /// Worth a look.
    Warning,
}

/// The two streams.
pub(crate) struct Output {
    stdout: BufWriter<Stdout>,
    /// How stdout is written to.
    pub(crate) look: Look,
    stderr_look: Look,
}

impl Look {
    /// Text in a tone.
    pub(crate) fn paint(self, tone: Tone, text: impl Display) -> String {
        let style = match tone {
            Tone::Plain => return text.to_string(),
            Tone::Strong => Style::new().bold(),
            Tone::Faint => Style::new().dim(),
            Tone::Good => Style::new().green(),
            Tone::Bad => Style::new().red(),
            Tone::Warning => Style::new().yellow(),
        };
        style.force_styling(self.colour).apply_to(text).to_string()
    }

    fn of(terminal: bool, term: &Term, when: When) -> Self {
        let allowed = || std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let dumb = || std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let colour = match when {
            When::Always => true,
            When::Never => false,
            When::Auto => terminal && allowed() && !dumb(),
        };
        let width = terminal.then(|| term.size_checked().map_or(80, |(_, columns)| usize::from(columns).max(20)));
        Self { colour, width }
    }
}

impl Output {
    /// Looks at the streams and the environment.
    pub(crate) fn new(when: When) -> Self {
        Self {
            stdout: BufWriter::new(io::stdout()),
            look: Look::of(io::stdout().is_terminal(), &Term::stdout(), when),
            stderr_look: Look::of(io::stderr().is_terminal(), &Term::stderr(), when),
        }
    }

    /// Text on stdout in a tone.
    pub(crate) fn paint(&self, tone: Tone, text: impl Display) -> String {
        self.look.paint(tone, text)
    }

    /// Whether stderr takes colours.
    pub(crate) fn colours_on_stderr(&self) -> bool {
        self.stderr_look.colour
    }

    /// A line on stderr that says what was done.
    pub(crate) fn note(&mut self, text: impl Display) {
        self.say(text);
    }

    /// A line on stderr about something that was skipped or is odd.
    pub(crate) fn warn(&mut self, text: impl Display) {
        let word = self.stderr_look.paint(Tone::Warning, "warning:");
        self.say(format_args!("{word} {text}"));
    }

    /// A line on stderr about what went wrong.
    pub(crate) fn error(&mut self, text: impl Display) {
        let word = self.stderr_look.paint(Tone::Bad, "error:");
        self.say(format_args!("{word} {text}"));
    }

    fn say(&mut self, text: impl Display) {
        // On a terminal the two streams appear in the order they were written. Nobody is left to tell when stderr fails.
        let _ = self.stdout.flush();
        let _ = writeln!(io::stderr(), "{text}");
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stdout.write(bytes).map_err(of_stdout)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush().map_err(of_stdout)
    }
}

/// The same error, saying what it is about.
fn of_stdout(error: io::Error) -> io::Error {
    // Whoever is interrupted tries again, and needs the error as it is.
    if error.kind() == io::ErrorKind::Interrupted {
        error
    } else {
        io::Error::new(error.kind(), format!("cannot write to stdout: {error}"))
    }
}

/// A progress bar on stderr, if that is a terminal.
pub(crate) fn progress(length: u64, what: &str) -> ProgressBar {
    let Some(target) = target() else { return ProgressBar::hidden() };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    let template = "{prefix} [{bar:30}] {human_pos}/{human_len}  {elapsed} elapsed, {eta} left";
    let bar = bar.with_style(bar_style(template).progress_chars("=> ")).with_prefix(what.to_owned());
    bar.enable_steady_tick(TICK);
    bar
}

/// A sign of life on stderr, if that is a terminal, for work whose length is not known.
pub(crate) fn spinner(what: &str) -> ProgressBar {
    let Some(target) = target() else { return ProgressBar::hidden() };
    let spinner =
        ProgressBar::with_draw_target(None, target).with_style(bar_style("{spinner} {msg} {elapsed}")).with_message(what.to_owned());
    spinner.enable_steady_tick(TICK);
    spinner
}

/// Diagnostics go to stderr line by line; what is drawn over and over there would tear them apart.
/// Where nobody sees them, bars need neither a style nor a thread.
fn target() -> Option<ProgressDrawTarget> {
    Some(ProgressDrawTarget::stderr()).filter(|target| !target.is_hidden() && LevelFilter::current() == LevelFilter::OFF)
}

fn bar_style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// A number with its noun: `1 task`, `1,234 tasks`.
pub(crate) fn count(number: impl TryInto<u64>, noun: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A number with commas between its thousands.
pub(crate) fn grouped(number: u64) -> String {
    indicatif::HumanCount(number).to_string()
}

/// A duration in the unit that suits it.
pub(crate) fn short_time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds >= 100.0 {
        format!("{seconds:.0} s")
    } else if seconds >= 1.0 {
        format!("{seconds:.2} s")
    } else if seconds >= 1e-3 {
        format!("{:.1} ms", seconds * 1e3)
    } else {
        format!("{:.0} µs", seconds * 1e6)
    }
}

/// Text on one line of at most `most` characters, without anything that would move the cursor.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let mut clean = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut line: String = clean.by_ref().take(most).collect();
    if clean.next().is_some() {
        line.pop();
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_nouns_and_commas() {
        assert_eq!(count(1usize, "task"), "1 task");
        assert_eq!(count(12_345_678u64, "evaluation"), "12,345,678 evaluations");
    }

    #[test]
    fn times_have_units_that_suit_them() {
        let times = [3, 4_567, 1_234_567, 123_456_789].map(|micros| short_time(Duration::from_micros(micros)));
        assert_eq!(times, ["3 µs", "4.6 ms", "1.23 s", "123 s"]);
    }

    #[test]
    fn long_lines_are_cut() {
        assert_eq!(one_line("abcdef", 6), "abcdef");
        assert_eq!(one_line("abcdefg", 6), "abcde…");
        assert_eq!(one_line("a\x1b[1m\nb", 20), "a [1m b");
    }
}
