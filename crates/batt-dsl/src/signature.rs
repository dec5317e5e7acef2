//! Columns of the table: everything that a row says about a primitive.

use batt_core::Maker;
use batt_rules::RuleRow;
use batt_vision::OperationRow;

use crate::batch::ScalarOp;
use crate::{Cells, Range, Type};

/// Subject of a primitive; reports and profiles group by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Integers, pairs, truth values.
    Number,
    /// Tuples and sets of anything.
    Container,
    /// Functions that make functions.
    Function,
    /// Functions called on the items of containers.
    HigherOrder,
    /// Sets of locations, with or without colours.
    Patch,
    /// Locations made from locations.
    Line,
    /// Finding things on grids.
    Object,
    /// Colours and their counts.
    Colour,
    /// Whole grids.
    Grid,
    /// Putting patches onto grids.
    Drawing,
    /// Choosing by position or rank.
    Rank,
    /// Facts about the demo pairs of the task.
    Demo,
    /// Coarse operations on images: grids that have a place.
    Image,
    /// Rules whose parameters are fitted to demos.
    Rule,
}

/// How much fuel a call takes, see [`crate::Machine::call_primitive`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cost {
    /// One unit.
    Unit,
    /// As much as there is in the arguments and the value.
    Linear,
    /// An eighth of the product of what there is in the arguments, and the value.
    Product,
}

/// Guarantees for callers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[expect(clippy::struct_excessive_bools, reason = "a row names the flags that it has")]
pub struct Flags {
    /// Defined for all arguments of the declared types (within the limits).
    pub total: bool,
    /// The value may depend on the order of a set argument, or of a set in it.
    pub ordered: bool,
    /// The value may depend on the order of sets that are items of a tuple argument.
    pub flattens: bool,
    /// Whether there is a value may depend on the order of a set argument, if its items or their keys are neither numbers nor pairs: not
    /// all of them need have an order.
    pub compares: bool,
    /// The value may depend on which of equally frequent items comes first.
    pub ties: bool,
    /// The two arguments may change places, if they have the declared types.
    pub commutative: bool,
}

impl Flags {
    /// All flags with their names and meanings, and whether they are set.
    pub fn all(&self) -> [(&'static str, &'static str, bool); 6] {
        [
            ("total", "defined for all arguments of the declared types", self.total),
            ("ordered", "may depend on the order of a set", self.ordered),
            ("flattens", "may depend on the order of sets in a tuple", self.flattens),
            ("compares", "may be undefined in another order of a set, if its items have no order of their own", self.compares),
            ("ties", "may depend on which of equally frequent items comes first", self.ties),
            ("commutative", "the two arguments may change places", self.commutative),
        ]
    }
}

/// Whose a primitive is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// arc-dsl has it.
    ArcDsl,
    /// The typed dialect has it and arc-dsl has not.
    Dialect,
    /// batt has it and no one else. Mutation does not bring it in.
    Batt,
}

impl Origin {
    /// Its name in documents and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ArcDsl => "arc-dsl",
            Self::Dialect => "dialect",
            Self::Batt => "batt",
        }
    }
}

/// Support for a primitive in the kernels of `batt-gpu`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Device {
    /// Nothing: a program that calls it is left to the host.
    None,
    /// A function for a whole warp.
    Warp,
    /// A function for a whole warp, and one for single lanes.
    Lanes,
    /// Both functions, and the memory that single lanes need.
    LanesInRoom,
    /// A loop around the function that it calls.
    Loop,
}

/// A parameter.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name, as the reference has it.
    pub name: &'static str,
    /// Its type.
    pub takes: Type,
    /// Range of the number that it takes; `None` if it takes no number, or numbers of any use.
    pub range: Option<Range>,
}

