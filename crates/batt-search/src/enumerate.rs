//! Columns in the order of their costs: every operation on every column, the cheapest first.

use std::sync::Arc;

use batt_vision::{Argument, Kernel, OperationRow, Puzzle, SearchUse};

use crate::arena::Spare;
use crate::batch::Processor;
use crate::call::{Called, Caller};
use crate::columns::{ColumnId, ColumnKind, Columns, Number, Origin};
use crate::learnt::Preferences;
use crate::operations::{CLASSES, COST, OPERATIONS, named};
use crate::scalars::{ScalarId, ScalarKind, Scalars};
use crate::values::Made;

/// Limits on columns, so that a task ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The most cells of an image.
    pub(crate) image_area: usize,
    /// The most cells of a list.
    pub(crate) list_area: usize,
    /// The colours that occur in the task.
    pub(crate) palette: u16,
}

impl Bounds {
    /// For a task.
    pub(crate) fn of(puzzle: &Puzzle) -> Self {
        let all = || puzzle.inputs.iter().chain(puzzle.outputs.iter());
        let largest = all().map(|image| image.cells.len()).max().unwrap_or(0);
        let palette = all().fold(0, |palette, image| palette | image.palette());
        Self { image_area: largest * 2, list_area: largest * 10, palette }
    }
}

/// The most columns that an operation is called on in one batch.
const BATCH: usize = 32;
/// How much earlier columns are used for each operation that helped to get a demo right.
const HELP: i32 = 2;
/// The most columns of colours that operations are called with.
const MOST_ROLES: usize = 6;

/// Makes columns.
pub(crate) struct Enumeration<'a> {
    puzzle: &'a Puzzle,
    bounds: Bounds,
    /// All columns of images.
    pub(crate) columns: Columns,
    /// All columns of colours and integers.
    pub(crate) scalars: Scalars,
    main_colour: u16,
    /// Whether operations are called with columns of colours.
    has_roles: bool,
    /// Calls for every column: operations and their last arguments, grouped by class.
    calls: [Vec<Call>; CLASSES.len()],
    /// For each class of calls the columns that were not called so yet, by what they cost and the class adds.
    queue: Vec<[Vec<ColumnId>; CLASSES.len()]>,
    /// Columns that are being used.
    group: Group,
    /// Columns that others are merged with: the inputs, and the canvas of the outputs' size if it is known.
    rooms: Vec<ColumnId>,
    caller: Caller<Processor>,
    arguments: Vec<[ColumnId; 2]>,
    made: u64,
    yields: Yields,
    /// Operations that helped to get a demo right: what they make is used earlier.
    helpful: Vec<bool>,
}

/// An operation with its last argument.
#[derive(Clone, Copy)]
struct Call {
    operation: u16,
    number: Number,
    takes: Takes,
}

/// Argument types of an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Image,
    List,
    /// Each image of a list.
    Each,
    /// An image and a room, the room second (`false`) or first.
    Room(u8, bool),
}

/// Result of offering a new column.
struct Offered {
    /// Its number, if it is new.
    id: Option<ColumnId>,
    /// Whether the visitor wants more.
    goes_on: bool,
}

