//! Keeping a card in step with a library that changes.

use batt_program::{ContentHash, Program};
use rustc_hash::FxHashMap;

use crate::card::programs::{Card, CardProgramId, ProgramKind};

/// Result of [`Card::sync`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncReport {
    /// The programs that were wanted, in the order in which they were.
    pub programs: Vec<CardProgramId>,
    /// How many of these were added.
    pub added: usize,
    /// How many programs were removed.
    pub removed: usize,
}

impl Card {
    /// The programs that were added with a hash, by kind and hash. Of several with the same hash all are there.
    pub fn programs_by_hash(&self) -> FxHashMap<(ProgramKind, ContentHash), Vec<CardProgramId>> {
        let mut found: FxHashMap<_, Vec<_>> = FxHashMap::default();
        for (id, program) in self.programs() {
            if let Some(hash) = program.hash {
                found.entry((program.kind, hash)).or_default().push(id);
            }
        }
        found
    }

    /// Makes the hashed programs of the card those that are wanted: removes the ones that went and adds the ones that came. Programs
    /// that were added without a hash stay.
    ///
    /// `provide` gives a program that is to be added, by its position in `wanted`. If it fails, the card is left as it was.
    pub fn sync<E>(
        &mut self,
        wanted: &[(ProgramKind, ContentHash)],
        mut provide: impl FnMut(usize) -> Result<Program, E>,
    ) -> Result<SyncReport, E> {
        let mut known = self.programs_by_hash();
        // The lowest id is to be taken first.
        for ids in known.values_mut() {
            ids.reverse();
        }
        let mut kept = Vec::with_capacity(wanted.len());
        for (k, key) in wanted.iter().enumerate() {
            kept.push(match known.get_mut(key).and_then(Vec::pop) {
                Some(id) => Ok(id),
                None => Err(provide(k)?),
            });
        }
        let mut gone: Vec<CardProgramId> = known.into_values().flatten().collect();
        // Ids are given again in the order in which they came free, which is not to depend on the map's.
        gone.sort_unstable();
        for &id in &gone {
            self.remove(id);
        }
        let mut synced = SyncReport { programs: Vec::with_capacity(wanted.len()), added: 0, removed: gone.len() };
        for (program, &(kind, hash)) in kept.into_iter().zip(wanted) {
            synced.programs.push(match program {
                Ok(id) => id,
                Err(program) => {
                    synced.added += 1;
                    self.insert(&program, kind, Some(hash))
                }
            });
        }
        Ok(synced)
    }
}
