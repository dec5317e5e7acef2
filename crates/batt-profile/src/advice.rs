//! Advice: priorities by share, and gains by Amdahl's law from measured ratios.

use batt_core::PrimId;
use batt_dsl::{by_name, primitive};
use serde::Deserialize;

use crate::profile::{Profile, Row};

/// An estimate may be off by so many standard errors.
const ERRORS: f64 = 2.0;

/// How much of the time something takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// Less than 1%.
    None,
    /// 1% or more.
    Low,
    /// 5% or more.
    Medium,
    /// 10% or more.
    High,
}

impl Priority {
    /// By the share of the time.
    pub fn of(share: f64) -> Self {
        if share >= 0.10 {
            Self::High
        } else if share >= 0.05 {
            Self::Medium
        } else if share >= 0.01 {
            Self::Low
        } else {
            Self::None
        }
    }

    /// Of a row, by the least share of the time on tasks that it may have: a primitive's only, and only if several runs say what is noise.
    pub(crate) fn of_row(row: &Row, on_tasks_s: f64) -> Self {
        match row.interval_s {
            Some([low, _]) if row.is_primitive() => Self::of(low.min(row.self_s - ERRORS * row.error_s) / on_tasks_s),
            _ => Self::None,
        }
    }

    /// A word for tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::High => "HIGH",
            Self::Medium => "MEDIUM",
            Self::Low => "LOW",
            Self::None => "",
        }
    }
}

/// How many times as fast the whole is when a part of it is so many times as fast.
pub fn amdahl(share: f64, times: f64) -> f64 {
    1.0 / ((1.0 - share) + share / times)
}

/// Results of `batt gpu bench`, as far as advice needs them.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct GpuBench {
    /// The device.
    #[serde(default)]
    pub device: String,
    /// Cost of a kernel launch, in seconds.
    pub launch_s: f64,
    /// A row for each primitive that was measured.
    pub primitives: Vec<GpuRatio>,
}

/// A primitive on both.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct GpuRatio {
    /// The primitive.
    pub name: String,
    /// Time of a call on the CPU, in seconds.
    pub cpu_s: f64,
    /// Time of a call on the GPU in a large batch, in seconds.
    pub gpu_s: f64,
}

/// The row of the table that does the work of a name.
fn base_of(name: &str) -> &str {
    let alias = by_name(name).and_then(|id| primitive(id).alias);
    alias.map_or(name, |alias| primitive(PrimId::from(alias.base)).name)
}

impl GpuBench {
    /// The ratio of a primitive, measured by this name or an alias.
    pub fn of(&self, name: &str) -> Option<&GpuRatio> {
        let named = |wanted: &str| self.primitives.iter().find(|ratio| ratio.name == wanted);
        named(name).or_else(|| self.primitives.iter().find(|ratio| base_of(&ratio.name) == base_of(name)))
    }

    /// Reads the file of `batt gpu bench --json`.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let bench: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let sound = |ratio: &GpuRatio| ratio.cpu_s > 0.0 && ratio.gpu_s > 0.0 && ratio.cpu_s.is_finite() && ratio.gpu_s.is_finite();
        if bench.primitives.iter().all(sound) && bench.launch_s >= 0.0 {
            Ok(bench)
        } else {
            Err("a time in it is not above zero".to_owned())
        }
    }
}

/// Advice about a row: whether the GPU would help.
#[derive(Clone, Debug, PartialEq)]
pub enum Advice {
    /// It is no primitive, so the GPU has nothing to do with it.
    NotForGpu,
    /// It was not measured on a GPU. Tables say so once, not for each row.
    Unknown,
    /// A call is so short that the GPU is never faster.
    Against {
        /// Why.
        why: String,
    },
    /// The GPU was faster.
    For {
        /// How many times as fast the primitive was.
        ratio: f64,
        /// How many times as fast the whole would be.
        gain: f64,
        /// From so many calls in a batch on.
        break_even: u64,
    },
}

impl Advice {
    /// Advice for a row; unknown without a measurement.
    pub fn of(row: &Row, bench: Option<&GpuBench>) -> Self {
        if !row.is_primitive() {
            return Self::NotForGpu;
        }
        let Some((bench, ratio)) = bench.and_then(|bench| Some((bench, bench.of(&row.name)?))) else {
            return Self::Unknown;
        };
        let saved = ratio.cpu_s - ratio.gpu_s;
        if saved <= 0.0 {
            return Self::Against { why: format!("{:.1} times as slow there", ratio.gpu_s / ratio.cpu_s) };
        }
        let times = ratio.cpu_s / ratio.gpu_s;
        let break_even = (bench.launch_s / saved).ceil().max(1.0) as u64;
        if row.calls < break_even {
            let why = format!("all its {} calls together take less than it costs to start: {break_even} would be needed", row.calls);
            return Self::Against { why };
        }
        Self::For { ratio: times, gain: amdahl(row.share, times), break_even }
    }

