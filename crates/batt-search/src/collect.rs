//! Uses of new columns: pieces of outputs, places that outputs were cut out of, one call before the outputs.

use std::collections::HashSet;

use batt_core::Deadline;
use batt_vision::{COLOURS, Frame, Image, Puzzle, Work};

use crate::arena::Spare;
use crate::columns::{ColumnId, ColumnKind, Columns, Number, Origin};
use crate::cover::Pieces;
use crate::displaced::Displaced;
use crate::enumerate::{Enumeration, Visitor};
use crate::operations::{OPERATIONS, named};
use crate::solve::Budget;
use crate::targets::{Goal, Last, Targets, changed_cells};
use crate::task::End;
use crate::values::Made;

/// The most columns that a target is found for, that outputs are cut out of, places where, and masks of what changes.
const MOST_HITS: usize = 500;
const MOST_WHOLE: usize = 2_000;
const MOST_PLACES: usize = 300;
const MOST_MASKS: usize = 50;
/// The most columns that are right on the same demos.
const MOST_PARTLY: usize = 3;

/// Looks at every new column: what it could be for.
pub(crate) struct Collector<'a> {
    puzzle: &'a Puzzle,
    pub(crate) budget: Budget<'a>,
    /// The sizes of the outputs; none if nothing tells them.
    pub(crate) sizes: Vec<Frame>,
    pub(crate) canvas: Option<ColumnId>,
    /// Columns of the outputs' size.
    pub(crate) pieces: Pieces,
    /// Colours of pieces: those that all outputs have.
    colours: Vec<i8>,
    pub(crate) embed: u16,
    pub(crate) to_origin: u16,
    pub(crate) in_colour: u16,
    work: Work,
    derived: Made,
    tinted: Made,
    pub(crate) targets: Targets,
    /// Columns that are the outputs, or of which one more call makes them.
    pub(crate) wholes: Vec<ColumnId>,
    pub(crate) hits: Vec<(ColumnId, Last)>,
    /// Columns that are the outputs, or parts of them, elsewhere.
    pub(crate) displaced: Displaced,
    /// Columns that are the outputs of some demos, a bit each: the first ones for each set of demos.
    pub(crate) partly: Vec<(ColumnId, u32)>,
    /// The cells that the demos change, as a set of pieces' cells, and the pieces that have cells there and nowhere else.
    changed: Vec<u64>,
    pub(crate) masks: Vec<ColumnId>,
    /// Columns where outputs may have been cut out: of their size, each place once.
    pub(crate) places: Vec<ColumnId>,
    known_places: HashSet<Vec<Frame>>,
    /// Columns on the frames of the inputs, to cut out of.
    pub(crate) cut_from: Vec<ColumnId>,
    /// The bytes that something else of the search takes.
    pub(crate) others: usize,
    spare: Spare,
    visits: u32,
    /// When the columns at hand have to be ready.
    pub(crate) until: Option<Deadline>,
    pub(crate) end: Option<End>,
}

impl<'a> Collector<'a> {
    /// For a task whose outputs have these sizes, if they are known.
    pub(crate) fn new(puzzle: &'a Puzzle, budget: Budget<'a>, sizes: Vec<Frame>, canvas: Option<ColumnId>, spare: &Spare) -> Self {
        let common = puzzle.outputs.iter().fold(!0u16, |common, image| common & image.palette());
        let literals = (1..COLOURS as i8).filter(|colour| common >> colour & 1 == 1).take(5);
        let pieces = Pieces::new(&sizes, puzzle.demos(), spare);
        Self {
            puzzle,
            budget,
            changed: pieces.set_of(&changed_cells(puzzle)),
            pieces,
            sizes,
            canvas,
            colours: literals.collect(),
            embed: named("embed"),
            to_origin: named("to_origin"),
            in_colour: named("in_colour"),
            work: Work::default(),
            derived: Made::default(),
            tinted: Made::default(),
            targets: Targets::new(puzzle),
            displaced: Displaced::new(puzzle),
            partly: Vec::new(),
            wholes: Vec::new(),
            hits: Vec::new(),
            masks: Vec::new(),
            places: Vec::new(),
            known_places: HashSet::new(),
            cut_from: Vec::new(),
            others: 0,
            spare: spare.clone(),
            visits: 0,
            until: budget.deadline,
            end: None,
        }
    }

    /// The bytes that it takes, with what it knows of the rest of the search.
    pub(crate) fn memory(&self) -> usize {
        self.pieces.memory() + self.others
    }

    /// Looks at the first columns, which no operation made.
    pub(crate) fn note_first(&mut self, enumeration: &mut Enumeration<'_>) {
        for id in (0..enumeration.columns.len() as u32).map(ColumnId) {
            self.note(&mut enumeration.columns, id);
        }
    }

    fn note(&mut self, columns: &mut Columns, id: ColumnId) {
        self.note_targets(columns, id);
        if !self.sizes.is_empty() {
            self.add_piece(columns, id);
        }
    }

