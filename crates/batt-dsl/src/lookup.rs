//! Names to primitives and constants, and the nearest name to a misspelt one.

use std::collections::HashMap;
use std::sync::LazyLock;

use batt_core::{Maker, PrimId};

use crate::{ConstId, Prim, primitives};

static PRIMITIVES: LazyLock<HashMap<&'static str, PrimId>> = LazyLock::new(|| primitives().map(|(id, row)| (row.name, id)).collect());
static CONSTANTS: LazyLock<HashMap<&'static str, ConstId>> = LazyLock::new(|| ConstId::all().map(|id| (id.name(), id)).collect());

/// The primitive of this name.
pub fn by_name(name: &str) -> Option<PrimId> {
    PRIMITIVES.get(name).copied()
}

pub(crate) fn constant(name: &str) -> Option<ConstId> {
    CONSTANTS.get(name).copied()
}

/// The name of a primitive or constant that is nearest to a misspelt one, if one is near enough to be meant.
pub fn nearest_name(name: &str) -> Option<&'static str> {
    let names = primitives().map(|(_, row)| row.name).chain(ConstId::all().map(ConstId::name));
    names
        .map(|known| (strsim::damerau_levenshtein(name, known), known))
        .filter(|&(distance, known)| distance <= 1 + known.len().min(name.len()) / 4)
        .min_by_key(|&(distance, known)| (distance, known))
        .map(|(_, known)| known)
}

/// What kind of function a primitive makes, if it makes one.
pub fn maker(id: PrimId) -> Option<Maker> {
    let makers = [
        (Prim::compose, Maker::Compose),
        (Prim::chain, Maker::Chain),
        (Prim::fork, Maker::Fork),
        (Prim::rbind, Maker::Rbind),
        (Prim::lbind, Maker::Lbind),
        (Prim::matcher, Maker::Matcher),
        (Prim::power, Maker::Power),
    ];
    makers.iter().find(|(prim, _)| PrimId::from(*prim) == id).map(|&(_, maker)| maker)
}
