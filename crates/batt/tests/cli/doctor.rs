//! `batt doctor`.

use crate::cli::support::Sandbox;

#[test]
fn the_doctor_tells_what_is_there_and_what_to_do() {
    let sandbox = Sandbox::new();
    let ran = sandbox.batt(&["doctor"]).ends_with(0);
    assert!(ran.stdout.contains("`batt data get arc1` fetches arc1"), "{}", ran.stdout);
    assert!(ran.stdout.contains(env!("CARGO_PKG_VERSION")), "{}", ran.stdout);
    let json: serde_json::Value = serde_json::from_str(&sandbox.batt(&["doctor", "--json"]).ends_with(0).stdout).unwrap();
    assert!(json["cores"].as_u64().is_some_and(|cores| cores > 0), "{json}");
    assert_eq!((json["arc1"].as_bool(), json["devices"].is_array()), (Some(false), true), "{json}");
    assert!(sandbox.files("made").is_empty() && sandbox.files("cache").is_empty(), "it writes nothing");
    let without = sandbox.command(&["doctor"]).env_remove("BATT_CACHE").env_remove("HOME").env_remove("XDG_CACHE_HOME").output().unwrap();
    assert!(String::from_utf8_lossy(&without.stdout).contains("set BATT_CACHE or HOME"), "{without:?}");
}