    /// Keeps in mind what a column is good for: as a target, or where an output may have been cut out, and what of.
    fn note_targets(&mut self, columns: &Columns, id: ColumnId) {
        let Self { targets, hits, wholes, .. } = self;
        let mut blocks = Vec::new();
        for &goal in targets.find((0..columns.samples()).map(|sample| columns.image(id, sample))) {
            match goal {
                Goal::Whole if wholes.len() < MOST_HITS => wholes.push(id),
                Goal::Before(last) if hits.len() < MOST_HITS => hits.push((id, last)),
                Goal::Block(layout, block) => blocks.push((layout, block)),
                _ => {}
            }
        }
        for (layout, block) in blocks {
            targets.layouts[layout].found[block].get_or_insert(id);
        }
        self.displaced.note(id, |sample| columns.image(id, sample));
        self.note_partly(columns, id);
        let frames = || columns.frames(id);
        let size = |frame: Frame| (frame.height, frame.width);
        let same_size = || frames().zip(self.puzzle.outputs.frames()).all(|(frame, output)| size(frame) == size(*output));
        if self.cut_from.len() < MOST_WHOLE && frames().eq(self.puzzle.inputs.frames().iter().copied()) {
            self.cut_from.push(id);
        } else if self.places.len() < MOST_PLACES && same_size() && self.known_places.insert(frames().collect()) {
            self.places.push(id);
        }
    }

    /// Keeps a column that is the output of some demos.
    fn note_partly(&mut self, columns: &Columns, id: ColumnId) {
        let mut right = 0;
        for (demo, output) in self.puzzle.outputs.iter().enumerate() {
            let image = columns.image(id, demo);
            let same_size = (image.frame.height, image.frame.width) == (output.frame.height, output.frame.width);
            right |= u32::from(same_size && image.cells == output.cells) << demo;
        }
        if right != 0
            && right != (1 << self.puzzle.demos()) - 1
            && self.partly.iter().filter(|(_, other)| *other == right).count() < MOST_PARTLY
        {
            self.partly.push((id, right));
        }
    }

    fn add_piece(&mut self, columns: &mut Columns, id: ColumnId) {
        let cost = columns.column(id).cost;
        let size = |frame: Frame| (frame.height, frame.width);
        let same_size = columns.frames(id).zip(&self.sizes).all(|(frame, wanted)| size(frame) == size(*wanted));
        let at_home = same_size && columns.frames(id).all(|frame| frame.row == 0 && frame.column == 0);
        self.derived.clear();
        let id = if at_home {
            (0..self.sizes.len()).for_each(|sample| self.derived.push_image(columns.image(id, sample)));
            id
        } else {
            let Some(canvas) = self.canvas else { return };
            for sample in 0..self.sizes.len() {
                let image = columns.image(id, sample);
                self.work.out.clear();
                let done = if same_size {
                    call_map(self.to_origin, image, 0, &mut self.work)
                } else {
                    let room = columns.image(canvas, sample);
                    OPERATIONS[self.embed as usize].kernel.make([image.as_list(), room.as_list()], 0, &mut self.work)
                };
                if done.is_none() {
                    return;
                }
                self.derived.add(self.work.out.iter());
                self.derived.end(true);
            }
            if self.derived.cells().iter().all(|&cell| cell == 0) {
                return;
            }
            let (operation, arguments) = if same_size { (self.to_origin, [id; 2]) } else { (self.embed, [id, canvas]) };
            let origin = Origin::Call { operation, number: Number::Literal(0), each: false, arguments };
            let Some(id) = columns.keep_made(&self.derived, ColumnKind::Image, origin, cost) else { return };
            id
        };
        self.pieces.add(id, cost, self.puzzle, self.derived.cells());
        if self.masks.len() < MOST_MASKS && self.pieces.last_is(&self.changed) {
            self.masks.push(id);
        }
        for k in 0..self.colours.len() {
            let colour = self.colours[k];
            self.tinted.clear();
            for sample in 0..self.sizes.len() {
                self.work.out.clear();
                let image = columns.image(id, sample);
                if call_map(self.in_colour, image, i32::from(colour), &mut self.work).is_none() {
                    return;
                }
                self.tinted.add(self.work.out.iter());
                self.tinted.end(true);
            }
            let origin = Origin::Call { operation: self.in_colour, number: Number::Literal(colour), each: false, arguments: [id; 2] };
            if let Some(id) = columns.keep_made(&self.tinted, ColumnKind::Image, origin, cost + 2) {
                self.pieces.add(id, cost + 2, self.puzzle, self.tinted.cells());
            }
        }
    }
}

fn call_map(operation: u16, image: Image<'_>, number: i32, work: &mut Work) -> Option<()> {
    OPERATIONS[operation as usize].on(image, number, work)
}

impl Visitor for Collector<'_> {
    fn visit(&mut self, columns: &mut Columns, id: ColumnId) -> bool {
        self.visits += 1;
        if columns.column(id).kind == ColumnKind::Image {
            self.note(columns, id);
        }
        if columns.len() as u64 >= self.budget.columns {
            self.end = Some(End::Columns);
        } else if self.visits.is_multiple_of(64) {
            let left = self.budget.memory.saturating_sub(columns.memory() + self.memory());
            self.spare.leave(left);
            self.end = (left == 0).then_some(End::Memory);
        }
        self.end.is_none()
    }

    fn is_over(&mut self) -> bool {
        if self.end.is_none() {
            self.end = Budget { deadline: self.until, ..self.budget }.is_late();
        }
        self.end.is_some()
    }
}
