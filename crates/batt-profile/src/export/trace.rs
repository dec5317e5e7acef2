//! Chrome trace events: what was done when, for Perfetto and speedscope.

use serde_json::{Value, json};

use crate::{Profile, Timeline};

/// The time line of a run as one JSON object. Times are in microseconds.
pub fn trace(profile: &Profile, timeline: &Timeline) -> String {
    let threads = timeline.spans.iter().map(|span| span.thread).max().unwrap_or(0);
    let name = |thread: u32| if thread == 0 { "main".to_owned() } else { format!("worker {thread}") };
    let mut events: Vec<Value> = (0..=threads)
        .map(|thread| json!({"name": "thread_name", "ph": "M", "pid": 1, "tid": thread, "args": {"name": name(thread)}}))
        .collect();
    let mut spans: Vec<_> = timeline.spans.iter().collect();
    // Viewers want what is outside before what is inside.
    spans.sort_by_key(|span| (span.thread, span.start_ns, std::cmp::Reverse(span.ns)));
    events.extend(spans.into_iter().map(|span| {
        json!({
            "name": span.name, "cat": span.kind, "ph": "X", "pid": 1, "tid": span.thread,
            "ts": span.start_ns as f64 / 1e3, "dur": span.ns as f64 / 1e3,
        })
    }));
    let about =
        json!({"schema": profile.schema, "mode": profile.mode.name(), "tasks": profile.run.tasks, "programs": profile.run.programs});
    let mut text = json!({"traceEvents": events, "displayTimeUnit": "ns", "otherData": about}).to_string();
    text.push('\n');
    text
}
