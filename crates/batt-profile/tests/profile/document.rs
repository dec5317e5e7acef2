//! `docs/profile.md` lists every field.

use std::collections::BTreeSet;

use batt_profile::Exact;
use batt_run::RunOptions;
use serde_json::Value as Json;

use crate::support::Starter;

fn keys(json: &Json, found: &mut BTreeSet<String>) {
    match json {
        Json::Object(object) => {
            for (key, value) in object {
                found.insert(key.clone());
                keys(value, found);
            }
        }
        Json::Array(items) => items.iter().for_each(|item| keys(item, found)),
        _ => {}
    }
}

#[test]
fn the_document_lists_every_field() {
    let mut profile = Starter::new().taken::<Exact>(&RunOptions::default()).0.profile;
    profile.repeats = vec![batt_profile::Repeat::default()];
    let json: Json = serde_json::from_str(&profile.to_json(true).unwrap()).unwrap();
    let mut found = BTreeSet::new();
    keys(&json, &mut found);
    assert!(found.len() > 50, "the profile has all its parts");
    let document = include_str!("../../../../docs/profile.md");
    let missing: Vec<&String> = found.iter().filter(|key| !document.contains(&format!("`{key}`"))).collect();
    assert!(missing.is_empty(), "docs/profile.md does not mention {missing:?}");
    assert!(document.contains(batt_profile::SCHEMA));
}