/// Columns that are used together, and how far that is.
#[derive(Default)]
struct Group {
    ids: Vec<ColumnId>,
    class: usize,
    /// The call at hand, and the first of the columns that it was not called on.
    call: usize,
    next: usize,
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
                // One more for all columns of colours.
                let numbers = operation.numbers().len() as u32 + 1;
                slots += numbers;
                slots - numbers
            })
            .collect();
        // Twice as many: a call on each image of a list is another one.
        let slots = 2 * slots as usize;
        Self { starts, slots, tried: vec![0; slots * slots] }
    }

    /// The place of a call, without its arguments.
    fn slot(&self, operation: u16, number: Number, each: bool) -> usize {
        let first = OPERATIONS[operation as usize].numbers().start;
        let number = match number {
            Number::Literal(number) => (i32::from(number) - first) as usize,
            Number::Column(_) => OPERATIONS[operation as usize].numbers().len(),
        };
        self.starts[operation as usize] as usize * 2 + number * 2 + usize::from(each)
    }

    /// The place of a pair of calls, the first of which made what the second is called on.
    fn place(&self, first: Origin, second: usize) -> Option<usize> {
        match first {
            Origin::Call { operation, number, each, .. } => Some(self.slot(operation, number, each) * self.slots + second),
            _ => None,
        }
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

/// Observer of new columns.
pub(crate) trait Visitor {
    /// A new column; `false` to stop.
    fn visit(&mut self, columns: &mut Columns, id: ColumnId) -> bool;

    /// Whether it is time to stop, which is asked before each operation on a group of columns.
    fn is_over(&mut self) -> bool {
        false
    }
}

impl<'a> Enumeration<'a> {
    /// Begins with the inputs; with what can be told of them as arguments, if `roles`.
    pub(crate) fn new(puzzle: &'a Puzzle, bounds: Bounds, preferences: &Arc<Preferences>, roles: bool, spare: &Spare) -> Self {
        let mut enumeration = Self {
            puzzle,
            bounds,
            columns: Columns::new(puzzle.samples(), bounds.list_area, Arc::clone(preferences), spare),
            scalars: Scalars::new(puzzle.samples()),
            main_colour: named("colour_of"),
            has_roles: roles,
            calls: [const { Vec::new() }; CLASSES.len()],
            queue: Vec::new(),
            group: Group::default(),
            rooms: Vec::new(),
            caller: Caller::default(),
            arguments: Vec::new(),
            made: 0,
            yields: Yields::new(),
            helpful: vec![false; OPERATIONS.len()],
        };
        let mut inputs = Made::default();
        for image in &puzzle.inputs {
            inputs.push_image(image);
        }
        if let Some(id) = enumeration.columns.keep_made(&inputs, ColumnKind::Image, Origin::Input, 0) {
            enumeration.rooms.push(id);
            enumeration.enqueue(id, 0);
            enumeration.scalars.measure_all(&enumeration.columns, id);
        }
        enumeration.list_calls();
        enumeration
    }

    /// The number of calls so far, of operations on columns.
    pub(crate) fn calls(&self) -> u64 {
        self.made
    }

    /// The task.
    pub(crate) fn puzzle(&self) -> &'a Puzzle {
        self.puzzle
    }

    /// Adds a column that no operation makes, to be used as an argument.
    pub(crate) fn add_room(&mut self, origin: Origin, made: &Made) -> Option<ColumnId> {
        let id = self.columns.keep_made(made, ColumnKind::Image, origin, 0)?;
        self.rooms.push(id);
        self.list_calls();
        Some(id)
    }

    /// Adds a column that no operation makes, and uses it for further columns.
    pub(crate) fn add_given(&mut self, given: u16, made: &Made, cost: u16) -> Option<ColumnId> {
        let id = self.columns.keep_made(made, ColumnKind::Image, Origin::Given(given), cost)?;
        self.enqueue(id, cost);
        Some(id)
    }

    /// Columns of colours that are no constants, as arguments.
    pub(crate) fn roles(&self) -> impl Iterator<Item = ScalarId> {
        let scalars = &self.scalars;
        scalars.of_kind(ScalarKind::Colour).filter(|&id| scalars.cost(id) == 0 && !scalars.is_constant(id)).take(MOST_ROLES)
    }

    /// Measures the colours and integers that columns tell, as far as that was put off.
    pub(crate) fn tell_scalars(&mut self) {
        self.scalars.catch_up(&self.columns, self.main_colour);
    }

    fn list_calls(&mut self) {
        let roles: Vec<ScalarId> = if self.has_roles { self.roles().collect() } else { Vec::new() };
        let mut calls = [const { Vec::new() }; CLASSES.len()];
        for (row, operation) in OPERATIONS.iter().enumerate() {
            let literals = operation.numbers().filter(|&number| self.makes_sense(operation, number));
            let roles = roles.iter().filter(|_| operation.argument == Argument::Colour).map(|&id| Number::Column(id));
            for number in literals.map(|number| Number::Literal(number as i8)).chain(roles) {
                let class = usize::from(operation.search == SearchUse::Rare || matches!(number, Number::Column(_)));
                let mut call = |takes| calls[class].push(Call { operation: row as u16, number, takes });
                match operation.kernel {
                    Kernel::Map(_) => {
                        call(Takes::Image);
                        call(Takes::Each);
                    }
                    Kernel::Split(_) => call(Takes::Image),
                    Kernel::Pick(_) | Kernel::Sift(_) => call(Takes::List),
                    Kernel::Merge(_) => {
                        for room in 0..self.rooms.len() as u8 {
                            call(Takes::Room(room, false));
                            if room == 0 {
                                call(Takes::Room(room, true));
                            }
                        }
                    }
                    Kernel::Colour(_) | Kernel::Count(_) | Kernel::Pair(_) | Kernel::Test(_) => {}
                }
            }
        }
        self.calls = calls;
    }

    fn enqueue(&mut self, id: ColumnId, cost: u16) {
        for (class, more) in CLASSES.into_iter().enumerate() {
            let cost = (cost + more) as usize;
            if self.queue.len() <= cost {
                self.queue.resize_with(cost + 1, Default::default);
            }
            self.queue[cost][class].push(id);
        }
    }

    /// Makes columns until `visitor` says stop, none is left, or all that cost no more than `most` were made. Whether there may be more.
    pub(crate) fn run(&mut self, most: u16, visitor: &mut impl Visitor) -> bool {
        if !self.use_group(visitor) {
            return true;
        }
        let (mut cost, mut class) = (0, 0);
        while cost < self.queue.len() {
            if self.queue[cost][class].is_empty() {
                class = (class + 1) % CLASSES.len();
                cost += usize::from(class == 0);
                continue;
            }
            if cost > most as usize {
                return true;
            }
            let mut waiting = std::mem::take(&mut self.queue[cost][class]);
            waiting.sort_by_cached_key(|id| self.urgency(*id));
            let mut left = waiting.as_slice();
            while let Some((group, rest)) = left.split_at_checked(BATCH.min(left.len())).filter(|(group, _)| !group.is_empty()) {
                left = rest;
                self.group = Group { ids: group.to_vec(), class, call: 0, next: 0 };
                if !self.use_group(visitor) {
                    // What was not used goes on later.
                    self.queue[cost][class].extend_from_slice(left);
                    return true;
                }
            }
        }
        false
    }

    /// How early a column is used, of those that cost the same: the lower the earlier.
    fn urgency(&self, mut id: ColumnId) -> i32 {
        let mut rank = i32::from(self.columns.column(id).rank);
        while let Origin::Call { operation, arguments, .. } = self.columns.column(id).origin {
            rank -= if self.helpful[operation as usize] { HELP } else { 0 };
            id = arguments[0];
        }
        rank
    }

    /// Notes that columns, and what they were made of, helped to get a demo right.
    pub(crate) fn favour(&mut self, columns: impl IntoIterator<Item = ColumnId>) {
        let mut left: Vec<ColumnId> = columns.into_iter().collect();
        while let Some(id) = left.pop() {
            if let Origin::Call { operation, arguments, .. } = self.columns.column(id).origin {
                self.helpful[operation as usize] = true;
                left.extend(arguments.into_iter().take(if arguments[0] == arguments[1] { 1 } else { 2 }));
            }
        }
    }

    /// Every operation on the columns of the group, as far as that is not done.
    fn use_group(&mut self, visitor: &mut impl Visitor) -> bool {
        while let Some(&call) = self.calls[self.group.class].get(self.group.call).filter(|_| !self.group.ids.is_empty()) {
            if visitor.is_over() || !self.call_on_group(call, visitor) {
                return false;
            }
            self.group.call += 1;
            self.group.next = 0;
        }
        self.group.ids.clear();
        true
    }

    /// One operation on the columns of the group. `false` if the visitor said stop; then the group knows how far it is.
    fn call_on_group(&mut self, call: Call, visitor: &mut impl Visitor) -> bool {
        let Call { operation, number, takes } = call;
        let each = takes == Takes::Each;
        let kind = if matches!(takes, Takes::List | Takes::Each) { ColumnKind::List } else { ColumnKind::Image };
        let slot = self.yields.slot(operation, number, each);
        let mut arguments = std::mem::take(&mut self.arguments);
        arguments.clear();
        let mut places = [0; BATCH];
        for (place, &id) in self.group.ids.iter().enumerate().skip(self.group.next) {
            let column = self.columns.column(id);
            if column.kind != kind {
                continue;
            }
            let pair = match takes {
                Takes::Room(room, _) if self.rooms[room as usize] == id => continue,
                Takes::Room(room, true) => [self.rooms[room as usize], id],
                Takes::Room(room, false) => [id, self.rooms[room as usize]],
                _ => [id; 2],
            };
            let fruitless = |tried: usize| self.yields.is_fruitless(tried);
            if self.yields.place(self.columns.column(pair[0]).origin, slot).is_some_and(fruitless) {
                continue;
            }
            places[arguments.len()] = place;
            arguments.push(pair);
        }
        self.made += arguments.len() as u64;
        let goes_on = arguments.is_empty() || {
            self.run_batch(operation, number, each, &arguments);
            self.offer_all(call, slot, &arguments, &places, visitor)
        };
        self.arguments = arguments;
        goes_on
    }

    fn run_batch(&mut self, operation: u16, number: Number, each: bool, arguments: &[[ColumnId; 2]]) {
        let kernel = OPERATIONS[operation as usize].kernel;
        let literal;
        let numbers = match number {
            Number::Literal(number) => {
                literal = vec![i32::from(number); self.puzzle.samples()];
                literal.as_slice()
            }
            Number::Column(id) => self.scalars.values(id),
        };
        let lists = each || matches!(kernel, Kernel::Split(_) | Kernel::Sift(_));
        let most_cells = if lists { self.bounds.list_area } else { self.bounds.image_area };
        self.caller.run(&Called { kernel, each, numbers, most_cells }, arguments, &mut self.columns);
    }

    /// Keeps what is new of a batch, and tells the visitor.
    fn offer_all(
        &mut self,
        call: Call,
        slot: usize,
        arguments: &[[ColumnId; 2]],
        places: &[usize; BATCH],
        visitor: &mut impl Visitor,
    ) -> bool {
        let each = call.takes == Takes::Each;
        for (k, &arguments) in arguments.iter().enumerate() {
            let origin = Origin::Call { operation: call.operation, number: call.number, each, arguments };
            let cost = COST + CLASSES[self.group.class] + self.columns.column(self.group.ids[places[k]]).cost;
            let offered = self.offer(k, origin, cost, visitor);
            if let Some(place) = self.yields.place(self.columns.column(arguments[0]).origin, slot) {
                self.yields.note(place, offered.id.is_some());
            }
            if !offered.goes_on {
                self.group.next = places[k] + 1;
                return false;
            }
        }
        true
    }

    /// Keeps a column of the last batch, by its place there, if it is new, and tells the visitor.
    fn offer(&mut self, place: usize, origin: Origin, cost: u16, visitor: &mut impl Visitor) -> Offered {
        let mut offered = Offered { id: None, goes_on: true };
        let (Origin::Call { operation, each, .. }, Some(values)) = (origin, self.caller.given(place)) else { return offered };
        let kind = if each || OPERATIONS[operation as usize].gives_list() { ColumnKind::List } else { ColumnKind::Image };
        offered.id = self.columns.keep(values, kind, origin, cost);
        if let Some(id) = offered.id {
            self.scalars.note(&self.columns, id);
            offered.goes_on = visitor.visit(&mut self.columns, id);
            self.enqueue(id, cost);
        }
        offered
    }

    /// Whether a call with this number can tell anything: colours that no grid of the task has tell nothing.
    fn makes_sense(&self, operation: &OperationRow, number: i32) -> bool {
        operation.argument != Argument::Colour || self.bounds.palette >> number & 1 == 1
    }

    /// The column that a call gives, made if there is none yet. It is not used for further columns.
    pub(crate) fn make(&mut self, origin: Origin, cost: u16) -> Option<ColumnId> {
        let Origin::Call { operation, number, each, arguments } = origin else { return None };
        self.run_batch(operation, number, each, &[arguments]);
        Some(self.columns.number(self.caller.given(0)?, ColumnKind::Image, origin, cost))
    }
}
