//! The typed dialect's additions to arc-dsl, as Python.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use batt_core::PrimId;
use batt_dsl::{CellRole, Cells, Guard, Origin, Primitive, base_of, cell_role, primitive, with_cells};

use crate::card::names::{is_in_arc_dsl, python_name};

const ADDED: &str = include_str!("dialect.py");

/// Definitions of the primitives among these that arc-dsl does not have, and of all that they need, each once.
pub(super) fn definitions(used: impl IntoIterator<Item = PrimId>) -> String {
    let (mut wanted, mut own) = (BTreeSet::new(), BTreeSet::new());
    for id in used {
        // What is called with other cells does its work by its own name.
        for id in [id, with_cells(id, Cells::Cij), base_of(id)] {
            let row = primitive(id);
            if row.alias.is_some() || row.cells != Cells::Cij || row.origin == Origin::Batt {
                own.insert((row.cells, id));
            } else if !is_in_arc_dsl(id) {
                wanted.insert(row.name.to_owned());
            }
        }
    }
    let own: Vec<String> = own.into_iter().map(|(_, id)| definition(id)).collect();
    for text in &own {
        wanted.extend(names_in(text));
    }
    let added: Vec<(&str, &str)> = ADDED.split("\n\n\n").filter_map(|text| Some((name_of(text)?, text.trim_end()))).collect();
    // What a function needs stands before it.
    for (name, text) in added.iter().rev() {
        if wanted.contains(*name) {
            wanted.extend(names_in(text));
        }
    }
    let needed = added.into_iter().filter(|(name, _)| wanted.contains(*name)).map(|(_, text)| text.to_owned());
    needed.chain(own).fold(String::new(), |mut all, text| {
        // Writing to a string cannot fail.
        let _ = write!(all, "\n\n{text}\n");
        all
    })
}

/// The definition of an alias, of a primitive with other cells, or of one that Python does not have. Its parameters are counted by `rbind` and `lbind`.
fn definition(id: PrimId) -> String {
    let row = primitive(id);
    let params: Vec<&str> = row.params.iter().map(|param| param.name).collect();
    if row.origin == Origin::Batt && row.cells == Cells::Cij {
        return format!("def {0}({1}):\n    raise NotImplementedError('{0} is a primitive of batt')", row.name, params.join(", "));
    }
    let (base, args): (String, Vec<String>) = if row.cells == Cells::Ijc {
        (python_name(with_cells(id, Cells::Cij)), params.iter().enumerate().map(|(k, name)| cells_of_argument(id, k, name)).collect())
    } else {
        (python_name(base_of(id)), (0..params.len()).map(|k| argument(row, k)).collect())
    };
    let call = format!("{base}({})", args.join(", "));
    let call = if row.cells == Cells::Ijc { format!("_triples({call})") } else { call };
    format!("def {}({}):\n    return {call}", python_name(id), params.join(", "))
}

/// An argument as the row takes it that an alias stands for.
fn argument(row: &Primitive, k: usize) -> String {
    let param = &row.params[k];
    let view = match row.alias.map(|alias| alias.guard) {
        _ if !param.takes.is_container() => "",
        None | Some(Guard::None) => "",
        Some(Guard::Tuple) => "_tuple_only",
        Some(Guard::Set) => "_set_only",
        Some(Guard::AsTuple) => "_as_tuple",
        Some(Guard::AsSet | Guard::Patch) => "_as_set",
        Some(Guard::Indices) => "_locations",
        Some(Guard::Object) => "_coloured",
    };
    viewed(view, param.name)
}

fn cells_of_argument(id: PrimId, k: usize, name: &str) -> String {
    let view = match cell_role(id, k) {
        CellRole::Patch => "_cells",
        CellRole::MeasuredPatch => "_set_of_cells",
        CellRole::Piece => "_cells_in_set",
        CellRole::Patches => "_cells_in_each",
        CellRole::Cell => "_location_of",
        CellRole::Other => "",
    };
    viewed(view, name)
}

fn viewed(view: &str, name: &str) -> String {
    if view.is_empty() { name.to_owned() } else { format!("{view}({name})") }
}

/// The name of the function that a text defines.
fn name_of(text: &str) -> Option<&str> {
    text.trim_start().strip_prefix("def ")?.split('(').next()
}

/// All words of a text that may be names of functions.
fn names_in(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| c != '_' && !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use batt_dsl::primitives;

    use super::*;

    #[test]
    fn all_that_arc_dsl_lacks_is_defined() {
        let defined: BTreeSet<&str> = ADDED.split("\n\n\n").filter_map(name_of).filter(|name| !name.starts_with('_')).collect();
        let lacking = primitives().filter(|(_, row)| row.alias.is_none() && row.origin == Origin::Dialect);
        assert_eq!(defined, lacking.map(|(_, row)| row.name).collect());
    }

    #[test]
    fn a_primitive_of_batt_alone_says_so_in_python() {
        let own: Vec<(PrimId, &Primitive)> = primitives().filter(|(_, row)| row.origin == Origin::Batt).collect();
        assert!(!own.is_empty());
        for (id, row) in own {
            let text = definitions([id]);
            assert!(text.contains(&format!("def {}(", row.name)) && text.contains("raise NotImplementedError"), "{text}");
        }
    }

    #[test]
    fn functions_stand_after_what_they_need() {
        let mut known = BTreeSet::new();
        let all: BTreeSet<&str> = ADDED.split("\n\n\n").filter_map(name_of).collect();
        for text in ADDED.split("\n\n\n").filter(|text| name_of(text).is_some()) {
            known.extend(name_of(text));
            for name in names_in(text).filter(|name| all.contains(&**name)) {
                assert!(known.contains(&*name), "{name} stands after {}", name_of(text).unwrap_or_default());
            }
        }
    }
}
