//! Columns in the order of their costs: every operation on every column, the cheapest first.

use batt_image::{Kernel, Work};

use crate::columns::{Candidate, ColumnId, Columns, Kind, Origin};
use crate::operations::{OPERATIONS, Operation};
use crate::puzzle::Puzzle;

/// What columns may be, so that a task ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The most cells of an image.
    pub(crate) image_area: usize,
    /// The most cells of a list.
    pub(crate) list_area: usize,
    /// The most bytes of columns. When there are more, what is new is looked at and not kept.
    pub(crate) memory: usize,
    /// The colours that occur in the task.
    pub(crate) palette: u16,
}

impl Bounds {
    /// For a task.
    pub(crate) fn of(puzzle: &Puzzle, memory: usize) -> Self {
        let all = || puzzle.inputs.iter().chain(puzzle.outputs.iter());
        let largest = all().map(|image| image.cells.len()).max().unwrap_or(0);
        let palette = all().fold(0, |palette, image| palette | image.palette());
        Self { image_area: largest * 2, list_area: largest * 10, memory, palette }
    }
}

/// Makes columns.
pub(crate) struct Enumeration<'a> {
    puzzle: &'a Puzzle,
    bounds: Bounds,
    /// All columns.
    pub(crate) columns: Columns,
    /// Columns that were not used yet, by cost.
    queue: Vec<Vec<ColumnId>>,
    /// What columns are merged with: the inputs, and the canvas of the outputs' size if it is known.
    rooms: Vec<ColumnId>,
    work: Work,
    candidate: Candidate,
    calls: u64,
    yields: Yields,
}

/// How often a call on what another call gave was new: calls that never are, such as the mirror image of a mirror image, are left out.
struct Yields {
    /// For each operation where its calls begin.
    starts: Vec<u32>,
    slots: usize,
    /// For each pair of calls how often it was tried without anything new; [`Yields::PRODUCTIVE`] if anything was.
    tried: Vec<u8>,
}

impl Yields {
    const PRODUCTIVE: u8 = u8::MAX;
    /// So many fruitless calls are enough.
    const ENOUGH: u8 = 16;

    fn new() -> Self {
        let mut slots = 0;
        let starts = OPERATIONS
            .iter()
            .map(|operation| {
                slots += operation.coarse.numbers().len() as u32;
                slots - operation.coarse.numbers().len() as u32
            })
            .collect();
        // Twice as many: a call on each image of a list is another one.
        let slots = 2 * slots as usize;
        Self { starts, slots, tried: vec![0; slots * slots] }
    }

    /// The place of a pair of calls, the first of which made what the second is called on.
    fn place(&self, first: Origin, second: Origin) -> Option<usize> {
        let slot = |origin: Origin| match origin {
            Origin::Call { operation, number, each, .. } => {
                let first = OPERATIONS[operation as usize].coarse.numbers().start;
                Some(self.starts[operation as usize] as usize * 2 + (i32::from(number) - first) as usize * 2 + usize::from(each))
            }
            _ => None,
        };
        Some(slot(first)? * self.slots + slot(second)?)
    }

    fn is_fruitless(&self, place: usize) -> bool {
        (Self::ENOUGH..Self::PRODUCTIVE).contains(&self.tried[place])
    }

    fn note(&mut self, place: usize, is_new: bool) {
        let tried = &mut self.tried[place];
        if is_new {
            *tried = Self::PRODUCTIVE;
        } else if *tried != Self::PRODUCTIVE {
            *tried += 1;
        }
    }
}

/// What is told about every new column.
pub(crate) trait Visitor {
    /// A new column, in the candidate and under its number if it was kept; `false` to stop.
    fn visit(&mut self, columns: &mut Columns, found: &mut Found<'_>) -> bool;
}

/// A new column.
pub(crate) struct Found<'a> {
    /// What it holds.
    pub(crate) candidate: &'a mut Candidate,
    /// What kind that is.
    pub(crate) kind: Kind,
    /// What it costs.
    pub(crate) cost: u16,
    /// Its number, if it was kept.
    pub(crate) id: Option<ColumnId>,
}

