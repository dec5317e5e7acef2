//! The primitives against reference calls of the public DSL.

use batt_dsl::conformance::{CallSource, Verdict, read_call, verify, write_value};
use batt_dsl::{Limits, Machine, primitive, primitives};

/// Calls of real programs, and of random arguments.
const ARC_DSL: (&str, &[(CallSource, i32)]) =
    (include_str!("../data/arc-dsl.jsonl"), &[(CallSource::Program, 4253), (CallSource::Mixed, 4710), (CallSource::Wild, 1600)]);
/// Calls that take any value for a truth value, and calls that look at a part of a tuple only.
const TRUTH: (&str, &[(CallSource, i32)]) = (include_str!("../data/truth.jsonl"), &[(CallSource::Mixed, 449)]);

/// Calls on empty and ragged grids, on tuples of one item, and on other arguments that are only looked at in part, from
/// `bench/differences.py`.
const EDGES: (&str, &[(CallSource, i32)]) = (include_str!("../data/edges.jsonl"), &[(CallSource::Mixed, 694)]);

/// Calls of the typed dialect's names in the ancestor's Python, its cells written as arc-dsl has them.
const DIALECT: (&str, &[(CallSource, i32)]) = (include_str!("../data/dialect.jsonl"), &[(CallSource::Mixed, 1100)]);

/// These calls and more, with cells as the ancestor has them.
const DIALECT_IJC: (&str, &[(CallSource, i32)]) = (include_str!("../data/dialect_ijc.jsonl"), &[(CallSource::Mixed, 1106)]);

fn check_all((text, expected): (&str, &[(CallSource, i32)]), mut m: Machine) {
    let mut held = std::collections::BTreeMap::new();
    let mut differences = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let call = read_call(line, &mut m).unwrap_or_else(|error| panic!("line {}: {error}", number + 1));
        match verify(&call, &mut m) {
            Verdict::Holds => *held.entry(call.kind).or_insert(0) += 1,
            Verdict::Differs { found } => {
                let found = found.map_or_else(|reason| reason.to_string(), |value| write_value(&value).to_string());
                differences.push(format!(
                    "line {}: {}: {}",
                    number + 1,
                    primitive(call.primitive).name,
                    found.chars().take(300).collect::<String>()
                ));
            }
        }
    }
    assert!(differences.is_empty(), "{} lines differ:\n{}", differences.len(), differences.join("\n"));
    assert_eq!(held, expected.iter().copied().collect());
}

#[test]
fn plain_functions_agree_with_the_reference() {
    check_all(ARC_DSL, Machine::reference(Limits::default()));
}

#[test]
fn kernels_agree_with_the_reference() {
    check_all(ARC_DSL, Machine::fast(Limits::default()));
}

#[test]
fn any_value_has_a_truth_as_in_python() {
    check_all(TRUTH, Machine::reference(Limits::default()));
    check_all(TRUTH, Machine::fast(Limits::default()));
}

#[test]
fn empty_and_ragged_grids_are_as_in_python() {
    check_all(EDGES, Machine::reference(Limits::default()));
    check_all(EDGES, Machine::fast(Limits::default()));
}

/// The containers that an alias takes are those that the ancestor's function takes.
#[test]
fn the_typed_dialect_agrees_with_the_ancestor() {
    check_all(DIALECT, Machine::reference(Limits::default()));
    check_all(DIALECT, Machine::fast(Limits::default()));
    let called: std::collections::BTreeSet<_> = DIALECT.0.lines().map(|line| line.split('"').nth(3).unwrap()).collect();
    let missing: Vec<_> =
        primitives().filter(|(_, row)| row.alias.is_some() && !called.contains(row.name)).map(|(_, row)| row.name).collect();
    assert_eq!(missing, ["mfilter_t", "normalize_t"], "they mean something else there");
}

#[test]
fn cells_may_be_triples() {
    check_all(DIALECT_IJC, Machine::reference(Limits::default()));
    check_all(DIALECT_IJC, Machine::fast(Limits::default()));
    check_all(DIALECT_IJC, Machine::watched(Limits::default()));
}

/// The 160 primitives of the public DSL are all here, with the same parameters in the same order.
#[test]
fn every_public_primitive_has_a_row_with_its_parameters() {
    let signatures: serde_json::Value = serde_json::from_str(include_str!("../data/arc-dsl-signatures.json")).unwrap();
    let signatures = signatures.as_array().unwrap();
    assert_eq!(signatures.len(), 160);
    for signature in signatures {
        let name = signature["name"].as_str().unwrap();
        let (_, row) = primitives().find(|(_, row)| row.name == name).unwrap_or_else(|| panic!("{name} has no row"));
        let expected: Vec<_> = signature["params"].as_array().unwrap().iter().map(|param| param[0].as_str().unwrap()).collect();
        let found: Vec<_> = row.params.iter().map(|param| param.name).collect();
        assert_eq!(found, expected, "parameters of {name}");
    }
}