    /// A few words for tables.
    pub fn words(&self) -> String {
        match self {
            Self::NotForGpu | Self::Unknown => String::new(),
            Self::Against { why } => format!("no: {why}"),
            Self::For { ratio, gain, break_even } => format!("{ratio:.1}x, {gain:.2}x in all, from {break_even} calls"),
        }
    }
}

/// How many times as fast everything would be with every primitive on the GPU that is advised for it.
pub fn gain_of_all(profile: &Profile, bench: Option<&GpuBench>) -> Option<f64> {
    let (mut moved, mut left) = (0.0, 0.0);
    for row in &profile.rows {
        if let Advice::For { ratio, .. } = Advice::of(row, bench) {
            moved += row.share;
            left += row.share / ratio;
        }
    }
    (moved > 0.0).then(|| 1.0 / (1.0 - moved + left))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priorities_are_by_share() {
        let words = [0.5, 0.10, 0.0999, 0.05, 0.01, 0.0099].map(|share| Priority::of(share).name());
        assert_eq!(words, ["HIGH", "HIGH", "MEDIUM", "MEDIUM", "LOW", ""]);
    }

    #[test]
    fn a_priority_is_a_primitives_that_is_told_from_noise() {
        let of = |family: &str, self_s: f64, interval_s: Option<[f64; 2]>, error_s: f64| {
            let row = Row { family: family.to_owned(), self_s, interval_s, error_s, ..Row::default() };
            Priority::of_row(&row, 100.0).name()
        };
        assert_eq!(of("Object", 24.0, None, 0.0), "", "of one run nobody knows");
        assert_eq!(of("Object", 24.0, Some([0.3, 24.4]), 0.0), "", "once 24, and 0.3 another time");
        assert_eq!(of("Object", 24.0, Some([22.0, 26.0]), 0.0), "HIGH");
        assert_eq!(of("Object", 11.0, Some([9.0, 13.0]), 0.0), "MEDIUM", "at least that");
        assert_eq!(of("Object", 24.0, Some([22.0, 26.0]), 11.0), "LOW", "an estimate from few runs");
        assert_eq!([of("Pipeline", 50.0, Some([49.0, 51.0]), 0.0), of("Framework", 50.0, Some([49.0, 51.0]), 0.0)], ["", ""]);
    }

    #[test]
    fn advice_knows_primitives_by_all_their_names() {
        let ratio = |name: &str| GpuRatio { name: name.to_owned(), cpu_s: 4.7e-5, gpu_s: 1e-6 };
        let bench = GpuBench { launch_s: 1e-5, primitives: vec![ratio("sfilter"), ratio("remove_f")], ..GpuBench::default() };
        for (row, measured) in [("sfilter", "sfilter"), ("sfilter_f", "sfilter"), ("sfilter_t", "sfilter"), ("remove", "remove_f")] {
            assert_eq!(bench.of(row).map(|ratio| &*ratio.name), Some(measured), "{row}");
        }
        assert_eq!(bench.of("fill"), None);
    }

    #[test]
    fn half_of_it_for_nothing_is_twice_as_fast() {
        assert!((amdahl(0.5, 1e12) - 2.0).abs() < 1e-9);
        assert!((amdahl(0.2, 1.0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn advice_is_from_measured_ratios_only() {
        let row = |name: &str, calls| Row { name: name.to_owned(), family: "Object".to_owned(), calls, share: 0.5, ..Row::default() };
        let bench = GpuBench {
            device: "test".to_owned(),
            launch_s: 1e-5,
            primitives: vec![
                GpuRatio { name: "objects".to_owned(), cpu_s: 1e-6, gpu_s: 1e-7 },
                GpuRatio { name: "crop".to_owned(), cpu_s: 1e-8, gpu_s: 2e-8 },
            ],
        };
        assert_eq!(Advice::of(&row("objects", 1000), None), Advice::Unknown);
        assert_eq!(Advice::of(&row("fill", 1000), Some(&bench)), Advice::Unknown);
        let Advice::For { ratio, gain, break_even } = Advice::of(&row("objects", 1000), Some(&bench)) else { unreachable!() };
        assert!((ratio - 10.0).abs() < 1e-9 && (gain - 1.0 / 0.55).abs() < 1e-9 && break_even == 12);
        assert!(matches!(Advice::of(&row("objects", 5), Some(&bench)), Advice::Against { .. }), "under the cost of a launch");
        assert!(matches!(Advice::of(&row("crop", 1000), Some(&bench)), Advice::Against { .. }));
        assert!(GpuBench::from_json("{\"launch_s\": 1e-5, \"primitives\": [{\"name\": \"a\", \"cpu_s\": 0, \"gpu_s\": 1}]}").is_err());
    }
}
