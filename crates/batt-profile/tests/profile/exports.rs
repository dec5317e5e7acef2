//! Every export is valid by its format.

use batt_profile::{Exact, Profile, Recording, export};
use batt_run::RunOptions;
use serde_json::Value as Json;

use crate::support::{Starter, profile_of};

fn taken() -> Recording {
    Starter::new().taken::<Exact>(&RunOptions { threads: 2, ..RunOptions::default() }).0
}

/// Time of all stacks, in nanoseconds, up to the rounding of each.
fn nanoseconds(profile: &Profile) -> f64 {
    let in_stacks: f64 = profile.stacks.iter().map(|stack| stack.self_s).sum();
    (in_stacks + profile.not_attributed_share * profile.thread_s) * 1e9
}

#[test]
fn folded_stacks_are_frames_and_a_number() {
    let profile = taken().profile;
    let text = export::folded(&profile);
    let mut sum = 0u64;
    for line in text.lines() {
        let (frames, number) = line.rsplit_once(' ').unwrap();
        assert!(frames.split(';').all(|frame| !frame.is_empty()), "{line}");
        sum += number.parse::<u64>().unwrap();
    }
    assert!((sum as f64 - nanoseconds(&profile)).abs() <= text.lines().count() as f64);
    assert!(text.contains("execute;sample;"));
}

#[test]
fn the_flame_graph_is_well_formed_and_has_the_frames() {
    let svg = export::flame(&taken().profile).unwrap();
    let mut reader = quick_xml::Reader::from_str(&svg);
    let (mut depth, mut titles) = (0i32, 0);
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Start(tag) => {
                depth += 1;
                titles += i32::from(tag.name().as_ref() == b"title");
            }
            quick_xml::events::Event::End(_) => depth -= 1,
            quick_xml::events::Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(depth, 0);
    assert!(titles > 20 && svg.contains("objects"));
    let nothing = profile_of(&[(0.0, 0.0, 0)], &[], 0.0);
    assert_eq!(export::flame(&nothing).unwrap_err().to_string(), "cannot draw a flame graph: no stack of the profile took any time");
}

#[test]
fn trace_events_are_complete_and_nested() {
    let Recording { profile, timeline, .. } = taken();
    let json: Json = serde_json::from_str(&export::trace(&profile, &timeline)).unwrap();
    let events = json["traceEvents"].as_array().unwrap();
    let complete: Vec<&Json> = events.iter().filter(|event| event["ph"] == "X").collect();
    assert!(complete.iter().filter(|event| event["cat"] == "task").count() >= 48);
    assert!(complete.iter().any(|event| event["cat"] == "node") && complete.iter().any(|event| event["cat"] == "sample"));
    for event in &complete {
        assert!(event["name"].is_string() && event["pid"].is_u64() && event["tid"].is_u64());
        assert!(event["ts"].as_f64().unwrap() >= 0.0 && event["dur"].as_f64().unwrap() >= 0.0);
    }
    let threads: Vec<&Json> = events.iter().filter(|event| event["ph"] == "M").collect();
    assert!(threads.iter().all(|event| event["name"] == "thread_name" && event["args"]["name"].is_string()));
    let end = |event: &Json| event["ts"].as_f64().unwrap() + event["dur"].as_f64().unwrap();
    let of = |kind: &str| complete.iter().filter(|event| event["cat"] == kind).copied().collect::<Vec<_>>();
    let tasks = of("task");
    for sample in of("sample") {
        let inside = |task: &&&Json| {
            task["tid"] == sample["tid"] && task["ts"].as_f64() <= sample["ts"].as_f64() && end(sample) <= end(task) + 0.001
        };
        assert!(tasks.iter().any(|task| inside(&task)), "{sample} is in no task");
    }
}

#[test]
fn speedscope_has_what_its_schema_asks_for() {
    let profile = taken().profile;
    let json: Json = serde_json::from_str(&export::speedscope(&profile)).unwrap();
    assert_eq!(json["$schema"], "https://www.speedscope.app/file-format-schema.json");
    let frames = json["shared"]["frames"].as_array().unwrap();
    assert!(frames.iter().all(|frame| frame["name"].is_string()));
    let one = &json["profiles"][0];
    assert_eq!((&one["type"], &one["unit"], &one["startValue"]), (&Json::from("sampled"), &Json::from("nanoseconds"), &Json::from(0)));
    let (samples, weights) = (one["samples"].as_array().unwrap(), one["weights"].as_array().unwrap());
    assert_eq!(samples.len(), weights.len());
    for place in samples.iter().flat_map(|sample| sample.as_array().unwrap()) {
        assert!((place.as_u64().unwrap() as usize) < frames.len());
    }
    let sum: u64 = weights.iter().map(|weight| weight.as_u64().unwrap()).sum();
    assert_eq!(one["endValue"].as_u64().unwrap(), sum);
    assert!((sum as f64 - nanoseconds(&profile)).abs() <= weights.len() as f64);
}

#[test]
fn comma_separated_values_have_as_many_cells_as_headings() {
    let mut profile = taken().profile;
    profile.rows[0].name = "a \"name\", with everything".to_owned();
    let text = export::csv(&profile);
    let mut lines = text.lines();
    let columns = lines.next().unwrap().split(',').count();
    assert!(lines.next().unwrap().starts_with("\"a \"\"name\"\", with everything\","));
    let rest: Vec<&str> = lines.collect();
    assert_eq!(rest.len(), profile.rows.len());
    assert!(rest.iter().all(|line| line.split(',').count() == columns));
    assert!(rest.last().unwrap().starts_with("not attributed,"));
}