/// The type of a call's value, from the types of its arguments (counted from 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// Always this type.
    Always(Type),
    /// An argument as it is, functions included.
    Itself(u8),
    /// The type of an argument: its cells or items in other places.
    Same(u8),
    /// The type of an argument, where no cell or item may be left.
    Resized(u8),
    /// An argument with some of its items. What is left of a pair or cell is no pair or cell any more.
    Filtered(u8),
    /// Either of two arguments.
    Either(u8, u8),
    /// An item of an argument.
    Item(u8),
    /// An item of an argument, or zero if it is empty.
    ItemOrZero(u8),
    /// The item of an argument at a place, from the end if it is negative.
    ItemAt(u8, i8),
    /// The item of an argument at the place that another argument says.
    Nth(u8, u8),
    /// Arithmetic on two arguments; for one argument, name it twice.
    Arithmetic(u8, u8),
    /// A tuple of the two arguments.
    Two(u8, u8),
    /// A tuple of items of an argument.
    TupleOf(u8),
    /// A tuple of copies of an argument.
    Copies(u8),
    /// A set of items of an argument.
    SetOf(u8),
    /// The set of one argument.
    Singleton(u8),
    /// The set argument 1 with argument 0 added.
    Inserted,
    /// The kind of container of argument 0 with the items of both.
    Combined,
    /// The items of the items of argument 0, in its kind of container.
    Merged,
    /// Pairs of items of both arguments, as a set.
    Product,
    /// Pairs of items of both arguments, as a tuple.
    Zipped,
    /// Argument 0 called on the items of argument 1, in its kind of container.
    Applied,
    /// Each item of argument 0 called on argument 1, in its kind of container.
    AppliedEach,
    /// The merge of argument 0 called on the items of argument 1.
    AppliedMerged,
    /// Argument 0 called on pairs from arguments 1 and 2, as a tuple.
    AppliedPairs,
    /// The merge of that.
    AppliedPairsMerged,
    /// Argument 0 called on the product of arguments 1 and 2, as a set.
    AppliedProduct,
    /// The value of function argument 1 for an item of argument 0.
    Key,
    /// The value of function argument 1 for an item of argument 0; for zero if argument 0 is empty.
    KeyOrOfZero,
    /// The value of function argument 2 for a tuple of anything.
    Picked,
    /// Argument 0 with the items that satisfy argument 1, merged.
    FilteredMerged,
    /// A function made from the arguments.
    Closure(Maker),
    /// A patch of the kind that argument 0 is, as a set.
    PatchLike(u8),
}

/// Values of a primitive beyond the type that its row declares: it takes tuples of anything, as the reference does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// Nothing.
    Nothing,
    /// A tuple of argument 1 and argument 0.
    Two,
    /// A tuple of such tuples of their items.
    Zipped,
    /// A tuple of tuples of cells.
    CellTuples,
    /// A set of items of argument 0.
    SetOfItems,
    /// A set of anything, unless argument 0 is a pair.
    SetUnlessPair,
    /// Argument 0, if it may be a tuple.
    OrTuple,
    /// A tuple of items of what argument 1 gives for a grid.
    Found,
}

/// Which arguments of a primitive have the use of something else, so that a number there is replaced by one of the same use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alike {
    /// None.
    None,
    /// The two arguments have the use of each other.
    Arguments,
    /// All arguments but the first have the use of the value.
    Value,
    /// One argument has the use of the items of another.
    ItemOf {
        /// The argument.
        item: u8,
        /// The other one.
        container: u8,
    },
}

/// A call and what it gives, both as program text.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// An expression.
    pub call: &'static str,
    /// An expression with the same value.
    pub gives: &'static str,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "a row names the columns that it has")]
