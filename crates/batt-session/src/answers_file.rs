//! The answers of a search as a file beside its submission, so that a later search into the same folder replaces none by a worse one.

use std::collections::BTreeMap;

use batt_core::Task;
use batt_program::canonical_text;
use batt_search::{Evidence, Found, PaletteTold, Remembered, recall};
use serde::{Deserialize, Serialize};

use crate::search::Search;
use crate::stored::program_of_text;

/// The version of the file.
const VERSION: u32 = 1;
/// The most answers of a task that are kept beside those that fit.
const MOST_MISSES: usize = 4;

/// The answers of searches, by task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AnswersFile {
    version: u32,
    tasks: BTreeMap<String, Vec<SavedAnswer>>,
}

/// A program, and what speaks for it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedAnswer {
    program: String,
    family: String,
    cost: u32,
    place: u32,
    foretold: u32,
    votes: u32,
    support: u32,
    families: u32,
    palette: u8,
    probability: Option<f64>,
}

/// Why a file is not one of answers.
#[derive(Debug, thiserror::Error)]
pub enum AnswersFileError {
    /// It has another form.
    #[error("it is not a file of answers ({0}): remove it or name another folder")]
    Form(#[from] serde_json::Error),
    /// It has another version.
    #[error("it has version {0} of files of answers (expected {VERSION}): remove it or name another folder")]
    Version(u32),
}

impl Default for AnswersFile {
    fn default() -> Self {
        Self { version: VERSION, tasks: BTreeMap::new() }
    }
}

impl AnswersFile {
    /// Reads a text.
    pub fn parse(text: &str) -> Result<Self, AnswersFileError> {
        let file: Self = serde_json::from_str(text)?;
        if file.version == VERSION { Ok(file) } else { Err(AnswersFileError::Version(file.version)) }
    }

    /// The text.
    pub fn to_text(&self) -> Result<String, AnswersFileError> {
        Ok(serde_json::to_string(self)? + "\n")
    }

    /// Gives a search the answers to its tasks. The programs are run again.
    pub fn give(&self, search: &mut Search<'_>) {
        let (tasks, learnt) = (search.tasks(), search.learnt());
        for (place, task) in tasks.iter().enumerate() {
            let Some(saved) = self.tasks.get(&task.id) else { continue };
            let found = batt_run::catch(|| recall(task, saved.iter().filter_map(SavedAnswer::remembered), learnt)).unwrap_or_default();
            if !found.is_empty() {
                search.add_answers(place, found);
            }
        }
    }

    /// Takes the answers of a search in the place of earlier ones to its tasks.
    pub fn take(&mut self, search: &Search<'_>) {
        for (task, state) in search.tasks().iter().zip(&search.states) {
            let found = &state.answers.found;
            let misses = found.iter().filter(|found| !found.fits()).take(MOST_MISSES);
            let saved: Vec<SavedAnswer> = found.iter().filter(|found| found.fits()).chain(misses).map(SavedAnswer::of).collect();
            if !saved.is_empty() {
                self.tasks.insert(task.id.clone(), saved);
            }
        }
    }

    /// The number of tasks that it has answers to, beside these.
    pub fn others(&self, tasks: &[Task]) -> usize {
        self.tasks.keys().filter(|id| tasks.iter().all(|task| task.id != **id)).count()
    }
}

impl SavedAnswer {
    fn of(found: &Found) -> Self {
        let Found { program, family, cost, evidence, probability, .. } = found;
        Self {
            program: canonical_text(program),
            family: family.to_string(),
            cost: *cost,
            place: evidence.place,
            foretold: evidence.foretold,
            votes: evidence.votes,
            support: evidence.support,
            families: evidence.families,
            palette: evidence.palette.number(),
            probability: *probability,
        }
    }

    fn remembered(&self) -> Option<Remembered> {
        let &Self { cost, place, foretold, votes, support, families, palette, .. } = self;
        let palette = PaletteTold::of_number(palette);
        let evidence = Evidence { foretold, votes, support, families, palette, place, ..Evidence::default() };
        Some(Remembered { program: program_of_text(&self.program).ok()?, family: self.family.clone(), cost, evidence })
    }
}
