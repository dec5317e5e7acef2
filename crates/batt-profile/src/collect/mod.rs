//! Collection: the probes that a run carries, and what they bring back.

mod by_primitive;
mod calibrate;
mod clock;
mod exact;
mod frame;
mod lists;
mod log;
mod of_task;
mod sampled;
mod sampler;
mod sampling_rate;
mod stats;
mod tree;
mod watching;

use std::time::Instant;

use batt_engine::Card;
use batt_engine::{Activity, Probe};

pub use by_primitive::ByPrimitive;
pub use clock::Cost;
pub use exact::Exact;
pub use sampled::Sampled;

pub(crate) use frame::{Frame, FrameKind};
pub(crate) use of_task::Details;
pub(crate) use stats::{NodeStat, ProgramStat, TaskSpan, place};
pub(crate) use tree::{ROOT, Tree};

/// How a profile was taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Every call was timed.
    Exact,
    /// All calls were counted, heavy ones timed, and some of the others for all.
    #[default]
    Sampled,
}

impl Mode {
    /// A word for tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Sampled => "sampled",
        }
    }
}

/// A probe that brings something back.
pub trait Gather: Probe {
    /// How it takes its profile.
    const MODE: Mode;

    /// Cost of watching on this machine. It is measured at the first request, which takes a fraction of a millisecond.
    fn cost() -> Cost;

    /// Observations of the probe; none if it saw nothing.
    fn into_data(self) -> Option<ProbeData>;
}

/// Observations of a probe.
pub struct ProbeData {
    /// When its clock was at zero.
    pub(crate) start: Instant,
    /// By node, of the programs' card and of the differs' card.
    pub(crate) nodes: [Vec<NodeStat>; 2],
    pub(crate) programs: Vec<ProgramStat>,
    /// In the sampled mode only parts; the rest is in the nodes.
    pub(crate) tree: Tree,
    /// In the sampled mode, the time of parts in runs that were timed.
    pub(crate) shared_parts: [f64; Activity::ALL.len()],
    pub(crate) details: Details,
    pub(crate) spans: Vec<TaskSpan>,
    pub(crate) events: Vec<NodeEvent>,
    pub(crate) runs: u64,
    pub(crate) timed_runs: u64,
    /// Time on tasks, on a processor, with what watching cost.
    pub(crate) busy_ns: f64,
    /// Time on tasks without a processor.
    pub(crate) lost_ns: f64,
    /// Cost of watching.
    pub(crate) overhead_ns: f64,
    /// In the sampled mode, all time in runs that stands for itself in no way, so that the timed runs stand for it.
    pub(crate) shared_total_ns: f64,
}

/// A node that was evaluated at some time.
#[derive(Clone, Copy)]
pub(crate) struct NodeEvent {
    pub(crate) differs: bool,
    pub(crate) node: u32,
    pub(crate) start_ns: u64,
    pub(crate) ns: u64,
}

/// The frames of a node that programs or differs evaluate, outermost first; none if the card has no such node.
pub(crate) fn frames_of_node(card: &Card, part: Activity, node: u32) -> Option<Vec<Frame>> {
    let node = card.node(batt_engine::NodeId(node))?;
    let mut frames = vec![Frame::part(part), Frame::class(node.class)];
    if let batt_engine::NodeOp::Call { primitive, .. } = node.op {
        frames.push(Frame::primitive(primitive));
    }
    Some(frames)
}
