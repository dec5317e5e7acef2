//! What is no profile, or none that this version reads, is named as such.

use batt_profile::Profile;

use crate::support::profile_of;

fn message(text: &str) -> String {
    Profile::from_json(text).unwrap_err().to_string()
}

#[test]
fn foreign_newer_damaged_and_empty_profiles_are_told_apart() {
    assert!(message("not json").starts_with("it is not JSON: "));
    assert_eq!(message("[]"), "it is not a profile of batt: it is no JSON object");
    assert_eq!(message("{\"tasks\": 3}"), "it is not a profile of batt: it has no `schema`");
    assert_eq!(message("{\"schema\": 1}"), "it is not a profile of batt: its `schema` is no text");
    let other = "it is not a profile of batt: its `schema` is \"speedscope\", not \"batt-profile/1\"";
    assert_eq!(message("{\"schema\": \"speedscope\"}"), other);
    let newer = "it has the schema \"batt-profile/2\", which is newer than \"batt-profile/1\", the newest that this version of batt reads";
    assert_eq!(message("{\"schema\": \"batt-profile/2\"}"), newer);
    assert!(message("{\"schema\": \"batt-profile/1\"}").contains("but it is damaged: missing field"));

    let profile = profile_of(&[(1.0, 0.0, 1)], &[], 0.0);
    let mut empty = profile.clone();
    empty.rows.clear();
    assert_eq!(message(&empty.to_json(true).unwrap()), "the profile is empty: it has no rows, so there is nothing to show");
    let mut wrong = profile.clone();
    wrong.rows[0].share = 0.5;
    assert!(message(&wrong.to_json(true).unwrap()).contains("its shares sum to 0.5, not to 1"));
    let mut negative = profile;
    negative.rows[0].self_s = -1.0;
    assert!(message(&negative.to_json(true).unwrap()).contains("a time in it is no time"));
}
