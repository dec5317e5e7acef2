//! What the table says about the values of calls, evaluated.

use batt_core::PrimId;
use batt_dsl::{Prim, Primitive, Returns, Type};

use super::{Abstract, Inference};

impl Inference {
    /// The value of a call with the right number of arguments.
    pub(super) fn returned(&mut self, id: PrimId, row: &Primitive, args: &[Abstract]) -> Abstract {
        let base = row.alias.map_or(id, |alias| PrimId::from(alias.base));
        // Of what an argument might be, only what the parameter takes leads to a value.
        let taken = |k: usize| args[k].ty.narrowed(row.takes(k));
        let item = |k: usize| taken(k).item();
        if let Some(ty) = self.beyond_declared(base, args, &taken) {
            return Abstract::of(ty);
        }
        let ty = match row.returns {
            Returns::Always(ty) => ty,
            Returns::Same(k) if is_filter(base) => filtered(taken(usize::from(k))),
            Returns::Same(0) if is(base, &[Prim::identity]) => return args[0],
            Returns::Same(k) => rearranged(taken(usize::from(k)), is(base, &[Prim::upscale])),
            Returns::Either(a, b) => {
                let (a, b) = (args[usize::from(a)], args[usize::from(b)]);
                return self.join(a, b);
            }
            // Of an empty container the extremes are zero.
            Returns::Item(k) if is(base, &[Prim::maximum, Prim::minimum]) => item(usize::from(k)).or(Type::INTEGER),
            Returns::Item(k) => item(usize::from(k)),
            Returns::Arithmetic(a, b) => taken(usize::from(a)).arithmetic(taken(usize::from(b))),
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
            // Of an empty container the function is called on zero.
            Returns::Key if is(base, &[Prim::valmax, Prim::valmin]) => self.image(args[1], &[item(0).or(Type::INTEGER)]),
            Returns::Key => self.image(args[1], &[item(0)]),
            Returns::Picked => {
                let found = self.image(args[1], &[Type::SURE_GRID]).item().in_tuple();
                self.image(args[2], &[found])
            }
            Returns::Closure => return self.closure(base, args),
            Returns::PatchLike(k) => taken(usize::from(k)).patch(),
        };
        Abstract::of(ty)
    }

    /// What some primitives give beyond what they are declared for: they take tuples of anything, as the reference does.
    fn beyond_declared(&mut self, base: PrimId, args: &[Abstract], taken: &impl Fn(usize) -> Type) -> Option<Type> {
        let cells = const { Type::CELL.in_tuple().in_tuple() };
        let found = || taken(0).item().in_set();
        Some(match base {
            _ if is(base, &[Prim::ascell]) => Type::two(args[1].ty, args[0].ty),
            _ if is(base, &[Prim::celltuple]) => Type::two(taken(1).item(), taken(0).item()).in_tuple(),
            _ if is(base, &[Prim::objects_t, Prim::o_g_t]) => cells,
            _ if is(base, &[Prim::colorfilter]) => found(),
            // A tuple of locations stays as it is.
            _ if is(base, &[Prim::toindices]) && !taken(0).within(Type::SET) => Type::INDICES.or(taken(0)),
            _ if is(base, &[Prim::c_iz, Prim::c_zo]) => self.image(args[1], &[Type::SURE_GRID]).item().in_tuple(),
            _ => return None,
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

fn is(id: PrimId, any: &[Prim]) -> bool {
    any.iter().any(|&prim| PrimId::from(prim) == id)
}

/// The primitives that keep some items of a container. What is left of a pair or cell is no pair or cell any more.
fn is_filter(id: PrimId) -> bool {
    is(
        id,
        &[
            Prim::sfilter,
            Prim::remove,
            Prim::intersection,
            Prim::difference,
            Prim::difference_tuple,
            Prim::dedupe,
            Prim::dedupe_pair_tuple,
            Prim::colorfilter_t,
            Prim::sizefilter_t,
        ],
    )
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
