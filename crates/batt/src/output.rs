//! Output: results on stdout, everything else on stderr, colours only where they are wanted.
//!
//! All text passes through here, and whatever it came from, nothing in it reaches a terminal that would do something there. Colours are marks
//! in the text until then, so that those of others are told from ours.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::Arc;
use std::time::Duration;

use batt_core::shown::{cut_words, inert};
use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use tracing::level_filters::LevelFilter;

use crate::args::When;
use crate::embedded::{self, Captured, Embedded, Event};

/// How often a progress bar is drawn, also if nothing has happened.
const TICK: Duration = Duration::from_millis(120);

pub(crate) use batt_core::shown::{count, grouped, one_line};

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
    /// Unimportant text.
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
    stdout: BufWriter<Box<dyn Write + Send + Sync>>,
    /// Who is told in the place of stderr, if somebody else owns the process.
    host: Option<Arc<Embedded>>,
    /// The first bytes of a character whose last ones are still to come.
    begun: Vec<u8>,
    /// How stdout is written to.
    pub(crate) look: Look,
    stderr_look: Look,
}

/// The first mark of a tone in a text, and the one that ends it: characters that no text has.
const MARKS: char = '\u{fdd0}';
const END: char = '\u{fdef}';
/// The tones that have a mark, in the order of the marks, and what a terminal is told for them.
const TONES: [(Tone, &str); 5] =
    [(Tone::Strong, "\x1b[1m"), (Tone::Faint, "\x1b[2m"), (Tone::Good, "\x1b[32m"), (Tone::Bad, "\x1b[31m"), (Tone::Warning, "\x1b[33m")];
/// The longest word of a message: names and paths may be longer.
const LONGEST_WORD: usize = 300;

impl Look {
    /// Text in a tone.
    pub(crate) fn paint(self, tone: Tone, text: impl Display) -> String {
        match TONES.iter().position(|(one, _)| *one == tone).filter(|_| self.colour) {
            Some(place) => format!("{}{text}{END}", char::from_u32(MARKS as u32 + place as u32).unwrap_or(MARKS)),
            None => text.to_string(),
        }
    }

    /// Text as a terminal may have it: marks become colours, and what it would act upon is written out.
    fn show(self, text: &str) -> String {
        let mut shown = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(|c| (MARKS..=END).contains(&c)).filter(|_| self.colour) {
            shown.push_str(&inert(&rest[..at]));
            let mark = rest[at..].chars().next().unwrap_or(END);
            shown.push_str(TONES.get((mark as u32 - MARKS as u32) as usize).map_or("\x1b[0m", |(_, told)| told));
            rest = &rest[at + mark.len_utf8()..];
        }
        shown.push_str(&inert(rest));
        shown
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
        if let Some(host) = embedded::current() {
            let look = Look { colour: false, width: None };
            let stdout = BufWriter::new(Box::new(Captured(Arc::clone(&host))) as Box<_>);
            return Self { stdout, host: Some(host), begun: Vec::new(), look, stderr_look: look };
        }
        Self {
            stdout: BufWriter::new(Box::new(io::stdout())),
            host: None,
            begun: Vec::new(),
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
        self.say(Event::Note, text);
    }

    /// A line on stderr about something that was skipped or is odd.
    pub(crate) fn warn(&mut self, text: impl Display) {
        let word = self.stderr_look.paint(Tone::Warning, "warning:");
        if self.host.is_some() { self.say(Event::Warning, text) } else { self.say(Event::Warning, format_args!("{word} {text}")) }
    }

    /// A program fits a task that none fitted before. Whoever embeds batt wants to know; others are told in words.
    pub(crate) fn found(&self, task: &str, program: &str) {
        if let Some(host) = &self.host {
            host.tell(Event::Found { task: task.to_owned(), program: program.to_owned() });
        }
    }

    /// A line on stderr about what went wrong.
    pub(crate) fn error(&mut self, text: impl Display) {
        let word = self.stderr_look.paint(Tone::Bad, "error:");
        if self.host.is_some() { self.say(Event::Error, text) } else { self.say(Event::Error, format_args!("{word} {text}")) }
    }

    /// Several lines on stderr.
    pub(crate) fn lines(&mut self, text: impl Display) {
        // On a terminal the two streams appear in the order they were written. Nobody is left to tell when stderr fails.
        let _ = self.stdout.flush();
        let text = text.to_string();
        if let Some(host) = &self.host {
            host.tell(Event::Note(inert(&text).into_owned()));
            return;
        }
        let _ = writeln!(io::stderr(), "{}", self.stderr_look.show(&cut_words(&text, LONGEST_WORD)));
    }

    /// An error of several lines.
    pub(crate) fn error_lines(&mut self, text: impl Display) {
        let word = self.stderr_look.paint(Tone::Bad, "error:");
        self.lines(format_args!("{word} {text}"));
    }

    /// Writes text for other programs, such as JSON.
    pub(crate) fn data(&mut self, text: &str) -> io::Result<()> {
        self.stdout.write_all(inert(text).as_bytes()).map_err(of_stdout)
    }

    /// A picture that was drawn here: its colours are what it is made of.
    pub(crate) fn picture(&mut self, text: &str) -> io::Result<()> {
        self.stdout.write_all(text.as_bytes()).map_err(of_stdout)
    }

    /// A message is one line, whatever is named in it.
    fn say(&mut self, kind: fn(String) -> Event, text: impl Display) {
        let text: String = text.to_string().chars().map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
        match &self.host {
            Some(host) => host.tell(kind(inert(&text).into_owned())),
            None => self.lines(text),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let begun = std::mem::take(&mut self.begun);
        let all = if begun.is_empty() { Cow::Borrowed(bytes) } else { Cow::Owned([&begun, bytes].concat()) };
        let whole = match std::str::from_utf8(&all) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => all.len(),
        };
        self.begun.extend_from_slice(&all[whole..]);
        let shown = self.look.show(&String::from_utf8_lossy(&all[..whole]));
        self.stdout.write_all(shown.as_bytes()).map_err(of_stdout)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush().map_err(of_stdout)
    }
}

/// The error with its context.
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
    if let Some(host) = embedded::current() {
        return host.bar(Some(length)).with_prefix(what.to_owned());
    }
    let Some(target) = target() else { return ProgressBar::hidden() };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    // Whole in 80 columns, however many they are.
    let template = "{prefix} [{bar:20}] {human_pos}/{human_len}, {rate}, {left} left";
    let rate = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
        let _ = write!(text, "{:.1}/s", state.per_sec());
    };
    let left = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
        let _ = text.write_str(&if state.pos() == 0 { "?".to_owned() } else { rough_time(state.eta()) });
    };
    let style = bar_style(template).progress_chars("=> ").with_key("rate", rate).with_key("left", left);
    let bar = bar.with_style(style).with_prefix(what.to_owned());
    tick(&bar);
    bar
}