impl<'a> Enumeration<'a> {
    /// Begins with the inputs.
    pub(crate) fn new(puzzle: &'a Puzzle, bounds: Bounds) -> Self {
        let mut enumeration = Self {
            puzzle,
            bounds,
            columns: Columns::new(puzzle.samples()),
            queue: Vec::new(),
            rooms: Vec::new(),
            work: Work::default(),
            candidate: Candidate::default(),
            calls: 0,
            yields: Yields::new(),
        };
        enumeration.candidate.clear();
        for image in &puzzle.inputs {
            enumeration.candidate.push_image(image);
        }
        if let Some(id) = enumeration.columns.keep(&mut enumeration.candidate, Kind::Image, Origin::Input, 0) {
            enumeration.rooms.push(id);
            enumeration.enqueue(id, 0);
        }
        enumeration
    }

    /// The number of calls so far, of operations on columns.
    pub(crate) fn calls(&self) -> u64 {
        self.calls
    }

    /// The task.
    pub(crate) fn puzzle(&self) -> &'a Puzzle {
        self.puzzle
    }

    /// Adds a column that no operation makes, to be used as an argument (`room`) or as any other column.
    pub(crate) fn add(&mut self, origin: Origin, cost: u16, room: bool, write: impl FnOnce(&mut Candidate)) -> Option<ColumnId> {
        self.candidate.clear();
        write(&mut self.candidate);
        let id = self.columns.keep(&mut self.candidate, Kind::Image, origin, cost)?;
        if room {
            self.rooms.push(id);
        } else {
            self.enqueue(id, cost);
        }
        Some(id)
    }

    fn enqueue(&mut self, id: ColumnId, cost: u16) {
        let cost = cost as usize;
        if self.queue.len() <= cost {
            self.queue.resize(cost + 1, Vec::new());
        }
        self.queue[cost].push(id);
    }

    /// Makes columns until `visitor` says stop, none is left, or all that cost no more than `most` were made. Whether there may be more.
    pub(crate) fn run(&mut self, most: u16, visitor: &mut impl Visitor) -> bool {
        let mut cost = 0;
        while cost < self.queue.len() {
            if self.queue[cost].is_empty() {
                cost += 1;
                continue;
            }
            if cost > most as usize {
                return true;
            }
            let mut batch = std::mem::take(&mut self.queue[cost]);
            batch.sort_by_key(|id| self.columns.column(*id).rank);
            for (k, &id) in batch.iter().enumerate() {
                if !self.expand(id, visitor) {
                    // What was not used goes on later.
                    self.queue[cost].extend_from_slice(&batch[k + 1..]);
                    return true;
                }
            }
        }
        false
    }

    /// Every operation on one column.
    fn expand(&mut self, id: ColumnId, visitor: &mut impl Visitor) -> bool {
        let column = *self.columns.column(id);
        for (row, operation) in OPERATIONS.iter().enumerate() {
            let cost = column.cost + operation.cost;
            for number in operation.coarse.numbers() {
                if !self.makes_sense(operation, number) {
                    continue;
                }
                let call = |each, arguments| Origin::Call { operation: row as u16, number: number as i8, each, arguments };
                let goes_on = match (column.kind, operation.coarse.kernel) {
                    (Kind::Image, Kernel::Map(_) | Kernel::Split(_)) | (Kind::List, Kernel::Pick(_) | Kernel::Sift(_)) => {
                        self.call(call(false, [id; 2]), cost, visitor)
                    }
                    (Kind::List, Kernel::Map(_)) => self.call(call(true, [id; 2]), cost, visitor),
                    (Kind::Image, Kernel::Merge(_)) => {
                        let rooms = self.rooms.clone();
                        rooms.iter().all(|&room| {
                            (room == id || self.call(call(false, [id, room]), cost, visitor))
                                && (room == id || room != self.rooms[0] || self.call(call(false, [room, id]), cost, visitor))
                        })
                    }
                    _ => true,
                };
                if !goes_on {
                    return false;
                }
            }
        }
        true
    }

    /// Whether a call with this number can tell anything: colours that no grid of the task has tell nothing.
    fn makes_sense(&self, operation: &Operation, number: i32) -> bool {
        !operation.coarse.colour || self.bounds.palette >> number & 1 == 1
    }

    /// Calls an operation on columns and keeps what is new.
    pub(crate) fn call(&mut self, origin: Origin, cost: u16, visitor: &mut impl Visitor) -> bool {
        let Origin::Call { operation, each, arguments, .. } = origin else { return true };
        let pair = self.yields.place(self.columns.column(arguments[0]).origin, origin);
        if pair.is_some_and(|pair| self.yields.is_fruitless(pair)) {
            return true;
        }
        self.calls += 1;
        let before = self.columns.distinct();
        let mut goes_on = true;
        if self.evaluate(origin) {
            let kind = if each || OPERATIONS[operation as usize].coarse.gives_list() { Kind::List } else { Kind::Image };
            goes_on = self.offer(kind, origin, cost, visitor);
        }
        if let Some(pair) = pair {
            self.yields.note(pair, self.columns.distinct() > before);
        }
        goes_on
    }

    /// The column that a call gives, made if there is none yet. It is not used for further columns.
    pub(crate) fn make(&mut self, origin: Origin, cost: u16) -> Option<ColumnId> {
        if !self.evaluate(origin) {
            return None;
        }
        let Self { columns, candidate, .. } = self;
        Some(columns.number(candidate, Kind::Image, origin, cost))
    }

    /// Keeps the candidate if it is new, and tells the visitor.
    fn offer(&mut self, kind: Kind, origin: Origin, cost: u16, visitor: &mut impl Visitor) -> bool {
        let Self { columns, candidate, .. } = self;
        let id = if columns.memory() < self.bounds.memory {
            let Some(id) = columns.keep(candidate, kind, origin, cost) else { return true };
            Some(id)
        } else {
            if !columns.note(candidate, kind) {
                return true;
            }
            None
        };
        let goes_on = visitor.visit(columns, &mut Found { candidate, kind, cost, id });
        if let Some(id) = id {
            self.enqueue(id, cost);
        }
        goes_on
    }

    /// What a call gives on all samples, in the candidate; `false` if it has no value on one of them, or too large a one.
    fn evaluate(&mut self, origin: Origin) -> bool {
        let Self { columns, work, candidate, bounds, puzzle, .. } = self;
        let Origin::Call { operation, number, each, arguments: [first, second] } = origin else { return false };
        let (kernel, number) = (OPERATIONS[operation as usize].coarse.kernel, i32::from(number));
        candidate.clear();
        for sample in 0..puzzle.samples() {
            if each {
                let Kernel::Map(map) = kernel else { return false };
                let mut area = 0;
                for image in columns.list(first, sample) {
                    work.out.clear();
                    if map(image, number, work).is_none() {
                        return false;
                    }
                    area += work.out.cells().len();
                    if area > bounds.list_area {
                        return false;
                    }
                    candidate.add(&work.out);
                }
                candidate.end_sample();
                continue;
            }
            work.out.clear();
            let done = match kernel {
                Kernel::Map(f) | Kernel::Split(f) => f(columns.image(first, sample), number, work),
                Kernel::Merge(f) => f(columns.image(first, sample), columns.image(second, sample), number, work),
                Kernel::Pick(f) | Kernel::Sift(f) => f(columns.list(first, sample), number, work),
            };
            let limit = if matches!(kernel, Kernel::Split(_) | Kernel::Sift(_)) { bounds.list_area } else { bounds.image_area };
            if done.is_none() || work.out.cells().len() > limit {
                return false;
            }
            candidate.push(&work.out);
        }
        true
    }
}