pub struct Primitive {
    /// Its name.
    pub name: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// The type of its value.
    pub returns: Returns,
    /// Its subject.
    pub family: Family,
    /// Fuel of a call.
    pub cost: Cost,
    /// Guarantees for callers.
    pub flags: Flags,
    /// Whose it is.
    pub origin: Origin,
    /// One sentence.
    pub doc: &'static str,
    /// One call.
    pub example: Example,
    /// Whether it has a kernel, which is used unless the reference executor runs it.
    pub kernel: bool,
    /// Support in the kernels of devices.
    pub device: Device,
    /// The kernel of grid pipelines has it as a `GRID_STEP`.
    pub grid_step: bool,
    /// Its loop over columns of numbers and other plain values.
    pub(crate) scalar: ScalarOp,
    /// Range of its value, or of the numbers in the container that is its value, unless that follows from the type.
    pub numbers: Option<Range>,
    /// Which of its arguments have the use of something else.
    pub alike: Alike,
    /// Of what the function that it calls gives, only the truth matters.
    pub condition: bool,
    /// Values beyond the declared type.
    pub beyond: Beyond,
    /// Types that its parameters take beyond the declared ones.
    pub takes_beyond: Option<Type>,
    /// Parameters, counted from 0, and values of which it makes something although it is not for them: a call on one is no error, and
    /// yet hardly meant. A parameter for colours takes anything: colours are stored and compared only.
    pub runs_on: &'static [(usize, Type)],
    /// The mirror or rotation that it is, as `mir_rot_t` counts them.
    pub turn: Option<u8>,
    /// How an argument is found from the value and the other arguments.
    pub undo: Undo,
    /// How the Python package runs it on plain values.
    pub python: InPython,
    /// It measures a patch: a tuple of cells is one to the typed dialect's ancestor, and a grid to arc-dsl.
    pub measures: bool,
    /// Its name came with cells as `(i, j, c)`.
    pub triples: bool,
    /// For a coarse operation on images: its row.
    pub image: Option<&'static OperationRow>,
    /// For a rule whose parameters are fitted: its row.
    pub rule: Option<&'static RuleRow>,
    /// For an alias: what it stands for and the containers that it takes.
    pub alias: Option<Alias>,
    /// How its cells are made.
    pub cells: Cells,
}

impl Primitive {
    /// Range of the number at parameter `k`; `None` if it takes no number, or numbers of any use.
    pub fn range(&self, k: usize) -> Option<Range> {
        self.params.get(k)?.range
    }

    /// Range of its value; `None` if it gives no number, or numbers of any use.
    pub fn value_range(&self) -> Option<Range> {
        let Returns::Always(ty) = self.returns else { return None };
        let plain = Range::of_type(ty)?;
        Some(self.numbers.unwrap_or(plain))
    }

    /// Range of the numbers in the container that it gives, if that is known.
    pub fn item_range(&self) -> Option<Range> {
        self.numbers.filter(|_| self.value_range().is_none())
    }

    /// The kind of function that it makes; `None` if it makes none.
    pub fn maker(&self) -> Option<Maker> {
        if let Returns::Closure(maker) = self.returns { Some(maker) } else { None }
    }

    /// Whether its parameter at position `k` takes the demos of the task.
    pub fn takes_demos(&self, k: usize) -> bool {
        self.family == Family::Demo && k == 0
    }

    /// Whether its parameter at position `k` takes a container of functions.
    pub fn takes_functions(&self, k: usize) -> bool {
        self.returns == Returns::AppliedEach && k == 0
    }

    /// Where the function stands that it calls, or the first of several.
    pub fn function_place(&self) -> Option<usize> {
        self.params.iter().position(|param| param.takes == Type::FUNCTION)
    }

    /// On how many items at a time it calls its function.
    pub fn items_at_a_time(&self) -> usize {
        if matches!(self.returns, Returns::AppliedPairs | Returns::AppliedPairsMerged | Returns::AppliedProduct) { 2 } else { 1 }
    }

    /// Type of its parameter at position `k`; an alias takes the containers that its guard lets through.
    pub fn takes(&self, k: usize) -> Type {
        let Some(param) = self.params.get(k) else { return Type::NEVER };
        let takes = match self.alias {
            Some(alias) if param.takes.is_container() => param.takes.guarded(alias.guard),
            _ => param.takes,
        };
        self.of_cells(takes)
    }

    /// A type that the table declares, with cells as this row has them.
    pub fn of_cells(&self, ty: Type) -> Type {
        match self.cells {
            Cells::Cij => ty,
            Cells::Ijc => ty.with_triples(),
        }
    }

