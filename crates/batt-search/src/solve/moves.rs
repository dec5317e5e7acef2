//! Outputs, and parts of them, that are columns elsewhere: columns of pairs tell how far they are moved.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::columns::{ColumnId, Number, Origin};
use crate::cover::Where;
use crate::displaced::{Hit, Part, step_to_window};
use crate::formula::Formula;
use crate::operations::named;
use crate::pairs::{self, Told};
use crate::scalars::ScalarId;

use super::{LEVEL, Search};

/// The most columns that windows are looked for in.
const MOST_CUT: usize = 300;

impl Search<'_> {
    /// Moves columns as far as pairs tell.
    pub(super) fn find_moves(&mut self) {
        let Some(canvas) = self.collector.canvas else { return };
        let mut hits = std::mem::take(&mut self.collector.displaced.hits);
        hits.extend(self.windows());
        if hits.is_empty() {
            return;
        }
        pairs::measure(&mut self.enumeration.scalars, &self.enumeration.columns);
        let mut asked: HashMap<Vec<i32>, Told> = HashMap::new();
        for Hit { column, part, steps } in hits {
            let told = match asked.entry(steps) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    let told = pairs::told(&mut self.enumeration.scalars, entry.key());
                    entry.insert(told)
                }
            };
            let (ids, foretold) = (told.ids.clone(), told.foretold);
            for id in ids {
                self.move_by(column, part, id, foretold, canvas);
            }
        }
    }

    /// A column moved by a pair: a piece, and an answer if nothing else is needed.
    fn move_by(&mut self, column: ColumnId, part: Part, pair: ScalarId, foretold: u32, canvas: ColumnId) {
        let columns = &self.enumeration.columns;
        let cost = columns.column(column).cost.max(self.enumeration.scalars.cost(pair)) + LEVEL;
        let number = Number::Column(pair);
        let origin = Origin::Call { operation: named("moved"), number, each: false, arguments: [column; 2] };
        let Some(moved) = self.enumeration.make(origin, cost) else { return };
        let Some(piece) = self.call(self.collector.embed, [moved, canvas], cost) else { return };
        // What the demos do not foretell is no part of other answers.
        if foretold == self.all() && part != Part::Whole {
            let cells = self.enumeration.columns.cells(piece, 0..self.puzzle.samples());
            self.collector.pieces.add(piece, cost, self.puzzle, &cells);
        }
        let pieces = match part {
            Part::Whole => vec![(piece, Where::Everywhere)],
            Part::Changed => vec![(piece, Where::Cells), (ColumnId(0), Where::Everywhere)],
            Part::Coloured => return,
        };
        self.consider(Formula::Cover(pieces), u32::from(cost) * 100 + 2, foretold);
    }

    /// Outputs that are in one place of a column.
    fn windows(&mut self) -> Vec<Hit> {
        let (puzzle, columns, all) = (self.puzzle, &self.enumeration.columns, self.all());
        let mut hits = Vec::new();
        if puzzle.outputs.frames().iter().zip(puzzle.inputs.frames()).all(|(output, input)| output.area() < input.area())
            && self.answers.values().all(|answer| answer.right != all)
        {
            for &column in self.collector.cut_from.iter().take(MOST_CUT).skip(self.windowed) {
                let steps = puzzle.outputs.iter().enumerate().map(|(demo, output)| step_to_window(columns.image(column, demo), output));
                hits.extend(steps.collect::<Option<_>>().map(|steps| Hit { column, part: Part::Whole, steps }));
            }
            self.windowed = self.collector.cut_from.len();
        }
        hits
    }
}