/// A sign of life on stderr, if that is a terminal, for work whose length is not known.
pub(crate) fn spinner(what: &str) -> ProgressBar {
    if let Some(host) = embedded::current() {
        return host.bar(None).with_message(what.to_owned());
    }
    let Some(target) = target() else { return ProgressBar::hidden() };
    let spinner = ProgressBar::with_draw_target(None, target).with_style(bar_style("{spinner} {msg}")).with_message(what.to_owned());
    tick(&spinner);
    spinner
}

/// Lets a bar move by itself. That takes a thread, and where there is none to be had, bars move when something happens.
fn tick(bar: &ProgressBar) {
    if can_start_threads() {
        bar.enable_steady_tick(TICK);
    }
}

/// Whether the system gives this process another thread.
pub(crate) fn can_start_threads() -> bool {
    std::thread::Builder::new().spawn(|| ()).is_ok_and(|thread| thread.join().is_ok())
}

/// Diagnostics go to stderr line by line; what is drawn over and over there would tear them apart.
/// Where nobody sees them, bars need neither a style nor a thread.
fn target() -> Option<ProgressDrawTarget> {
    Some(ProgressDrawTarget::stderr()).filter(|target| !target.is_hidden() && LevelFilter::current() == LevelFilter::OFF)
}

fn bar_style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// A duration as a guess of one, in the unit that suits it.
pub(crate) fn rough_time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds >= 6000.0 {
        format!("{:.1} h", seconds / 3600.0)
    } else if seconds >= 100.0 {
        format!("{:.0} min", seconds / 60.0)
    } else {
        format!("{seconds:.0} s")
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_nouns_and_commas() {
        assert_eq!(count(1usize, "task"), "1 task");
        assert_eq!(count(12_345_678u64, "evaluation"), "12,345,678 evaluations");
    }

    #[test]
    fn colours_are_ours_alone() {
        let look = |colour| Look { colour, width: None };
        let hostile = "a\x1b[31mb\u{202e}c\u{fdd1}d\n";
        let painted = look(true).paint(Tone::Good, hostile);
        assert_eq!(look(true).show(&painted), "\x1b[32ma\\u001b[31mb\\u202ec\x1b[2md\n\x1b[0m", "a mark of others is a colour at most");
        let plain = look(false).paint(Tone::Good, hostile);
        assert_eq!(look(false).show(&plain), "a\\u001b[31mb\\u202ec\\ufdd1d\n");
        assert_eq!(look(true).paint(Tone::Plain, "x"), "x");
    }

    #[test]
    fn times_have_units_that_suit_them() {
        let times = [3, 4_567, 1_234_567, 123_456_789].map(|micros| short_time(Duration::from_micros(micros)));
        assert_eq!(times, ["3 µs", "4.6 ms", "1.23 s", "123 s"]);
    }
}
