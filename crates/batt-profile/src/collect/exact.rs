//! Every call timed: nodes, and the primitives that they call, one inside the other.
//!
//! The clock is read whenever a frame is opened or closed, and the time since the last reading goes to the frame that was open. The
//! overhead is measured beforehand and subtracted for every frame.

use std::any::Any;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use batt_core::{PrimId, Reason, Value};
use batt_dsl::{Limits, Machine, Prim, Watch};
use batt_engine::{Activity, NodeCall, Probe};

use super::clock::{self, Clock, SPANS, cost_of_span};
use super::of_task::{Details, OfTask};
use super::stats::{CallTotals, NodeStat, ProgramStat, TaskSpan, bytes_given, bytes_of, place};
use super::{Cost, Frame, Gather, Mode, NodeEvent, ProbeData, ROOT, Tree};

/// The most nodes on the time line; later ones are in the sums only.
const MOST_EVENTS: usize = 20_000;

static COST: OnceLock<Cost> = OnceLock::new();

/// The probe that times every call.
#[derive(Default)]
pub struct Exact {
    /// With the machine while it evaluates a node.
    watcher: Option<Box<Watcher>>,
}

struct Watcher {
    start: Instant,
    clock: Clock,
    cost: Cost,
    tree: Tree,
    /// The stack that is open.
    at: u32,
    /// The time of each frame of it, so far.
    open: Vec<u64>,
    /// When the clock was read last.
    last: u64,
    /// Frames that were opened so far.
    opened: u64,
    /// By frame, for the current task.
    of_task: OfTask,
    nodes: [Vec<NodeStat>; 2],
    programs: Vec<ProgramStat>,
    details: Details,
    spans: Vec<TaskSpan>,
    events: Vec<NodeEvent>,
    runs: u64,
    busy_ns: u64,
    lost_ns: u64,
    task: u32,
    task_start: Began,
    sample: Option<(u16, Began)>,
    run: (u32, u64, u64),
    /// When the node that is evaluated began, by both clocks, and how many frames were opened before.
    node: (Began, u64),
    part: Activity,
}

/// When something began: by the thread's clock, by the wall clock, and how much time without a processor there was before.
#[derive(Clone, Copy, Default)]
struct Began {
    time: u64,
    wall: u64,
    lost: u64,
}

impl Watcher {
    fn new(cost: Cost) -> Self {
        let start = Instant::now();
        Self {
            start,
            clock: Clock::starting(start),
            cost,
            tree: Tree::default(),
            at: ROOT,
            open: Vec::new(),
            last: 0,
            opened: 0,
            of_task: OfTask::default(),
            nodes: [Vec::new(), Vec::new()],
            programs: Vec::new(),
            details: Details::default(),
            spans: Vec::new(),
            events: Vec::new(),
            runs: 0,
            busy_ns: 0,
            lost_ns: 0,
            task: 0,
            task_start: Began::default(),
            sample: None,
            run: (0, 0, 0),
            node: (Began::default(), 0),
            part: Activity::Manage,
        }
    }

    /// Reads the clock, and gives the time since the last reading to what is open.
    #[inline]
    fn read(&mut self) {
        let now = self.clock.now();
        let passed = now.saturating_sub(self.last);
        self.last = now;
        if let Some(open) = self.open.last_mut() {
            *open += passed;
            let node = &mut self.tree.nodes[self.at as usize];
            node.self_ns += passed as f64;
            self.of_task.of(node.frame).alone_ns += passed as f64;
        }
    }

    #[inline]
    fn open(&mut self, frame: Frame) {
        self.read();
        self.at = self.tree.child(self.at, frame);
        self.tree.nodes[self.at as usize].calls += 1;
        self.open.push(0);
        self.opened += 1;
        self.of_task.of(frame).alone_calls += 1;
    }

    #[inline]
    fn close(&mut self, result: Option<&Result<Value, Reason>>) {
        self.read();
        let time = self.open.pop().unwrap_or(0);
        let node = &mut self.tree.nodes[self.at as usize];
        match result {
            Some(Ok(value)) => node.bytes += bytes_of(value),
            Some(Err(_)) => {
                node.undefined += 1;
                node.undefined_ns += time as f64;
            }
            None => {}
        }
        self.at = node.parent;
    }

    /// The time since a moment, without what watching cost since.
    fn net_since(&self, start: u64, opened: u64) -> f64 {
        (self.last.saturating_sub(start) as f64 - (self.opened - opened) as f64 * self.cost.span).max(0.0)
    }

    /// The last reading of the clock.
    fn began(&self) -> Began {
        Began { time: self.last, wall: self.clock.wall(), lost: self.clock.lost() }
    }

    fn span(&self, sample: Option<u16>, began: Began, time: u64) -> TaskSpan {
        let wall_ns = self.clock.wall().saturating_sub(began.wall);
        TaskSpan { task: self.task, sample, start_ns: began.wall, wall_ns, ns: time.saturating_sub(began.time) }
    }

    fn end_sample(&mut self) {
        if let Some((sample, began)) = self.sample.take() {
            let now = self.clock.now();
            self.spans.push(self.span(Some(sample), began, now));
        }
    }

    fn end_task(&mut self) {
        self.end_sample();
        self.close(None);
        let span = self.span(None, self.task_start, self.last);
        self.busy_ns += span.ns;
        self.lost_ns += self.clock.lost() - self.task_start.lost;
        self.spans.push(span);
        self.details.keep(self.task, &mut self.of_task, self.cost.inside);
    }
}

