//! Observer of a run's time, as a parameter of the executor.
//!
//! [`NoProbe`] has no size and no function of its own, so an executor with it is the same code as one without any of this. What reads a
//! clock is in another crate: this one only says when something begins and ends.

use std::time::{Duration, Instant};

use crate::card::Class;
use batt_core::{PrimId, Reason, Value};
use batt_dsl::{Limits, Machine, Watch};

/// Kinds of work that a thread does for a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Activity {
    /// Lists of programs that still run, and inputs as values.
    Manage,
    /// Programs: going through their steps, and the calls that these make.
    Execute,
    /// Comparing what programs gave with the demos' outputs.
    Score,
    /// Telling candidates that were seen before from new ones.
    Dedupe,
    /// Differs on candidates.
    Differs,
    /// Putting together what is reported.
    Collect,
}

impl Activity {
    /// All activities, in order.
    pub const ALL: [Self; 6] = [Self::Manage, Self::Execute, Self::Score, Self::Dedupe, Self::Differs, Self::Collect];
}

/// A node of a card that is about to be evaluated.
#[derive(Clone, Copy, Debug)]
pub struct NodeCall {
    /// The node.
    pub node: u32,
    /// The inputs that it depends on.
    pub class: Class,
    /// The called primitive; none if it is a function value, or a comparison.
    pub primitive: Option<PrimId>,
    /// The fuel that the node spent when it was evaluated last, on another sample; 0 at first.
    pub last_fuel: u64,
}

/// Sees what an executor and the thread around it do. The functions are called in the order of their words: a task has activities, the activity
/// [`Activity::Execute`] has runs, runs have activities, and executing has nodes. A function that a probe does not have does nothing.
pub trait Probe: Default + Send {
    /// Whether there is anything to tell at all.
    const WATCHES: bool;
    /// Whether it wants to see the calls that primitives make, and so goes to the machine while a node is evaluated.
    const SEES_CALLS: bool = false;

    /// How often a node was evaluated. It is kept with what the node gave, which is written then anyway; `()` takes no place.
    type Calls: Copy + Default + Send;

    /// Counts an evaluation of a node.
    #[inline]
    fn count(_calls: &mut Self::Calls) {}

    /// How long the current thread has worked, from some moment on: for what is done outside of tasks.
    fn thread_time() -> Duration {
        Duration::ZERO
    }

    /// A machine whose calls this can see.
    fn machine(limits: Limits) -> Machine {
        Machine::fast(limits)
    }

    /// A probe for another card of the same work. It has seen nothing, and goes on with whatever this one has learnt about how to look.
    #[must_use]
    fn next(&self) -> Self {
        Self::default()
    }

    /// A task begins, with [`Activity::Manage`]. The clock was read for it just now.
    #[inline]
    fn begin_task(&mut self, _task: u32, _started: Instant) {}

    /// The task does something else from now on, outside of runs.
    #[inline]
    fn task_activity(&mut self, _activity: Activity) {}

    /// Another sample of the task begins.
    #[inline]
    fn begin_sample(&mut self) {}

    /// The task ends.
    #[inline]
    fn end_task(&mut self) {}

    /// A program is run on a sample, beginning with [`Activity::Execute`].
    #[inline]
    fn begin_run(&mut self, _program: u32) {}

    /// The run does something else from now on.
    #[inline]
    fn run_activity(&mut self, _activity: Activity) {}

    /// The run ends.
    #[inline]
    fn end_run(&mut self) {}

    /// Whether it wants to see the next evaluation of a node, which spent so much fuel the last time. If not, it is told neither that the
    /// node is entered nor that it is left.
    #[inline]
    fn wants(&self, _last_fuel: u64) -> bool {
        true
    }

    /// A node is evaluated.
    #[inline]
    fn enter_node(&mut self, _call: &NodeCall) {}

    /// The node that is evaluated has this result.
    #[inline]
    fn leave_node(&mut self, _call: &NodeCall, _result: &Result<Value, Reason>, _fuel: u64) {}

    /// All is done, and so often a node of the programs or of the differs was evaluated; `last` says how that ended the last time, and what
    /// fuel it spent. Nodes come in the order of their numbers, also those that were never evaluated.
    fn called(&mut self, _by: Activity, _node: u32, _calls: Self::Calls, _last: (&Result<Value, Reason>, u64)) {}

    /// Goes to the machine while it evaluates a node, if it [sees calls](Probe::SEES_CALLS).
    fn lend(&mut self) -> Option<Box<dyn Watch>> {
        None
    }

    /// Comes back from the machine.
    fn take_back(&mut self, watch: Option<Box<dyn Watch>>) {
        drop(watch);
    }
}

/// Sees nothing, and costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProbe;

impl Probe for NoProbe {
    const WATCHES: bool = false;
    type Calls = ();
}

const _: () = assert!(size_of::<NoProbe>() == 0, "a probe that sees nothing takes no place");
