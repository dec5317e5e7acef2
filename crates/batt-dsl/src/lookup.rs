//! Names to primitives and constants, and the nearest name to a misspelt one.

use std::collections::HashMap;
use std::sync::LazyLock;

use batt_core::PrimId;

use crate::{ConstId, primitives};

static PRIMITIVES: LazyLock<HashMap<&'static str, PrimId>> = LazyLock::new(|| primitives().map(|(id, row)| (row.name, id)).collect());
static CONSTANTS: LazyLock<HashMap<&'static str, ConstId>> = LazyLock::new(|| ConstId::all().map(|id| (id.name(), id)).collect());

/// The longest name in bytes for which another one may be meant.
const LONGEST_MISSPELT: usize = 200;

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
        .filter_map(|known| Some((edits(name, known, 1 + known.len().min(name.len()) / 4)?, known)))
        .min_by_key(|&(distance, known)| (distance, known))
        .map(|(_, known)| known)
}

/// How many edits make one name of another, if at most so many do. Very long names are not compared: that takes time that grows with the
/// product of both lengths, and a name may be as long as a file.
pub fn edits(one: &str, other: &str, most: usize) -> Option<usize> {
    if one.len().max(other.len()) > LONGEST_MISSPELT {
        return None;
    }
    Some(strsim::damerau_levenshtein(one, other)).filter(|&distance| distance <= most)
}