impl Watch for Watcher {
    fn enter(&mut self, primitive: PrimId) {
        self.open(Frame::primitive(primitive));
    }

    fn leave(&mut self, _primitive: PrimId, result: &Result<Value, Reason>) {
        self.close(Some(result));
    }
}

impl Exact {
    fn with(&mut self, see: impl FnOnce(&mut Watcher)) {
        if let Some(watcher) = &mut self.watcher {
            see(watcher);
        }
    }
}

impl Probe for Exact {
    const WATCHES: bool = true;
    const SEES_CALLS: bool = true;
    type Calls = ();

    fn thread_time() -> Duration {
        clock::thread_time()
    }

    fn machine(limits: Limits) -> Machine {
        Machine::watched(limits)
    }

    fn begin_task(&mut self, task: u32, started: Instant) {
        let watcher = self.watcher.get_or_insert_with(|| Box::new(Watcher::new(Exact::cost())));
        watcher.task = task;
        watcher.clock.begin(started);
        watcher.open(Frame::part(Activity::Manage));
        watcher.task_start = watcher.began();
    }

    fn task_activity(&mut self, part: Activity) {
        self.with(|watcher| {
            watcher.end_sample();
            watcher.close(None);
            watcher.open(Frame::part(part));
        });
    }

    fn begin_sample(&mut self) {
        self.with(|watcher| {
            let next = watcher.sample.map_or(0, |(sample, _)| sample.saturating_add(1));
            watcher.end_sample();
            let time = watcher.clock.now();
            watcher.sample = Some((next, Began { time, ..watcher.began() }));
        });
    }

    fn end_task(&mut self) {
        self.with(Watcher::end_task);
    }

    fn begin_run(&mut self, program: u32) {
        self.with(|watcher| {
            watcher.read();
            watcher.runs += 1;
            watcher.part = Activity::Execute;
            watcher.run = (program, watcher.last, watcher.opened);
        });
    }

    fn run_activity(&mut self, part: Activity) {
        self.with(|watcher| {
            watcher.close(None);
            watcher.open(Frame::part(part));
            watcher.part = part;
        });
    }

    fn end_run(&mut self) {
        self.with(|watcher| {
            if watcher.part == Activity::Execute {
                watcher.read();
            } else {
                watcher.close(None);
                watcher.open(Frame::part(Activity::Execute));
            }
            let (program, start, opened) = watcher.run;
            let time = watcher.net_since(start, opened);
            let stat = place(&mut watcher.programs, program);
            stat.runs += 1;
            stat.alone_ns += time;
        });
    }

    fn enter_node(&mut self, call: &NodeCall) {
        self.with(|watcher| {
            watcher.open(Frame::class(call.class));
            watcher.node = (watcher.began(), watcher.opened);
        });
    }

    fn leave_node(&mut self, call: &NodeCall, result: &Result<Value, Reason>, fuel: u64) {
        self.with(|watcher| {
            watcher.close(None);
            let (began, opened) = watcher.node;
            let time = (watcher.net_since(began.time, opened) - watcher.cost.inside).max(0.0);
            let differs = watcher.part == Activity::Differs;
            let stat = place(&mut watcher.nodes[usize::from(differs)], call.node);
            stat.calls += 1;
            stat.add_alone(&CallTotals::one(result.is_err(), fuel, bytes_given(result), time));
            if watcher.events.len() < MOST_EVENTS {
                let ns = watcher.clock.wall().saturating_sub(began.wall);
                watcher.events.push(NodeEvent { differs, node: call.node, start_ns: began.wall, ns });
            }
        });
    }

    fn lend(&mut self) -> Option<Box<dyn Watch>> {
        self.watcher.take().map(|watcher| watcher as Box<dyn Watch>)
    }

    fn take_back(&mut self, watch: Option<Box<dyn Watch>>) {
        self.watcher = watch.and_then(|watch| (watch as Box<dyn Any>).downcast::<Watcher>().ok());
    }
}

impl Gather for Exact {
    const MODE: Mode = Mode::Exact;

    fn cost() -> Cost {
        *COST.get_or_init(|| {
            let primitive = PrimId::from(Prim::identity);
            let nothing = Ok(Value::Nothing);
            let frame = Frame::primitive(primitive);
            let (span, inside) = cost_of_span(SPANS, |spans| {
                let mut watcher = Watcher::new(Cost::default());
                watcher.open(Frame::part(Activity::Execute));
                let watch: &mut dyn Watch = &mut watcher;
                for _ in 0..spans {
                    watch.enter(primitive);
                    watch.leave(primitive, &nothing);
                }
                watcher.of_task.of(frame).alone_ns
            });
            Cost { span, inside, ..Cost::default() }
        })
    }

    fn into_data(self) -> Option<ProbeData> {
        let watcher = *self.watcher?;
        let mut tree = watcher.tree;
        let comparing = watcher.clock.comparing() as f64;
        let overhead_ns = tree.without_cost(watcher.cost.inside, watcher.cost.outside()) + comparing;
        Some(ProbeData {
            start: watcher.start,
            nodes: watcher.nodes,
            programs: watcher.programs,
            tree,
            shared_parts: [0.0; Activity::ALL.len()],
            details: watcher.details,
            spans: watcher.spans,
            events: watcher.events,
            runs: watcher.runs,
            timed_runs: watcher.runs,
            busy_ns: watcher.busy_ns as f64 + comparing,
            lost_ns: watcher.lost_ns as f64,
            overhead_ns,
            shared_total_ns: 0.0,
        })
    }
}
