//! What is counted for nodes, programs and tasks while a run goes on.

use batt_core::{Reason, Value};

/// What is known of a node of a card.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NodeStat {
    /// Times that it was evaluated.
    pub(crate) calls: u64,
    /// Of these, how many were timed as a part of a run that was.
    pub(crate) timed: u64,
    /// Of these, how many were undefined.
    pub(crate) undefined: u64,
    pub(crate) fuel: u64,
    /// Bytes of what it gave.
    pub(crate) bytes: u64,
    /// Time of calls that stand for themselves.
    pub(crate) alone_ns: f64,
    /// Time of calls in runs that were timed, which stand for others too.
    pub(crate) shared_ns: f64,
    /// The sum of the squares of these times.
    pub(crate) shared_squares: f64,
    /// The part of both times that went into calls without an answer.
    pub(crate) undefined_alone_ns: f64,
    pub(crate) undefined_shared_ns: f64,
}

/// What is counted of a node, timed or not, with what it stands for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    calls: u32,
    undefined: u32,
    fuel: u64,
    bytes: u64,
}

/// What is known of a node that was timed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NodeTimes {
    timed: u64,
    alone_ns: f64,
    shared_ns: f64,
    shared_squares: f64,
    undefined_alone_ns: f64,
    undefined_shared_ns: f64,
}

impl Tally {
    /// Counts a call that stands for so many.
    #[inline]
    pub(crate) fn count(&mut self, result: &Result<Value, Reason>, fuel: u64, stands_for: u32) {
        self.calls = self.calls.saturating_add(stands_for);
        self.fuel += fuel * u64::from(stands_for);
        match result {
            Ok(value) => self.bytes += bytes_of(value) * u64::from(stands_for),
            Err(_) => self.undefined = self.undefined.saturating_add(stands_for),
        }
    }

    /// Times that the node was evaluated.
    pub(crate) fn calls(&self) -> u64 {
        u64::from(self.calls)
    }

    /// All that is known of the node.
    pub(crate) fn stat(&self, times: NodeTimes) -> NodeStat {
        NodeStat {
            calls: u64::from(self.calls),
            undefined: u64::from(self.undefined),
            fuel: self.fuel,
            bytes: self.bytes,
            timed: times.timed,
            alone_ns: times.alone_ns,
            shared_ns: times.shared_ns,
            shared_squares: times.shared_squares,
            undefined_alone_ns: times.undefined_alone_ns,
            undefined_shared_ns: times.undefined_shared_ns,
        }
    }
}

impl NodeTimes {
    /// Time of calls that stand for others too.
    pub(crate) fn shared_ns(&self) -> f64 {
        self.shared_ns
    }

    /// Adds a call that stands for itself alone.
    #[inline]
    pub(crate) fn add_alone(&mut self, ns: f64, is_undefined: bool) {
        self.timed += 1;
        self.alone_ns += ns;
        self.undefined_alone_ns += if is_undefined { ns } else { 0.0 };
    }

    /// Adds a call that stands for others too.
    #[inline]
    pub(crate) fn add_shared(&mut self, ns: f64, is_undefined: bool) {
        self.timed += 1;
        self.shared_ns += ns;
        self.shared_squares += ns * ns;
        self.undefined_shared_ns += if is_undefined { ns } else { 0.0 };
    }
}

impl NodeStat {
    /// Counts a call.
    #[inline]
    pub(crate) fn count(&mut self, result: &Result<Value, Reason>, fuel: u64) {
        self.calls += 1;
        self.fuel += fuel;
        match result {
            Ok(value) => self.bytes += bytes_of(value),
            Err(_) => self.undefined += 1,
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.timed += other.timed;
        self.undefined += other.undefined;
        self.fuel += other.fuel;
        self.bytes += other.bytes;
        self.alone_ns += other.alone_ns;
        self.shared_ns += other.shared_ns;
        self.shared_squares += other.shared_squares;
        self.undefined_alone_ns += other.undefined_alone_ns;
        self.undefined_shared_ns += other.undefined_shared_ns;
    }
}

/// What is known of a program.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ProgramStat {
    /// Times that it was run on a sample.
    pub(crate) runs: u64,
    pub(crate) alone_ns: f64,
    pub(crate) shared_ns: f64,
}

/// A task that a thread ran, or a part of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TaskSpan {
    pub(crate) task: u32,
    /// The sample; none for the whole task.
    pub(crate) sample: Option<u16>,
    pub(crate) start_ns: u64,
    pub(crate) ns: u64,
}

const _: () = assert!(size_of::<TaskSpan>() == 24, "there are many of them");

/// The place for a position, which is made if need be.
pub(crate) fn place<T: Default + Clone>(list: &mut Vec<T>, position: u32) -> &mut T {
    let position = position as usize;
    if position >= list.len() {
        list.resize(position + 1, T::default());
    }
    &mut list[position]
}

/// About how many bytes a value has beyond its own 24. Items that are shared with other values count for each.
pub(crate) fn bytes_of(value: &Value) -> u64 {
    match value {
        Value::Row(_) | Value::Grid(_) => value.weight(),
        Value::Indices(_) | Value::Object(_) => 4 * value.weight(),
        Value::Tuple(..) | Value::Set(..) => 24 * value.weight(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_stands_for_others_in_all_that_is_counted() {
        let mut tally = Tally::default();
        tally.count(&Ok(Value::Row(vec![1; 10].into())), 2, 1);
        tally.count(&Ok(Value::Row(vec![1; 3].into())), 5, 8);
        tally.count(&Err(Reason::Missing), 1, 4);
        let stat = tally.stat(NodeTimes::default());
        assert_eq!((stat.calls, stat.undefined, stat.fuel, stat.bytes), (13, 4, 2 + 40 + 4, 10 + 24));
    }
}
