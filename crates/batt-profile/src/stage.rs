//! Steps of commands besides running programs, each with its phase and the name of its row.

use crate::names::{FRAMEWORK, PIPELINE};

/// Stage of a command besides running programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading tasks.
    LoadTasks,
    /// Making tasks.
    MakeTasks,
    /// Reading and parsing programs.
    ParsePrograms,
    /// Changing programs.
    MutatePrograms,
    /// Reading a store.
    ReadStore,
    /// Reading a submission.
    ReadSubmission,
    /// Merging programs, or reading the card.
    MakeCard,
    /// Finding out how long it takes to make, write and read a card.
    MeasureCard,
    /// The time between other steps.
    GetReady,
    /// Starting threads.
    StartThreads,
    /// Evaluating what depends on no input.
    EvaluateConstants,
    /// Making what a thread needs.
    MakeWorkers,
    /// With one thread: waking it, giving out tasks, joining.
    HandOutTasks,
    /// Choosing outputs.
    ChooseOutputs,
    /// Comparing with test outputs.
    Validate,
    /// Summing up.
    Summarise,
    /// Running programs line by line, for those who look at them.
    TracePrograms,
    /// Making a page.
    MakePage,
    /// Making another form of a card.
    EmitCard,
    /// Showing or writing results.
    WriteResults,
    /// Everything before the first generation.
    BeginEvolution,
    /// Making programs, in a generation.
    MakePrograms,
    /// Making cards of them.
    MakeCards,
    /// Keeping the best, and verifying them.
    KeepPrograms,
    /// Saving a generation.
    SaveGeneration,
    /// Keeping the submission up to date.
    WriteSubmission,
}

impl Stage {
    /// The phase, and the name of the row.
    pub(crate) fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::LoadTasks => ("load", "load tasks"),
            Self::MakeTasks => ("load", "make tasks"),
            Self::ParsePrograms => ("parse", "parse programs"),
            Self::MutatePrograms => ("parse", "mutate programs"),
            Self::ReadStore => ("parse", "read the store"),
            Self::ReadSubmission => ("parse", "read the submission"),
            Self::MakeCard => ("card", "make the card"),
            Self::MeasureCard => ("card", "measure the card"),
            Self::GetReady => ("threads", "get ready"),
            Self::StartThreads => ("threads", "start threads"),
            Self::EvaluateConstants => ("constants", "evaluate constants"),
            Self::MakeWorkers => ("threads", "make workers"),
            Self::HandOutTasks => ("hand out", "hand out tasks"),
            Self::ChooseOutputs => ("choose", "choose outputs"),
            Self::Validate => ("validate", "validate"),
            Self::Summarise => ("summarise", "summarise"),
            Self::TracePrograms => ("trace", "trace programs"),
            Self::MakePage => ("store", "make the page"),
            Self::EmitCard => ("store", "emit the card"),
            Self::WriteResults => ("store", "write results"),
            Self::BeginEvolution => ("load", "load and begin"),
            Self::MakePrograms => ("breed", "make programs"),
            Self::MakeCards => ("card", "make cards"),
            Self::KeepPrograms => ("keep", "keep and verify"),
            Self::SaveGeneration => ("store", "save to the store"),
            Self::WriteSubmission => ("store", "write the submission"),
        }
    }

    /// The family and the category of the row.
    pub(crate) fn kinds(self) -> (&'static str, &'static str) {
        match self {
            Self::ChooseOutputs | Self::Summarise => (PIPELINE, "result collection"),
            Self::GetReady | Self::StartThreads | Self::MakeWorkers | Self::HandOutTasks => (PIPELINE, "batch processing"),
            Self::MakePrograms | Self::MakeCards | Self::KeepPrograms => (FRAMEWORK, "batch processing"),
            Self::TracePrograms => (FRAMEWORK, "result collection"),
            _ => (PIPELINE, "other"),
        }
    }
}