    /// Everything on which a call may have a value, for the parameter at position `k`: more than it is for. Functions are left out, since it
    /// depends on the other arguments whether one is called.
    pub fn runs_on(&self, k: usize) -> Type {
        let Some(param) = self.params.get(k) else { return Type::NEVER };
        let more = self.runs_on.iter().filter(|(place, _)| *place == k).fold(Type::NEVER, |all, &(_, ty)| all.or(ty));
        let calls = self.function_place().is_some();
        let wide = match param.takes {
            _ if param.range == Some(Range::Colour) => Type::ANY,
            Type::BOOLEAN => Type::ANY,
            // Images are read from any container.
            _ if param.takes.is_container() && matches!(self.family, Family::Image | Family::Rule) => Type::CONTAINER,
            Type::GRID | Type::SET | Type::TUPLE | Type::INTEGER | Type::FUNCTION => param.takes,
            Type::CONTAINERS if !calls => param.takes,
            // Of a longer tuple the first two items are looked at.
            Type::NUMERICAL => const { Type::NUMERICAL.or(Type::INTEGERS) },
            Type::PAIR => const { Type::INTEGERS.or(Type::CELL).or(Type::INTEGER_SET) },
            Type::CELL => Type::TUPLE,
            _ if param.takes.is_container() => Type::CONTAINER,
            other => other,
        };
        wide.or(more).or(self.takes_beyond.unwrap_or(Type::NEVER))
    }

    /// Type in which the row that does the work gets an argument of type `ty`, as far as the parameter at position `k` takes it.
    pub fn given(&self, k: usize, ty: Type) -> Type {
        let taken = ty.narrowed(self.takes(k));
        match (self.alias, self.params.get(k)) {
            (Some(alias), Some(param)) if param.takes.is_container() => self.of_cells(taken.viewed(alias.guard)),
            _ => taken,
        }
    }
}

/// The containers that an alias of the typed dialect takes, and what it takes them for: by its suffix, and by what the ancestor's Python
/// accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// The containers of the row: another name for the same primitive.
    None,
    /// A tuple or grid, and nothing else.
    Tuple,
    /// A set, and nothing else.
    Set,
    /// Any container, for the tuple of its items.
    AsTuple,
    /// Any container, for the set of its items.
    AsSet,
    /// Locations or cells, in a set or a tuple, for the set of them: a tuple of cells is a patch, not a grid.
    Patch,
    /// Locations, in a set or a tuple, for the set of them.
    Indices,
    /// Cells, in a set or a tuple, for the set of them.
    Object,
}

/// Base and guard of an alias.
#[derive(Clone, Copy, Debug)]
pub struct Alias {
    /// The row that does the work.
    pub base: crate::Prim,
    /// The containers that it takes.
    pub guard: Guard,
}

/// Which argument of a primitive can be found from its value and the other arguments, and how.
///
/// The argument is a guess: a caller checks that the primitive gives the value for it.
#[derive(Clone, Copy, Debug)]
pub enum Undo {
    /// None.
    None,
    /// The first: this primitive gives it for the value and the other arguments.
    By(crate::Prim),
    /// The first: it is the value.
    Same,
    /// The third: the locations of the cells in which the value differs from the first.
    Indices,
    /// The second: the cells in which the value differs from the first.
    Cells,
    /// An image: this function tells what its cells may be.
    Image(batt_vision::operations::inverses::Inverse),
    /// Either: the part of the value left or right of the other one.
    Beside,
    /// Either: the part of the value above or below the other one.
    Below,
}

/// How the Python package runs a primitive of arc-dsl on plain values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InPython {
    /// In Python.
    Plain,
    /// In the engine: that is faster, conversions included (`bench/python.py`), and the value does not depend on the order of a set.
    Engine,
    /// In the engine. arc-dsl makes the sets of the value from sets, which decides their order in Python.
    EngineFromSets,
}
