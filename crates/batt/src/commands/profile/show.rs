//! Where a profile goes: the terminal, and files.

use std::io::Write;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use batt_profile::advice::GpuBench;
use batt_profile::{Profile, Sheet, Timeline, export, views};

use crate::args::{OutFile, ProfileOutput, TakeArgs};
use crate::files::{make_folder, write_whole};
use crate::output::{Output, Tone, one_line};
use crate::table::{Align, Table};

/// How much of a title or a remark is shown: names may be of any length.
const LONGEST: usize = 500;

/// Outputs of a view.
pub(super) struct Show<'a> {
    view: &'static str,
    output: &'a ProfileOutput,
    trace: Option<&'a OutFile>,
    json: Option<&'a OutFile>,
}

impl<'a> Show<'a> {
    /// Of a view that runs something.
    pub(super) fn of_run(view: &'static str, args: &'a TakeArgs) -> anyhow::Result<Self> {
        Self::new(view, &args.output, args.trace.as_ref())
    }

    /// Of a view that runs nothing, or has no trace.
    pub(super) fn new(view: &'static str, output: &'a ProfileOutput, trace: Option<&'a OutFile>) -> anyhow::Result<Self> {
        let show = Self { view, output, trace, json: output.json.json.as_ref() };
        if let Some(folder) = &output.report {
            make_folder(folder)?;
        }
        Ok(show)
    }

    /// With another name of `--json`.
    pub(super) fn with_json(mut self, path: Option<&'a OutFile>) -> Self {
        self.json = self.json.or(path);
        self
    }

    /// Writes all files, and shows the tables.
    pub(super) fn all(&self, profile: &Profile, timeline: Option<&Timeline>, sheets: &[Sheet], out: &mut Output) -> anyhow::Result<()> {
        self.write_files(profile, timeline)?;
        if let Some(folder) = &self.output.report {
            let path = folder.join(format!("profile-{}-{}.txt", self.view, time_stamp(SystemTime::now())));
            write_whole(&path, text_of(profile, sheets).as_bytes())?;
            out.note(format_args!("report: {}", path.display()));
        }
        if self.json.is_some_and(OutFile::is_stdout) {
            out.data(&profile.to_json(false)?)?;
            return Ok(());
        }
        for (k, line) in views::summary(profile).into_iter().enumerate() {
            let tone = if k == 0 { Tone::Strong } else { Tone::Plain };
            writeln!(out, "{}", out.paint(tone, one_line(&line, LONGEST)))?;
        }
        for sheet in sheets {
            writeln!(out)?;
            print_sheet(sheet, out)?;
        }
        Ok(())
    }

    fn write_files(&self, profile: &Profile, timeline: Option<&Timeline>) -> anyhow::Result<()> {
        let output = self.output;
        let write = |path: &Option<OutFile>, text: &dyn Fn() -> anyhow::Result<String>| match path {
            Some(path) => write_whole(path, text()?.as_bytes()),
            None => Ok(()),
        };
        if let Some(path) = self.json.filter(|path| !path.is_stdout()) {
            write_whole(path, profile.to_json(true)?.as_bytes())?;
        }
        write(&output.flame, &|| Ok(export::flame(profile)?))?;
        write(&output.folded, &|| Ok(export::folded(profile)))?;
        write(&output.speedscope, &|| Ok(export::speedscope(profile)))?;
        write(&output.csv, &|| Ok(export::csv(profile)))?;
        if let (Some(path), Some(timeline)) = (self.trace, timeline) {
            write_whole(path, export::trace(profile, timeline).as_bytes())?;
        }
        Ok(())
    }
}

/// The results of `batt gpu bench`, if they are named.
pub(super) fn read_gpu_bench(output: &ProfileOutput) -> anyhow::Result<Option<GpuBench>> {
    let Some(path) = &output.gpu_bench else { return Ok(None) };
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let bench = GpuBench::from_json(&text).map_err(|why| anyhow::anyhow!("{} is no result of `batt gpu bench`: {why}", path.display()))?;
    Ok(Some(bench))
}

fn print_sheet(sheet: &Sheet, out: &mut Output) -> anyhow::Result<()> {
    writeln!(out, "{}", out.paint(Tone::Strong, one_line(&sheet.title, LONGEST)))?;
    let align = |number| if number { Align::Right } else { Align::Left };
    let columns: Vec<_> = sheet.columns.iter().map(|heading| (heading.text, align(heading.number))).collect();
    let mut table = Table::new(columns);
    for row in &sheet.rows {
        table.plain_row(row.iter().cloned());
    }
    let look = out.look;
    if !sheet.rows.is_empty() {
        table.print(out, look, 0)?;
    }
    for note in &sheet.notes {
        writeln!(out, "{}", out.paint(Tone::Faint, one_line(note, LONGEST)))?;
    }
    Ok(())
}

fn text_of(profile: &Profile, sheets: &[Sheet]) -> String {
    let mut text = views::summary(profile).join("\n") + "\n";
    for sheet in sheets {
        text.push('\n');
        text.push_str(&sheet.to_text());
    }
    text
}

/// A moment as `20260131-235959`, in UTC.
fn time_stamp(moment: SystemTime) -> String {
    let seconds = moment.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let (year, month, day) = date_of((seconds / 86_400) as i64);
    let second = seconds % 86_400;
    format!("{year:04}{month:02}{day:02}-{:02}{:02}{:02}", second / 3600, second / 60 % 60, second % 60)
}

/// The date that is so many days after 1970-01-01. Years are counted from March here, so that the day of a leap year comes last.
fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn moments_have_dates() {
        let stamp = |seconds| time_stamp(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(stamp(0), "19700101-000000");
        assert_eq!(stamp(951_782_399), "20000228-235959");
        assert_eq!(stamp(951_782_400), "20000229-000000");
        assert_eq!(stamp(1_794_700_800), "20261115-000000");
    }
}
