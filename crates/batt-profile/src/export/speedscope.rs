//! speedscope's own format: the stacks of a profile, each as one sample with its time as the weight.

use std::collections::HashMap;

use serde_json::json;

use super::{NOT_ATTRIBUTED, nanoseconds};
use crate::Profile;

/// A profile as speedscope reads it.
pub fn speedscope(profile: &Profile) -> String {
    let (mut names, mut places): (Vec<&str>, HashMap<&str, usize>) = (Vec::new(), HashMap::new());
    let (mut samples, mut weights) = (Vec::new(), Vec::new());
    let mut place = |name| {
        *places.entry(name).or_insert_with(|| {
            names.push(name);
            names.len() - 1
        })
    };
    for stack in &profile.stacks {
        samples.push(stack.frames.iter().map(|frame| place(frame.as_str())).collect::<Vec<usize>>());
        weights.push(nanoseconds(stack.self_s));
    }
    samples.push(vec![place(NOT_ATTRIBUTED)]);
    weights.push(nanoseconds(profile.not_attributed_share * profile.thread_s));
    let end: u64 = weights.iter().sum();
    let frames: Vec<_> = names.into_iter().map(|name| json!({ "name": name })).collect();
    let name = format!("{} tasks, {} programs", profile.run.tasks, profile.run.programs);
    let mut text = json!({
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "exporter": profile.schema,
        "name": name,
        "activeProfileIndex": 0,
        "shared": {"frames": frames},
        "profiles": [{
            "type": "sampled", "name": profile.share_of, "unit": "nanoseconds",
            "startValue": 0, "endValue": end, "samples": samples, "weights": weights,
        }],
    })
    .to_string();
    text.push('\n');
    text
}
