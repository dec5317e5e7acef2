//! Log of the timed runs, one entry after the other.
//!
//! While programs run, events are only logged. Sums by node, program, primitive and task are scattered in memory, and their cache misses
//! would cost more than reading the clock. They are made when the log is full, which is timed, or when all is done.

use batt_core::{Reason, Value};
use batt_engine::{Activity, NodeCall};

use super::Frame;
use super::lists::{Pieces, Places};
use super::of_task::{Details, OfTask};
use super::stats::{CallTotals, NodeStat, ProgramStat, bytes_given};
use super::{ROOT, Tree};

/// Entries before they are summed up: 128 KiB.
const ENTRIES: usize = 4096;

/// Timed call or part of a task.
#[derive(Clone, Copy)]
struct Entry {
    ns: u64,
    /// The fuel of a call; how many tasks a part of a task stands for.
    fuel: u64,
    /// The node of a call; the task that ended.
    place: u32,
    program: u32,
    bytes: u32,
    frame: Frame,
    kind: EventKind,
    /// Properties of a call, as these bits.
    flags: u8,
}

const OF_DIFFER: u8 = 1;
const HEAVY: u8 = 2;
const UNDEFINED: u8 = 4;

#[derive(Clone, Copy)]
enum EventKind {
    Call,
    /// A part of a run.
    Run,
    /// A part of a task outside of runs.
    Outer,
    /// A task ended.
    Task,
}

const _: () = assert!(size_of::<Entry>() == 32, "there are many of them");

/// Entries that are not summed up yet.
#[derive(Default)]
pub(super) struct Log {
    entries: Pieces<Entry>,
    len: usize,
}

/// Sums of what was seen.
#[derive(Default)]
pub(super) struct Figures {
    /// By node, of programs and of differs.
    pub(super) nodes: [Places<NodeStat>; 2],
    pub(super) programs: Places<ProgramStat>,
    /// Parts outside of runs, with what they stand for.
    pub(super) outer: Tree,
    pub(super) outer_ns: f64,
    pub(super) shared_parts: [f64; Activity::ALL.len()],
    /// Time in nodes that stand for themselves.
    pub(super) alone_ns: f64,
    pub(super) details: Details,
    of_task: OfTask,
}

impl Entry {
    fn of_part(part: Activity, kind: EventKind, program: u32, stands_for: u32, ns: u64) -> Self {
        Self { ns, fuel: u64::from(stands_for), place: 0, program, bytes: 0, frame: Frame::part(part), kind, flags: 0 }
    }
}

impl Log {
    /// Whether sums are to be made now.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.len >= ENTRIES
    }

    /// A call, which a program or a differ made in some part of a run; what it gave, and the fuel that it spent.
    #[inline]
    pub(super) fn call(&mut self, by: (u32, Activity), call: &NodeCall, is_heavy: bool, gave: (&Result<Value, Reason>, u64), ns: u64) {
        let flag = |is_so: bool, flag: u8| if is_so { flag } else { 0 };
        let (result, fuel) = gave;
        self.push(Entry {
            ns,
            fuel,
            place: call.node,
            program: by.0,
            bytes: u32::try_from(bytes_given(result)).unwrap_or(u32::MAX),
            frame: call.primitive.map_or(Frame::class(call.class), Frame::primitive),
            kind: EventKind::Call,
            flags: flag(by.1 == Activity::Differs, OF_DIFFER) | flag(is_heavy, HEAVY) | flag(result.is_err(), UNDEFINED),
        });
    }

    /// A part of a run of a program.
    #[inline]
    pub(super) fn run_activity(&mut self, program: u32, part: Activity, ns: u64) {
        self.push(Entry::of_part(part, EventKind::Run, program, 1, ns));
    }

    /// A part of a task outside of runs, which stands for that of so many tasks.
    pub(super) fn task_activity(&mut self, part: Activity, stands_for: u32, ns: u64) {
        self.push(Entry::of_part(part, EventKind::Outer, 0, stands_for, ns));
    }

    /// A task ended.
    pub(super) fn task(&mut self, task: u32) {
        self.push(Entry { place: task, ..Entry::of_part(Activity::Manage, EventKind::Task, 0, 0, 0) });
    }

    #[inline]
    fn push(&mut self, entry: Entry) {
        self.entries.push(entry);
        self.len += 1;
    }
}

