//! Which primitives may stand in for which.

use std::sync::LazyLock;

use batt_core::PrimId;
use batt_dsl::{Cells, Family, Origin, Primitive, Returns, Type, primitive, primitives, with_cells};

/// The primitives that may replace one, and the primitives of new calls.
struct Lists {
    /// For each primitive those with a compatible signature, of its family first; and how many those are.
    alternatives: Vec<(Vec<PrimId>, usize)>,
    /// All but the aliases.
    rows: Vec<PrimId>,
    /// Of these, by number of parameters.
    by_arity: [Vec<PrimId>; 5],
}

/// The primitives that a program is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Words {
    /// Those of arc-dsl.
    Plain,
    /// Those of the typed dialect too.
    All,
}

static PLAIN: LazyLock<Lists> = LazyLock::new(|| lists(|row| row.origin == Origin::ArcDsl));
static ALL: LazyLock<Lists> = LazyLock::new(|| lists(|row| row.origin != Origin::Batt));

impl Words {
    fn lists(self) -> &'static Lists {
        match self {
            Self::Plain => &PLAIN,
            Self::All => &ALL,
        }
    }

    /// The primitives with a compatible signature, of the same family first, and how many those are.
    pub(super) fn alternatives(self, id: PrimId) -> (&'static [PrimId], usize) {
        self.lists().alternatives.get(usize::from(with_cells(id, Cells::Cij).0)).map_or((&[], 0), |(all, near)| (all, *near))
    }

    /// All primitives but the aliases.
    pub(super) fn rows(self) -> &'static [PrimId] {
        &self.lists().rows
    }

    /// Primitives by their number of arguments.
    pub(super) fn rows_of(self, arity: usize) -> &'static [PrimId] {
        self.lists().by_arity.get(arity).map_or(&[], Vec::as_slice)
    }
}

fn lists(keep: impl Fn(&Primitive) -> bool) -> Lists {
    let keep = &keep;
    let alternatives = primitives()
        .map(|(id, row)| {
            let fitting = |family: bool| {
                primitives()
                    .filter(move |(other, candidate)| {
                        keep(candidate) && *other != id && (candidate.family == row.family) == family && may_stand_in(row, candidate)
                    })
                    .map(|(other, _)| other)
            };
            let near: Vec<PrimId> = fitting(true).collect();
            let count = near.len();
            (near.into_iter().chain(fitting(false)).collect(), count)
        })
        .collect();
    let rows: Vec<PrimId> = primitives().filter(|(_, row)| row.alias.is_none() && keep(row)).map(|(id, _)| id).collect();
    let by_arity = std::array::from_fn(|arity| rows.iter().copied().filter(|&id| primitive(id).params.len() == arity).collect());
    Lists { alternatives, rows, by_arity }
}

/// Whether a call may give what is wanted, going by the table alone.
pub(super) fn may_give(row: &Primitive, wanted: Type) -> bool {
    match row.returns {
        Returns::Always(ty) => ty.fits_filled(wanted),
        Returns::Closure(_) => wanted.may_be_function(),
        Returns::Two(..) | Returns::TupleOf(_) | Returns::Copies(_) | Returns::Zipped => Type::TUPLE.fits(wanted),
        Returns::SetOf(_) | Returns::Singleton(_) | Returns::Inserted | Returns::Product => Type::SET.fits(wanted),
        Returns::Arithmetic(..) => Type::NUMERICAL.fits(wanted),
        _ => true,
    }
}

/// As many arguments, of types that have something in common, and values that may go where the other's go.
fn may_stand_in(row: &Primitive, candidate: &Primitive) -> bool {
    // An alias does what its row does: it comes in only where another stood.
    let alias_fits = match (row.alias, candidate.alias) {
        (_, None) => true,
        (Some(_), Some(_)) => suffix(row) == suffix(candidate),
        (None, Some(_)) => false,
    };
    alias_fits
        && row.params.len() == candidate.params.len()
        && (0..row.params.len()).all(|k| {
            let (old, new) = (row.takes(k), candidate.takes(k));
            old.fits_filled(new) && (old == Type::FUNCTION) == (new == Type::FUNCTION)
        })
        && values_fit(row, candidate)
        && (candidate.family == Family::Demo) == (row.family == Family::Demo)
}

/// The end of an alias's name, which says what container it is for.
fn suffix(alias: &Primitive) -> &'static str {
    alias.name.rsplit_once('_').map_or("", |(_, suffix)| suffix)
}

fn values_fit(row: &Primitive, candidate: &Primitive) -> bool {
    match (row.returns, candidate.returns) {
        (Returns::Always(old), _) => may_give(candidate, old),
        (_, Returns::Always(new)) => may_give(row, new),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use batt_dsl::{Prim, by_name};

    use super::*;

    fn names(id: impl Into<PrimId>) -> Vec<&'static str> {
        Words::All.alternatives(id.into()).0.iter().map(|&id| primitive(id).name).collect()
    }

    #[test]
    fn alternatives_have_a_compatible_signature() {
        let near = Words::All.alternatives(Prim::rot90.into());
        assert!(near.1 >= 5);
        for name in ["rot180", "hmirror", "trim", "tophalf", "compress"] {
            assert!(names(Prim::rot90).contains(&name), "{name}");
        }
        assert!(!names(Prim::rot90).contains(&"replace"));
        assert!(!names(Prim::rot90).contains(&"height"));
        assert!(!names(Prim::rot90).contains(&"hmirror_t"), "aliases come in for aliases only");
        assert!(names(Prim::fill).contains(&"underfill"));
        assert!(names(Prim::argmax).contains(&"argmin"));
        assert!(names(Prim::replace).contains(&"switch"));
    }

    #[test]
    fn aliases_become_aliases_of_the_same_container_and_rows() {
        let names = by_name("first_t").map(names).unwrap_or_default();
        assert!(names.contains(&"last_t") && names.contains(&"last") && names.contains(&"first"));
        assert!(!names.contains(&"last_f"));
    }

    #[test]
    fn every_primitive_is_within_reach_of_another() {
        let reached = |id: PrimId| primitives().any(|(other, _)| Words::All.alternatives(other).0.contains(&id));
        let alone: Vec<&str> = Words::All.rows().iter().filter(|&&id| !reached(id)).map(|&id| primitive(id).name).collect();
        // Nothing else has these parameters; insertion reaches them.
        assert_eq!(alone, ["compose", "objects", "objects_t"]);
    }

    #[test]
    fn plain_programs_stay_plain() {
        let plain = Words::Plain;
        let lists = (0..5).flat_map(|arity| plain.rows_of(arity)).chain(plain.rows());
        let stand_ins = primitives().flat_map(|(id, _)| plain.alternatives(id).0);
        assert!(lists.chain(stand_ins).all(|&id| primitive(id).origin == Origin::ArcDsl));
        assert_eq!((plain.rows().len(), Words::All.rows().len()), (160, 194));
    }
}
