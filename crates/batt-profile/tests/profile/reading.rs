//! Files that are no profile, or of a newer version, are refused by name.

use batt_profile::{Profile, Stack};

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
    let mut negative = profile.clone();
    negative.rows[0].self_s = -1.0;
    assert!(message(&negative.to_json(true).unwrap()).contains("a time in it is no time"));
    let mut many = profile.clone();
    many.rows.push(many.rows[0].clone());
    many.rows.iter_mut().for_each(|row| (row.calls, row.share) = (u64::MAX / 2 + 1, 0.5));
    assert!(message(&many.to_json(true).unwrap()).contains("it counts more than can be counted"));
    // More nanoseconds than can be counted, each alone and all together.
    let stack = |self_s| Stack { frames: vec!["rot90".to_owned()], calls: 1, self_s };
    for stacks in [vec![stack(1e300)], vec![stack(6e8), stack(6e8)], vec![stack(-1.0)]] {
        let long = Profile { stacks, ..profile.clone() };
        assert!(message(&long.to_json(true).unwrap()).contains("a time in it is no time"));
    }
}

#[test]
fn a_profile_from_before_can_be_read() {
    let profile = profile_of(&[(8.0, 0.0, 10)], &[vec![8.0]], 0.0);
    let mut json: serde_json::Value = serde_json::from_str(&profile.to_json(true).unwrap()).unwrap();
    for key in ["lost_s", "undisturbed_s", "making_s"] {
        json.as_object_mut().unwrap().remove(key);
    }
    for list in ["rows", "tasks", "programs"] {
        for one in json[list].as_array_mut().unwrap() {
            one.as_object_mut().unwrap().remove("interval_s");
        }
    }
    json["repeats"] = serde_json::json!([{"wall_s": 9.0, "thread_s": 8.0, "self_s": [8.0]}]);
    let read = Profile::from_json(&json.to_string()).unwrap();
    assert_eq!((read.rows[0].interval_s, read.tasks[0].interval_s, read.lost_s), (None, None, 0.0));
    assert_eq!(read.undisturbed(), [9.0 - read.overhead_s]);
}