impl Figures {
    /// Sums up a log and empties it; `inside` is the part of a clock reading that each measured time includes.
    pub(super) fn take(&mut self, log: &mut Log, inside: f64) {
        for entry in std::mem::take(log).entries.iter() {
            let ns = (entry.ns as f64 - inside).max(0.0);
            match entry.kind {
                EventKind::Call => {
                    let has = |flag: u8| entry.flags & flag != 0;
                    let seen = CallTotals::one(has(UNDEFINED), entry.fuel, u64::from(entry.bytes), ns);
                    let node = self.nodes[usize::from(has(OF_DIFFER))].of(entry.place);
                    let (program, spent) = (self.programs.of(entry.program), self.of_task.of(entry.frame));
                    if has(HEAVY) {
                        node.add_alone(&seen);
                        self.alone_ns += ns;
                        program.alone_ns += ns;
                        spent.alone_calls += 1;
                        spent.alone_ns += ns;
                    } else {
                        node.add_shared(&seen);
                        program.shared_ns += ns;
                        spent.shared_calls += 1;
                        spent.shared_ns += ns;
                    }
                }
                EventKind::Run => {
                    self.shared_parts[usize::from(entry.frame.0)] += ns;
                    self.programs.of(entry.program).shared_ns += ns;
                    self.of_task.of(entry.frame).shared_ns += ns;
                }
                EventKind::Outer => {
                    let stands_for = entry.fuel;
                    self.outer_ns += ns * stands_for as f64;
                    let place = self.outer.child(ROOT, entry.frame);
                    let node = &mut self.outer.nodes[place as usize];
                    node.calls += stands_for;
                    node.self_ns += ns * stands_for as f64;
                    let spent = self.of_task.of(entry.frame);
                    spent.alone_calls += 1;
                    spent.alone_ns += ns;
                }
                EventKind::Task => self.details.keep(entry.place, &mut self.of_task, 0.0),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use batt_core::PrimId;
    use batt_engine::Class;

    use super::*;

    #[test]
    fn what_is_written_down_is_summed_up() {
        let (mut log, mut figures) = (Log::default(), Figures::default());
        let call = |node, last_fuel| NodeCall { node, class: Class::Sample, primitive: Some(PrimId(1)), last_fuel };
        let (row, failed) = (Ok(batt_core::tuple_of(vec![Value::Int(1); 10])), Err(Reason::Missing));
        log.task_activity(Activity::Manage, 4, 11);
        log.run_activity(7, Activity::Execute, 21);
        log.call((7, Activity::Execute), &call(3, 0), false, (&row, 5), 31);
        log.call((7, Activity::Differs), &call(3, 900), true, (&failed, 800), 101);
        log.task(9);
        assert!(!log.is_full());
        figures.take(&mut log, 1.0);
        assert!(log.entries.iter().next().is_none());
        let [programs, differs] = &figures.nodes;
        assert_eq!(programs.get(3).shared, CallTotals::one(false, 5, 10, 30.0));
        assert_eq!(differs.get(3).alone, CallTotals::one(true, 800, 0, 100.0));
        let program = figures.programs.get(7);
        assert!((program.shared_ns - 50.0).abs() < 1e-9 && (program.alone_ns - 100.0).abs() < 1e-9);
        assert!((figures.outer_ns - 40.0).abs() < 1e-9 && (figures.alone_ns - 100.0).abs() < 1e-9);
        assert!((figures.shared_parts[Activity::Execute as usize] - 20.0).abs() < 1e-9);
        let (task, frames) = figures.details.by_task().next().unwrap_or_default();
        let calls = frames.iter().find(|(frame, _)| *frame == Frame::primitive(PrimId(1))).map(|(_, spent)| *spent);
        assert_eq!((task, calls.map(|spent| (spent.alone_calls, spent.shared_calls))), (9, Some((1, 1))));
        (0..ENTRIES as u32).for_each(|k| log.run_activity(k, Activity::Score, 1));
        assert!(log.is_full());
    }
}
