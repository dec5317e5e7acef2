//! Timeline for trace viewers: phases, tasks, samples and, in the exact mode, nodes.

use std::time::Duration;

use batt_engine::Card;

use crate::assemble::{Subject, Surroundings};
use crate::collect::ProbeData;
use crate::names;

/// Spans of time on threads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// The spans, in no particular order.
    pub spans: Vec<TimeSpan>,
}

/// A span of time.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeSpan {
    /// Name of the phase, task, sample or node.
    pub name: String,
    /// `phase`, `task`, `sample` or `node`.
    pub kind: &'static str,
    /// The thread: 0 is the one that does everything but running programs.
    pub thread: u32,
    /// Nanoseconds since the beginning.
    pub start_ns: u64,
    /// How long.
    pub ns: u64,
}

pub(crate) fn timeline_of(gathered: &[ProbeData], subject: &Subject<'_>, differs: &Card, around: &Surroundings) -> Timeline {
    let mut spans = Vec::new();
    let mut at = Duration::ZERO;
    for (name, time) in [("load", around.load.wall()), ("parse", around.parse.wall()), ("card", around.card.wall())] {
        spans.push(TimeSpan {
            name: name.to_owned(),
            kind: "phase",
            thread: 0,
            start_ns: at.as_nanos() as u64,
            ns: time.as_nanos() as u64,
        });
        at += time;
    }
    for (k, one) in gathered.iter().enumerate() {
        let thread = k as u32 + 1;
        let offset = one.start.saturating_duration_since(subject.started).as_nanos() as u64;
        for span in &one.spans {
            let id = subject.tasks.get(span.task as usize).map_or("?", |task| &task.id);
            let (name, kind) = match span.sample {
                None => (id.to_owned(), "task"),
                Some(sample) => (format!("{id} sample {sample}"), "sample"),
            };
            spans.push(TimeSpan { name, kind, thread, start_ns: offset + span.start_ns, ns: span.wall_ns });
        }
        for event in &one.events {
            let card = if event.differs { differs } else { subject.card };
            let (name, _) = names::call_of_node(card, event.node);
            spans.push(TimeSpan { name: name.to_owned(), kind: "node", thread, start_ns: offset + event.start_ns, ns: event.ns });
        }
    }
    Timeline { spans }
}
