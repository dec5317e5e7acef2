//! What a row of the table says about a primitive.

use crate::Type;

/// What a primitive is about; reports and profiles group by it.
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
    /// What the demo pairs of the task show.
    Demo,
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

/// What a caller may rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[expect(clippy::struct_excessive_bools, reason = "a row names the flags that it has")]
pub struct Flags {
    /// Defined for all arguments of the declared types (within the limits).
    pub total: bool,
    /// The value depends on the order of a set argument.
    pub ordered: bool,
    /// The two arguments may change places, if they have the declared types.
    pub commutative: bool,
    /// The typed dialect has it and arc-dsl has not.
    pub added: bool,
}

/// A parameter.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name, as the reference has it.
    pub name: &'static str,
    /// What it takes.
    pub takes: Type,
}

/// The type of a call's value, from the types of its arguments (counted from 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// Always this type.
    Always(Type),
    /// The type of an argument.
    Same(u8),
    /// Either of two arguments.
    Either(u8, u8),
    /// An item of an argument.
    Item(u8),
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
    /// What argument 1 gives for an item of argument 0.
    Key,
    /// What argument 2 gives for a tuple of anything.
    Picked,
    /// Argument 0 with the items that satisfy argument 1, merged.
    FilteredMerged,
    /// A function made from the arguments.
    Closure,
    /// A patch of the kind that argument 0 is, as a set.
    PatchLike(u8),
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
pub struct Primitive {
    /// Its name.
    pub name: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// The type of its value.
    pub returns: Returns,
    /// What it is about.
    pub family: Family,
    /// What it costs.
    pub cost: Cost,
    /// What a caller may rely on.
    pub flags: Flags,
    /// One sentence.
    pub doc: &'static str,
    /// One call.
    pub example: Example,
    /// Whether the fast executor has a kernel for it.
    pub kernel: bool,
    /// For an alias: what it stands for and the container type that it takes.
    pub alias: Option<Alias>,
}

impl Primitive {
    /// What its parameter at position `k` takes; an alias takes one container type only.
    pub fn takes(&self, k: usize) -> Type {
        let Some(param) = self.params.get(k) else { return Type::NEVER };
        match self.alias {
            Some(alias) if param.takes.is_container() => param.takes.guarded(alias.guard),
            _ => param.takes,
        }
    }
}

/// The container type that an alias of the typed dialect takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// `_t`: a tuple or grid.
    Tuple,
    /// `_f`: a frozen set.
    Set,
    /// `_i`: a set of locations.
    Indices,
    /// `_o`: a set of cells.
    Object,
    /// Another name for the same thing.
    None,
}

/// What an alias stands for.
#[derive(Clone, Copy, Debug)]
pub struct Alias {
    /// The row that does the work.
    pub base: crate::Prim,
    /// What it takes.
    pub guard: Guard,
}
