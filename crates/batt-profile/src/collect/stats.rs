//! Statistics of nodes, programs and tasks.

use batt_core::{Reason, Value};

/// Statistics of a node of a card.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NodeStat {
    /// Times that it was evaluated, all of them.
    pub(crate) calls: u64,
    /// The calls that were seen and stand for themselves.
    pub(crate) alone: CallTotals,
    /// The calls that were seen and stand for others too.
    pub(crate) shared: CallTotals,
    /// The sum of the squares of their times.
    pub(crate) shared_squares: f64,
    /// Its last call, which represents the others if none of them was seen.
    pub(crate) last: CallTotals,
}

/// Calls that were seen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct CallTotals {
    pub(crate) calls: u64,
    /// Of these, how many were undefined.
    pub(crate) undefined: u64,
    pub(crate) fuel: u64,
    /// Bytes of what they gave.
    pub(crate) bytes: u64,
    pub(crate) ns: f64,
    /// The part of the time that went into calls without an answer.
    pub(crate) undefined_ns: f64,
}

impl CallTotals {
    /// A call.
    pub(crate) fn one(is_undefined: bool, fuel: u64, bytes: u64, ns: f64) -> Self {
        Self { calls: 1, undefined: u64::from(is_undefined), fuel, bytes, ns, undefined_ns: if is_undefined { ns } else { 0.0 } }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.undefined += other.undefined;
        self.fuel += other.fuel;
        self.bytes += other.bytes;
        self.ns += other.ns;
        self.undefined_ns += other.undefined_ns;
    }
}

impl NodeStat {
    /// Adds a call that stands for itself.
    #[inline]
    pub(crate) fn add_alone(&mut self, call: &CallTotals) {
        self.alone.add(call);
    }

    /// Adds a call that stands for others too.
    #[inline]
    pub(crate) fn add_shared(&mut self, call: &CallTotals) {
        self.shared.add(call);
        self.shared_squares += call.ns * call.ns;
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.alone.add(&other.alone);
        self.shared.add(&other.shared);
        self.shared_squares += other.shared_squares;
        self.last.add(&other.last);
    }

    /// Undefined calls, fuel and bytes of all calls. Untimed calls are estimated from the timed ones that represent others.
    pub(crate) fn of_all(&self) -> [u64; 3] {
        let others = self.calls.saturating_sub(self.alone.calls);
        let like = if self.shared.calls > 0 { &self.shared } else { &self.last };
        let scale = if like.calls > 0 { others as f64 / like.calls as f64 } else { 0.0 };
        let scaled = |alone: u64, seen: u64| alone + (seen as f64 * scale).round() as u64;
        [scaled(self.alone.undefined, like.undefined), scaled(self.alone.fuel, like.fuel), scaled(self.alone.bytes, like.bytes)]
    }

    /// Nanoseconds in it, if each shared one stands for so many.
    pub(crate) fn ns(&self, scale: f64) -> f64 {
        self.alone.ns + self.shared.ns * scale
    }
}

/// Statistics of a program.
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
    /// When it began, and how long it took, by the wall clock.
    pub(crate) start_ns: u64,
    pub(crate) wall_ns: u64,
    /// How long the thread was on a processor for it.
    pub(crate) ns: u64,
}

const _: () = assert!(size_of::<TaskSpan>() == 32, "there are many of them");

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

/// Bytes of the value of a call; 0 if it is undefined.
pub(crate) fn bytes_given(result: &Result<Value, Reason>) -> u64 {
    result.as_ref().map_or(0, bytes_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_stands_for_what_was_not() {
        let mut stat = NodeStat { calls: 13, ..NodeStat::default() };
        assert_eq!(stat.of_all(), [0; 3], "nothing was seen");
        stat.last = CallTotals::one(true, 2, 0, 0.0);
        assert_eq!(stat.of_all(), [13, 26, 0], "all are like the last");
        stat.add_shared(&CallTotals::one(false, 5, 10, 1.0));
        stat.add_shared(&CallTotals::one(true, 1, 0, 2.0));
        assert_eq!(stat.of_all(), [7, 39, 65], "half of them undefined, with three units and five bytes each");
        stat.add_alone(&CallTotals::one(false, 1000, 100, 3.0));
        assert_eq!(stat.of_all(), [6, 1036, 160], "one that stands for itself, and twelve others");
        assert!((stat.ns(4.0) - 15.0).abs() < 1e-9 && (stat.shared_squares - 5.0).abs() < 1e-9);
        let mut both = stat;
        both.add(&stat);
        assert_eq!(both.of_all(), [12, 2072, 320]);
    }
}
