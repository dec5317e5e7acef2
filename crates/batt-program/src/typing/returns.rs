//! Evaluation of the table's types of values.

use batt_dsl::{Beyond, Cells, Primitive, Returns, Type};

use super::{Abstract, Inference};

impl Inference {
    /// The value of a call with the right number of arguments.
    pub(super) fn returned(&mut self, row: &Primitive, args: &[Abstract]) -> Abstract {
        // Of what an argument might be, only what the parameter takes leads to a value.
        let taken = |k: usize| row.given(k, args[k].ty);
        let item = |k: usize| taken(k).item();
        if let Some(ty) = self.beyond_declared(row.beyond, args, &taken) {
            return Abstract::of(row.of_cells(ty));
        }
        let item_at = |inference: &Self, k: u8, place: Option<i8>| {
            let container = taken(usize::from(k));
            if inference.is_doubting() && container == Type::CELL { part_of_cell(place) } else { container.item() }
        };
        let ty = match row.returns {
            Returns::Always(ty) => ty,
            Returns::Itself(k) => return args[usize::from(k)],
            Returns::Same(k) => rearranged(taken(usize::from(k)), false),
            Returns::Resized(k) => rearranged(taken(usize::from(k)), true),
            Returns::Filtered(k) => filtered(taken(usize::from(k))),
            Returns::Either(a, b) => {
                let (a, b) = (args[usize::from(a)], args[usize::from(b)]);
                return self.join(a, b);
            }
            Returns::Item(k) => item(usize::from(k)),
            Returns::ItemOrZero(k) => item(usize::from(k)).or(Type::INTEGER),
            Returns::ItemAt(k, place) => item_at(self, k, Some(place)),
            Returns::Nth(k, place) => item_at(self, k, args[usize::from(place)].integer),
            Returns::Arithmetic(a, b) => {
                let made = taken(usize::from(a)).arithmetic(taken(usize::from(b)));
                // Of tuples that are no pairs some make tuples. A strict reading does not count on it.
                let is_odd = |k: u8| !args[usize::from(k)].ty.within(Type::NUMERICAL) && args[usize::from(k)].ty.may_be_tuple();
                let makes_tuples = !row.runs_on.is_empty() && !self.is_strict() && !self.is_doubting();
                if makes_tuples && (is_odd(a) || is_odd(b)) { made.or(Type::TUPLE) } else { made }
            }
            Returns::Two(a, b) => Type::two(args[usize::from(a)].ty, args[usize::from(b)].ty),
            Returns::TupleOf(k) => item(usize::from(k)).in_tuple(),
            Returns::Copies(k) => taken(usize::from(k)).in_tuple(),
            Returns::SetOf(k) => item(usize::from(k)).in_set(),
            Returns::Singleton(k) => taken(usize::from(k)).in_set(),
            Returns::Inserted => item(1).or(args[0].ty).in_set(),
            Returns::Combined => taken(0).with_items(item(0).or(item(1))),
            Returns::Merged | Returns::FilteredMerged => taken(0).with_items(item(0).item()),
            Returns::Product => Type::two(item(0), item(1)).in_set(),
            Returns::Zipped => Type::two(item(0), item(1)).in_tuple(),
            Returns::Applied => {
                let container = taken(1);
                let image = self.image(args[0], &[item(1)]);
                self.unless_never(image, container.with_items(image))
            }
            Returns::AppliedEach => taken(0).with_items(Type::ANY),
            Returns::AppliedMerged => {
                let container = taken(1);
                let image = self.image(args[0], &[item(1)]);
                self.unless_never(image, container.with_items(image.item()))
            }
            Returns::AppliedPairs => {
                let image = self.image(args[0], &[item(1), item(2)]);
                self.unless_never(image, image.in_tuple())
            }
            Returns::AppliedPairsMerged => {
                let image = self.image(args[0], &[item(1), item(2)]);
                self.unless_never(image, image.item().in_tuple())
            }
            Returns::AppliedProduct => {
                let image = self.image(args[0], &[item(1), item(2)]);
                self.unless_never(image, image.in_set())
            }
            Returns::Key => self.image(args[1], &[item(0)]),
            Returns::KeyOrOfZero => self.image(args[1], &[item(0).or(Type::INTEGER)]),
            Returns::Picked => {
                let found = self.image(args[1], &[Type::SURE_GRID]).item().in_tuple();
                self.image(args[2], &[found])
            }
            Returns::Closure(maker) => return self.closure(maker, args),
            // A triple is a tuple like any other.
            Returns::PatchLike(_) if row.cells == Cells::Ijc => Type::SET,
            Returns::PatchLike(k) => taken(usize::from(k)).patch(),
        };
        Abstract::of(row.of_cells(ty))
    }

    /// Type of values beyond the declared one, if there are any for these arguments.
    fn beyond_declared(&mut self, beyond: Beyond, args: &[Abstract], taken: &impl Fn(usize) -> Type) -> Option<Type> {
        Some(match beyond {
            Beyond::Nothing => return None,
            Beyond::Two => Type::two(args[1].ty, args[0].ty),
            Beyond::Zipped => Type::two(taken(1).item(), taken(0).item()).in_tuple(),
            Beyond::CellTuples => const { Type::CELL.in_tuple().in_tuple() },
            Beyond::SetOfItems => taken(0).item().in_set(),
            Beyond::SetUnlessPair if args[0].ty.within(Type::PAIR) => return None,
            Beyond::SetUnlessPair => Type::SET,
            Beyond::OrTuple if taken(0).within(Type::SET) => return None,
            Beyond::OrTuple => Type::INDICES.or(taken(0)),
            Beyond::Found => self.image(args[1], &[Type::SURE_GRID]).item().in_tuple(),
        })
    }

    fn image(&mut self, function: Abstract, args: &[Type]) -> Type {
        let mut values = [Abstract::NEVER; 2];
        for (value, &ty) in values.iter_mut().zip(args) {
            *value = Abstract::of(ty);
        }
        self.call_inside(function, &values[..args.len()]).ty
    }

    /// The type of a container of images: a function that never has a value leaves an empty one, which a strict reading
    /// does not count on.
    fn unless_never(&self, image: Type, container: Type) -> Type {
        if self.is_strict() && image.is_never() { Type::NEVER } else { container }
    }
}

/// The type of an item of a cell `(c, (i, j))`, of either if it is not known which.
fn part_of_cell(place: Option<i8>) -> Type {
    match place {
        None => Type::CELL.item(),
        Some(0 | -2) => Type::INTEGER,
        Some(1 | -1) => Type::PAIR,
        Some(_) => Type::NEVER,
    }
}

fn filtered(container: Type) -> Type {
    container.or(container.with_items(container.item()))
}

/// A container with its items, or their items, in another order: what is left of a tuple that is no grid may have any
/// form.
fn rearranged(container: Type, may_be_empty: bool) -> Type {
    let kept = if may_be_empty { Type::SET } else { Type::SET.or(Type::SURE_GRID).or(Type::PAIR) };
    if container.within(kept) { container } else { container.or(Type::GRID) }
}
