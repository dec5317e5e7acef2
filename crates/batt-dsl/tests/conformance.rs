//! The primitives against reference calls of the public DSL.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

use batt_dsl::conformance::{Kind, Verdict, read_call, verify, write_value};
use batt_dsl::{Limits, Machine, primitive, primitives};

fn check_all(mut m: Machine) {
    let text = include_str!("data/arc-dsl.jsonl");
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
    assert_eq!(held, [(Kind::Program, 4253), (Kind::Mixed, 4710), (Kind::Wild, 1600)].into());
}

#[test]
fn plain_functions_agree_with_the_reference() {
    check_all(Machine::reference(Limits::default()));
}

#[test]
fn kernels_agree_with_the_reference() {
    check_all(Machine::fast(Limits::default()));
}

/// The 160 primitives of the public DSL are all here, with the same parameters in the same order.
#[test]
fn every_public_primitive_has_a_row_with_its_parameters() {
    let signatures: serde_json::Value = serde_json::from_str(include_str!("data/arc-dsl-signatures.json")).unwrap();
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
